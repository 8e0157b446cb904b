"""The main screen: the chat, and beside it this turn, the memories and what happens to them."""

from __future__ import annotations

from gettext import gettext as _

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import Input, Static

from orca_core.domain.events import Extraction, Folded
from orca_tui.app import messages
from orca_tui.app.bridge import Bridge
from orca_tui.app.commands import Commands
from orca_tui.app.memory import messages as of_memory
from orca_tui.app.memory.activity import Activity
from orca_tui.app.memory.activity_list import ActivityList
from orca_tui.app.memory.memories import Memories
from orca_tui.app.memory.memory_list import MemoryList
from orca_tui.app.panes import Panes
from orca_tui.app.screens.side_panel import SidePanel
from orca_tui.app.talk import messages as of_talk
from orca_tui.app.talk.opening import Opening
from orca_tui.app.talk.prompt import Prompt
from orca_tui.app.talk.receipts import turn_lines
from orca_tui.app.talk.status_line import Overview
from orca_tui.app.talk.transcript import Transcript
from orca_tui.app.talk.turn_pane import TurnPane
from orca_tui.app.talk.turns import Turns
from orca_tui.app.widgets.header_line import HeaderLine
from orca_tui.app.widgets.key_line import KeyLine
from orca_tui.app.widgets.literal import literal
from orca_tui.language import sentence_and_way_out
from orca_tui.learning_phrases import folded_line
from orca_tui.marks import Marks


class MainScreen(Screen[None], inherit_bindings=False):
    """Wires widgets and controllers: messages of the bridge in, messages of the widgets in, data out."""

    AUTO_FOCUS = "#prompt"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-normal"), (140, "-wide")]  # noqa: RUF012  # Textual's way

    def __init__(self, bridge: Bridge, marks: Marks) -> None:
        super().__init__()
        self.bridge = bridge
        self.marks = marks
        self.panes = Panes(self)

    def compose(self) -> ComposeResult:
        yield HeaderLine(self.marks)
        with Horizontal(id="body"):
            with Vertical(id="main"):
                yield Transcript(self.marks)
                yield Static("", id="slash")
                yield Static("", id="strip")
                yield Prompt()
            yield SidePanel(self.marks)
        yield KeyLine(lambda: self.rows.marked_words() if self.rows.has_focus else "")

    def on_mount(self) -> None:
        self.rows = self.query_one(MemoryList)
        self.side = self.query_one(SidePanel)
        self.transcript = self.query_one(Transcript)
        self.prompt = self.query_one(Prompt)
        self.turns = Turns(self.bridge, self.transcript, self.marks, self.redraw)
        self.memories = Memories(self.app, self.bridge, self.rows, self.marks, self.note, self.changed)
        self.activity = Activity(
            self.app, self.bridge, self.query_one(ActivityList), self.memories, self.marks, self.note
        )  # fmt: skip
        self.overview = Overview(self.bridge, self.turns, self.marks)
        self.commands = Commands(self)
        self.prompt.commands = self.commands.names
        self.query_one("#slash").display = False
        self.set_interval(1.0, self._tick)
        self.redraw()
        self.bridge.open()

    def note(self, text: str, owner: str = "", *, stays: bool = False) -> None:
        """Say something about a key that was pressed, where the user looks. What `stays` was an error of its owner."""
        lines = self.app.screen.query(KeyLine) or self.query(KeyLine)
        lines.first().note(text, owner, stays=stays)

    def redraw(self) -> None:
        """Draw what follows from the state of the turn."""
        view, marks = self.turns.view, self.marks
        with_parts = self.has_class("-wide") or self.panes.open == "turn"
        self.query_one(TurnPane).show(lambda width: turn_lines(view, marks, width=width, with_parts=with_parts))
        self.query_one("#turn-title", Static).update(self.overview.turn_title())
        self.query_one(HeaderLine).show(self.overview.header())
        strip = self.overview.strip(is_at_end=self.transcript.is_at_end, is_narrow=self.has_class("-narrow"))
        self.query_one("#strip").display = bool(strip)
        self.query_one("#strip", Static).update(literal(strip, "$foreground-muted"))
        self.prompt.queued = self.turns.queued
        self._say_escape()
        self.refresh_bindings()

    def changed(self) -> None:
        """Memories changed: what counts them is drawn anew."""
        self.activity.load()
        if self.bridge.is_ready:
            self.bridge.ask(self.overview.look, lambda _none: self._counted(), group="look overview")

    def _counted(self) -> None:
        self._tell_of_rows()
        self.redraw()

    def _tell_of_rows(self) -> None:
        """How many there are, which of them, how many are marked; and what escape does about it."""
        self.query_one("#memories-title", Static).update(self.overview.memories_title(self.rows), layout=False)
        self._say_escape()
        self.query_one(KeyLine).refresh()

    def _say_escape(self) -> None:
        """What escape would do, before all other keys where it does not simply lead back."""
        word = self.word_of_escape
        self.query_one(KeyLine).rename("stop_or_back", word, is_first=bool(word) and word != _("back"))

    def _tick(self) -> None:
        """The digits that move by themselves: how long an answer is waited for, how long a run has been going."""
        self.turns.tick()
        if self.activity.is_learning:
            self._show_learning()

    def _show_learning(self) -> None:
        self.side.show_learning(self.activity.learning_words())

    def show_pane(self, pane: str) -> None:
        """Open a pane and look at it; the same key leads back."""
        self.panes.show(pane)
        self.redraw()

    def on_descendant_focus(self) -> None:
        self._say_escape()

    @property
    def word_of_escape(self) -> str:
        """What escape does now; empty where there is nothing for it to do."""
        if self.bridge.is_answering:
            return _("stop")
        if self.turns.editing is None and (word := self.side.word_of_escape):
            return word
        is_away = self.focused is not self.prompt or self.panes.open or self.turns.editing is not None
        return _("back") if is_away else ""

    def back(self) -> None:
        """Escape: stop the answer, else clear what is filtered or marked, else leave the pane, else to the prompt."""
        if self.bridge.is_answering:
            self.bridge.stop()
        elif self.turns.editing is not None:
            self.commands.rounds.stop_editing()
        elif self.side.step_back():
            self.redraw()
        elif self.panes.open:
            self.show_pane(self.panes.open)
        else:
            self.prompt.focus()

    # From the bridge

    @on(messages.EngineReady)
    async def _ready(self) -> None:
        self.rows.ask_again()
        self.changed()
        self.commands.recall_prompts()
        if self.turns.is_opening:
            Opening(self).begin()
        elif not self.transcript.views:
            await self.transcript.clear(self.overview.welcome())
        if not self.transcript.views:
            self.commands.providers.look_around()
        self.redraw()
        await self.turns.send_next()

    @on(messages.EngineFailed)
    async def _engine_failed(self, message: messages.EngineFailed) -> None:
        sentence, way_out = sentence_and_way_out(message.error)
        await self.transcript.clear(f"{sentence}\n{way_out}")

    @on(messages.TurnEvent)
    async def _turn_event(self, message: messages.TurnEvent) -> None:
        await self.turns.take(message.event)
        self.activity.take(message.event)

    @on(messages.TurnRefused)
    async def _turn_refused(self, message: messages.TurnRefused) -> None:
        await self.turns.refused(message.error)

    @on(messages.TurnEnded)
    async def _turn_ended(self) -> None:
        view = self.turns.view
        self.rows.show_changes(view.changes(self.marks))
        if self.rows.has_focus:  # nothing slides under the finger
            self.memories.refresh([move.ref.id for move in view.moves])
        else:
            self.rows.ask_again()
        if view.proposed:
            self.commands.offer_to_forget(view.proposed)
        self.changed()
        await self.turns.send_next()

    @on(messages.Learnt)
    def _learnt(self, message: messages.Learnt) -> None:
        self.activity.take(message.event)
        self._show_learning()
        if isinstance(message.event, Extraction) and message.event.state != "running":
            self.rows.show_new(fact.memory.id for fact in message.event.learnt.stored)
            self.rows.ask_again()
        elif isinstance(message.event, Folded):
            self.note(folded_line(message.event) if message.event.error else "", "fold", stays=True)
        self.changed()

    @on(messages.WorkFailed)
    def _work_failed(self, message: messages.WorkFailed) -> None:
        sentence, way_out = sentence_and_way_out(message.error)
        self.note(f"{sentence} — {way_out}" if way_out else sentence, message.group, stays=True)

    @on(messages.WorkMended)
    def _work_mended(self, message: messages.WorkMended) -> None:
        self.query_one(KeyLine).mended(message.group)

    # From the widgets

    @on(of_talk.Submitted)
    async def _submitted(self, message: of_talk.Submitted) -> None:
        if message.text.startswith("/"):
            await self.commands.slash(message.text)
        elif self.turns.editing is not None:
            await self.commands.rounds.send_edited(message)
        else:
            await self.turns.submit(message)

    @on(of_talk.SlashTyped)
    def _slash_typed(self, message: of_talk.SlashTyped) -> None:
        self.query_one("#slash").display = bool(message.names)
        self.query_one("#slash", Static).update(self.commands.offer(message.names, message.at, self.size.height))

    @on(of_talk.QueuedWanted)
    def _queued_wanted(self) -> None:
        self.commands.unqueue()

    @on(of_memory.RowsWanted)
    def _rows_wanted(self, message: of_memory.RowsWanted) -> None:
        self.memories.load(message)

    @on(of_memory.RangeWanted)
    def _range_wanted(self, message: of_memory.RangeWanted) -> None:
        self.memories.read_range(message)

    @on(of_memory.MemoryChosen)
    def _memory_chosen(self, message: of_memory.MemoryChosen) -> None:
        self.query_one("#glance", Static).update(self.memories.glance(message.view), layout=False)
        self._tell_of_rows()
        if message.before is not None:
            self.rows.show_cursor(message.before)

    @on(of_memory.MemoryAction)
    def _memory_action(self, message: of_memory.MemoryAction) -> None:
        if message.action == "filter":
            self.side.begin_filter()
        elif self.bridge.is_ready:
            self.memories.act(message)

    @on(of_memory.ActivityAction)
    def _activity_action(self, message: of_memory.ActivityAction) -> None:
        if self.bridge.is_ready:
            self.activity.act(message)

    @on(of_talk.ReachedTop)
    def _reached_top(self) -> None:
        if self.bridge.is_ready:
            self.bridge.ask(self.turns.past.more, lambda _none: None, group="past")

    @on(of_talk.EndSeen)
    def _end_seen(self) -> None:
        self.redraw()

    @on(of_talk.TranscriptAction)
    async def _transcript_action(self, message: of_talk.TranscriptAction) -> None:
        await self.commands.rounds.act(message)

    @on(of_talk.WhyWanted)
    def _why_wanted(self) -> None:
        self.commands.rounds.show_why(None)

    @on(Input.Changed, "#filter")
    def _filter(self, event: Input.Changed) -> None:
        if event.value != self.rows.text:
            self.rows.filter(event.value)

    @on(Input.Submitted, "#filter")
    def _filter_done(self) -> None:
        self.rows.focus()
