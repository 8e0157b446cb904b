"""The main screen: the chat, and beside it this turn, the memories and what happens to them."""

from __future__ import annotations

from gettext import gettext as _

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Input, Static

from orca_core.domain.events import Extraction, Folded
from orca_core.domain.memories import Memory, Status
from orca_core.rules.status import status_of
from orca_tui.app import messages
from orca_tui.app.activity import Activity
from orca_tui.app.bridge import Bridge
from orca_tui.app.commands import Commands
from orca_tui.app.memories import Memories
from orca_tui.app.overview import Overview
from orca_tui.app.plain import plain
from orca_tui.app.receipts import as_content, turn_lines
from orca_tui.app.turns import Turns
from orca_tui.app.widgets.activity_list import ActivityList
from orca_tui.app.widgets.header_line import HeaderLine
from orca_tui.app.widgets.key_line import KeyLine
from orca_tui.app.widgets.memory_list import MemoryList
from orca_tui.app.widgets.prompt import Prompt
from orca_tui.app.widgets.transcript import Transcript
from orca_tui.language import sentence_and_way_out
from orca_tui.learning_phrases import extraction_lines, folded_line
from orca_tui.marks import Marks

PANES = ("turn", "memories", "activity")


class MainScreen(Screen[None]):
    """Wires widgets and controllers: messages of the bridge in, messages of the widgets in, data out."""

    AUTO_FOCUS = "#prompt"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-normal"), (140, "-wide")]  # noqa: RUF012  # Textual's way

    def __init__(self, bridge: Bridge, marks: Marks) -> None:
        super().__init__()
        self.bridge = bridge
        self.marks = marks
        self.pane = ""
        settings = bridge.loaded.settings
        self._most_weight = settings.memory.long_term.max_weight

    def compose(self) -> ComposeResult:
        yield HeaderLine(self.marks)
        with Horizontal(id="body"):
            with Vertical(id="main"):
                yield Transcript()
                yield Static("", id="strip")
                yield Prompt()
            with Vertical(id="side"):
                with Vertical(id="pane-turn", classes="pane"):
                    yield Static(plain(_("This turn"), "bold"), classes="pane-title")
                    with VerticalScroll(id="turn-body"):
                        yield Static("", id="turn-text")
                with Vertical(id="pane-memories", classes="pane"):
                    yield Static("", id="memories-title", classes="pane-title")
                    yield Input(placeholder=_("filter"), id="filter", compact=True)
                    yield MemoryList(self.marks, self._status_of, self._most_weight)
                with Vertical(id="pane-activity", classes="pane"):
                    yield Static(plain(_("Activity"), "bold"), classes="pane-title")
                    yield Static("", id="learning")
                    yield ActivityList(self.marks)
        yield KeyLine()

    def on_mount(self) -> None:
        app = self.app
        self.rows = self.query_one(MemoryList)
        self.transcript = self.query_one(Transcript)
        self.prompt = self.query_one(Prompt)
        self.turns = Turns(self.bridge, self.transcript, self.marks, self.redraw)
        self.memories = Memories(app, self.bridge, self.rows, self.marks, self.note, self.changed)
        self.activity = Activity(
            app, self.bridge, self.query_one(ActivityList), self.memories, self.marks, self.note
        )  # fmt: skip
        self.overview = Overview(self.bridge, self.turns, self.marks)
        self.commands = Commands(self)
        self.query_one("#filter").display = False
        self.query_one("#learning").display = False
        self.redraw()
        self.bridge.open()

    def note(self, text: str) -> None:
        """Say something about a key that was pressed."""
        self.query_one(KeyLine).note(text)
        self.set_timer(4.0, lambda: self.query_one(KeyLine).note(""))

    def redraw(self) -> None:
        """Draw what follows from the state of the turn."""
        lines = turn_lines(self.turns.view, self.marks, with_parts=self.has_class("-wide") or self.pane == "turn")
        self.query_one("#turn-text", Static).update(as_content(lines))
        self.query_one(HeaderLine).show(self.overview.header())
        self.query_one("#strip", Static).update(plain(self.overview.strip(), "$text-muted"))

    def changed(self) -> None:
        """Memories changed: what counts them is drawn anew."""
        self.activity.load()
        if self.bridge.is_ready:
            self.bridge.ask(self.overview.look, lambda _none: self._counted(), group="look overview")

    def _counted(self) -> None:
        self.query_one("#memories-title", Static).update(self.overview.memories_title(self.rows))
        self.redraw()

    def _status_of(self, memory: Memory) -> Status:
        return status_of(memory, self.bridge.loaded.settings.memory.long_term.core_threshold)

    def show_pane(self, pane: str) -> None:
        """Open a pane and look at it; the same key leads back."""
        if self.has_class("-narrow"):
            self.pane = "" if self.pane == pane else pane
        else:
            widget = self.query_one(f"#pane-{pane}")
            self.pane = "" if self.pane == pane else pane
            if not widget.display:
                widget.display = True
        for each in PANES:
            self.set_class(self.pane == each, f"-pane-{each}")
        self.redraw()
        self._focus_of(self.pane).focus()

    def back(self) -> bool:
        """Escape: stop the answer, else leave the pane or the filter, else back to the prompt. False where none was."""
        if self.bridge.is_answering:
            self.bridge.stop()
        elif self.query_one("#filter").has_focus:
            self.query_one("#filter", Input).value = ""
            self.query_one("#filter").display = False
            self.rows.filter("")
            self.rows.focus()
        elif self.pane:
            self.show_pane(self.pane)
        elif self.focused is not self.prompt:
            self.prompt.focus()
        else:
            return False
        return True

    def _focus_of(self, pane: str) -> Widget:
        targets = {"turn": "#turn-body", "memories": "#memory-list", "activity": "#activity-list"}
        return self.query_one(targets[pane]) if pane else self.prompt

    # From the bridge

    @on(messages.EngineReady)
    async def _ready(self) -> None:
        self.rows.ask_again()
        self.changed()
        if not self.transcript.rounds:
            await self.transcript.clear(self.overview.welcome())
        self.redraw()
        await self.turns.send_next()

    @on(messages.EngineFailed)
    async def _engine_failed(self, message: messages.EngineFailed) -> None:
        sentence, way_out = sentence_and_way_out(message.error)
        await self.transcript.clear(f"{sentence}\n{way_out}")

    @on(messages.TurnEvent)
    async def _turn_event(self, message: messages.TurnEvent) -> None:
        await self.turns.take(message.event)

    @on(messages.TurnRefused)
    async def _turn_refused(self, message: messages.TurnRefused) -> None:
        await self.turns.refused(message.error)

    @on(messages.TurnEnded)
    async def _turn_ended(self) -> None:
        view = self.turns.view
        self.rows.show_changes(view.changes(self.marks))
        if self.rows.has_focus:  # nothing slides under the finger
            self.memories.refresh([move.id for move in view.moves])
        else:
            self.rows.ask_again()
        if view.proposed:
            self.commands.offer_to_forget(view.proposed)
        self.changed()
        await self.turns.send_next()

    @on(messages.Learnt)
    def _learnt(self, message: messages.Learnt) -> None:
        event = message.event
        if isinstance(event, Extraction):
            words = extraction_lines(event, self.marks)[0]
            learning = self.query_one("#learning", Static)
            learning.display = event.state == "running"
            learning.update(plain(f" {words} {self.marks.ellipsis}"))
            if event.state != "running":
                self.rows.ask_again()
        elif isinstance(event, Folded) and event.error:
            self.note(folded_line(event))
        self.changed()

    @on(messages.WorkFailed)
    def _work_failed(self, message: messages.WorkFailed) -> None:
        sentence, way_out = sentence_and_way_out(message.error)
        self.note(f"{sentence} — {way_out}" if way_out else sentence)

    # From the widgets

    @on(messages.Submitted)
    async def _submitted(self, message: messages.Submitted) -> None:
        if message.text.startswith("/"):
            await self.commands.slash(message.text)
        else:
            await self.turns.submit(message)

    @on(messages.RowsWanted)
    def _rows_wanted(self, message: messages.RowsWanted) -> None:
        self.memories.load(message)

    @on(messages.MemoryAction)
    def _memory_action(self, message: messages.MemoryAction) -> None:
        if message.action == "filter":
            self.query_one("#filter").display = True
            self.query_one("#filter").focus()
        elif self.bridge.is_ready:
            self.memories.act(message)

    @on(messages.ActivityAction)
    def _activity_action(self, message: messages.ActivityAction) -> None:
        if self.bridge.is_ready:
            self.activity.act(message)

    @on(messages.ReachedTop)
    async def _reached_top(self) -> None:
        await self.transcript.show_earlier()

    @on(messages.TranscriptAction)
    async def _transcript_action(self, message: messages.TranscriptAction) -> None:
        await self.commands.transcript(message)

    @on(Input.Changed, "#filter")
    def _filter(self, event: Input.Changed) -> None:
        self.rows.filter(event.value)

    @on(Input.Submitted, "#filter")
    def _filter_done(self) -> None:
        self.rows.focus()
