"""The main screen: the chat, and beside it this turn, the memories and what happens to them."""

from __future__ import annotations

from collections.abc import Sequence
from gettext import gettext as _
from typing import Any

from textual import events, on
from textual._compositor import Compositor, CompositorMap
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Input, Static, TextArea

from orca_core.model.events import Promoted, SummaryFolded
from orca_core.model.sessions import Session
from orca_core.rules.text.typed_spans import join_spans
from orca_tui.app.bridge import (
    Bridge,
    ChangedBehind,
    Learnt,
    OrcaFailed,
    OrcaReady,
    TakesKeys,
    TurnEnded,
    TurnEvent,
    TurnRefused,
    VectorsMade,
    WorkFailed,
    WorkMended,
)
from orca_tui.app.chat.markdown_lines import load_parsers
from orca_tui.app.chat.prompt import Prompt, QueuedWanted, SlashTyped, Submitted
from orca_tui.app.chat.status_line import Counting, header_of, strip_of
from orca_tui.app.chat.transcript import EndSeen, ReachedTop, Transcript, TranscriptAction
from orca_tui.app.chat.turn_pane import TurnAction
from orca_tui.app.chat.turns import Talk, Turns, untrusted_in
from orca_tui.app.chat.welcome import Expected, Line, LineTaken, Tour, Welcome, failure_words, plain_welcome
from orca_tui.app.keymap import Entry
from orca_tui.app.pane import Pane, Places, SidePanel
from orca_tui.app.records.memory_pane import MemoriesPane
from orca_tui.app.stage import Stage
from orca_tui.app.widgets.header_line import HeaderLine
from orca_tui.app.widgets.key_line import KeyLine
from orca_tui.app.widgets.text import SteadyText, literal
from orca_tui.app.work.work_pane import WorkPane
from orca_tui.language import sentence_and_way_out
from orca_tui.marks import Marks
from orca_tui.words.learning_words import folded_line
from orca_tui.words.turn_words import note_of


class WholeCompositor(Compositor):
    """After a scroll Textual 8.2.8 arranges all widgets when it is next asked for one of them. What had moved by then
    is no change to the layout that follows, and stayed where it was on the screen: lines under others, and lost."""

    @property
    def full_map(self) -> CompositorMap:
        """Where each widget is; what is found to have moved is drawn next."""
        if self.root is None or not self._full_map_invalidated:
            return super().full_map
        before, screen = self._full_map, self.size.region
        found = super().full_map
        if screen not in self._dirty_regions:
            moved = (each.clip.intersection(each.region) for _, each in found.items() ^ before.items())
            self._dirty_regions.update(filter(None, moved))
        return found


class MainScreen(Stage, inherit_bindings=False):
    """The stage of the controllers and panes. Messages of the bridge and of the widgets come in, data goes out."""

    AUTO_FOCUS = "#prompt"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-normal"), (140, "-wide")]  # noqa: RUF012  # Textual's way

    def __init__(
        self,
        bridge: Bridge,
        marks: Marks,
        panes: Sequence[type[Pane]],
        commands: Sequence[Entry[Any]] | None,
        lines: tuple[Line, ...],
    ) -> None:
        super().__init__(bridge)
        self._compositor = WholeCompositor()
        self.marks = marks
        self.side = SidePanel()
        self.key_line = KeyLine(lambda: pane.lead if (pane := self.side.focused) else "")
        self._panes, self._table, self._lines = panes, commands, lines

    def compose(self) -> ComposeResult:
        self.know_width()
        yield HeaderLine(self.marks)
        with Horizontal(id="body"):
            with Vertical(id="main"):
                yield Transcript(self.marks)
                yield Static("", id="slash")
                yield SteadyText(id="strip")
                yield Prompt()
            yield self.side
        yield self.key_line

    def on_mount(self) -> None:
        self.transcript = self.query_one(Transcript)
        self.prompt = self.query_one(Prompt)
        self.places = Places(self, self.side, (self.prompt, self.transcript))
        self.turns = Turns(self.bridge, self.transcript, self.marks, self.redraw)
        self.counting = Counting(self.bridge, self.turns)
        self.tour = Tour(self._lines, is_over=bool(self.bridge.loaded.settings.provider))
        self.prompt.take_line = self._take_from_welcome
        self.talk = Talk(self.turns, self.transcript, self.prompt, self._welcome)
        self.set_interval(1.0, self._tick)
        self.redraw()
        self.set_focus(self.prompt)  # Textual sets none while the terminal is not looked at

    async def complete(self) -> None:
        """Make what the first frame comes without, the panes above all; what was typed ahead is handed on then."""
        await self.side.fill([pane(self, self.bridge, self.marks) for pane in self._panes], self.redraw)
        from orca_tui.app.commands import make_commands

        work, memories = self.query_one(WorkPane), self.query_one(MemoriesPane)
        await work.fill(self.talk)
        made_of = (self._table, self, self.bridge, self.talk, memories, work, self.marks)
        self.commands = make_commands(*made_of, show_pane=self.show_pane, run_action=self.app.run_action)
        self.prompt.commands = self.commands.names
        self.redraw()
        self.post_message(TakesKeys())

    # The rest of the stage

    def redraw(self) -> None:
        state = self.turns.state
        for pane in self.side.panes:
            pane.draw(state, is_wide=self.has_class("-wide") or self.places.open == pane.about.id)
        self.query_one(HeaderLine).show(header_of(state, self.counting.counts, self.bridge.loaded.settings))
        strip = strip_of(state, self.marks, is_at_end=self.transcript.is_at_end, is_narrow=self.has_class("-narrow"))
        self.query_one("#strip").display = bool(strip)
        self.query_one("#strip", SteadyText).say(literal(strip, "$foreground-muted"))
        self.prompt.queued = len(state.queue)
        self.tour.count(self.counting.counts.to_review)
        if (welcome := self.transcript.welcome) is not None:
            welcome.redraw()
        self._say_escape()
        self.refresh_bindings()

    def changed(self, *, anew: bool = False) -> None:
        self.side.look(anew=anew)
        if self.bridge.is_ready:
            self.bridge.ask(self.counting.look, lambda _none: self.redraw(), group="look overview")

    def _welcome(self) -> Static:
        failure = self.bridge.orca.levels.store_failure if self.bridge.is_ready else None
        if failure is not None:
            return plain_welcome(failure_words(failure))
        return Welcome(self.tour, self.marks, is_demo=not self.bridge.loaded.settings.provider)

    def _take_from_welcome(self, key: str) -> bool:
        welcome = self.transcript.welcome
        return welcome is not None and welcome.take_key(key)

    @property
    def _line_answered(self) -> int | None:
        """The line of the welcome that the last round holds."""
        last = self.transcript.last
        return None if last is None else self.tour.number_of(last.said.spans)

    def _read_the_paste(self) -> None:
        """Read the rounds that wait, and count what is held back."""

        async def read() -> None:
            await self.bridge.orca.worker.learn_now()
            await self.counting.look()

        def was_read(_none: None) -> None:
            self.tour.has_read = True
            self.changed()
            self.redraw()

        self.bridge.ask(read, was_read, group="learn")

    def _say_escape(self) -> None:
        """What escape would do, before all other keys where it does not simply lead back."""
        word = self.word_of_escape
        self.key_line.rename("stop_or_back", word, is_first=bool(word) and word != _("back"))

    def _tick(self) -> None:
        """The digits that move by themselves: how long an answer is waited for, and those of the panes."""
        self.turns.tick()
        self.side.tick()

    def show_pane(self, pane: str) -> None:
        """Open a pane and look at it; the same key leads back."""
        self.places.show(pane)
        self.redraw()

    def on_descendant_focus(self) -> None:
        self._say_escape()

    @property
    def word_of_escape(self) -> str:
        """What escape does now; empty where there is nothing for it to do."""
        state, pane = self.turns.state, self.side.focused
        if state.answering:
            return _("stop")
        if state.editing is None and pane is not None and (word := pane.word_of_escape):
            return word
        is_away = self.focused is not self.prompt or self.places.open or state.editing is not None
        return _("back") if is_away else ""

    def back(self) -> None:
        """Escape: stop the answer, else clear what is filtered or marked, else leave the pane, else to the prompt."""
        state, pane = self.turns.state, self.side.focused
        if state.answering:
            self.bridge.stop()
        elif state.editing is not None:
            self.commands.desk.rounds.stop_editing()
        elif pane is not None and pane.step_back():
            self.redraw()
        elif self.places.open:
            self.show_pane(self.places.open)
        else:
            self.prompt.focus()

    def begin_message(self, character: str) -> None:
        """Write a letter that is no key where the focus is: it is the beginning of a message."""
        self.prompt.focus()
        self.prompt.insert(character)

    def on_paste(self, event: events.Paste) -> None:
        """So is what is pasted into something that holds no text."""
        if not isinstance(self.focused, Input | TextArea):
            self.prompt.focus()
            self.prompt.paste(event.text)

    # From the bridge

    @on(OrcaReady)
    async def _ready(self) -> None:
        desk = self.commands.desk
        self.counting.embedded(None)
        self.changed(anew=True)
        desk.prompts.recall()
        await self.commands.catch_up()
        self._look_for_chats()
        if self.turns.state.is_opening:
            from orca_tui.app.chat.chats import Opening

            Opening(self, self.bridge, self.talk).begin()
        elif not self.transcript.views:
            await self.transcript.clear(self._welcome())
        if not self.transcript.views:
            desk.providers.look_around(self._add_to_welcome)
        self.redraw()
        self.call_after_refresh(load_parsers)
        await self.turns.send_next()

    def _look_for_chats(self) -> None:
        """Show the first steps also with a model, where there is no chat yet."""
        orca = self.bridge.orca

        def found(latest: Session | None) -> None:
            if latest is None and not self.transcript.views:
                self.tour.is_over = False
                self.redraw()

        if self.tour.is_over and orca.levels.store_failure is None:
            self.ask(orca.sessions.latest, found, group="look first")

    def _add_to_welcome(self, words: str) -> None:
        if not self.transcript.views:
            self.call_later(self.transcript.say, words, "notice")

    @on(OrcaFailed)
    async def _orca_failed(self, message: OrcaFailed) -> None:
        sentence, way_out = sentence_and_way_out(message.error)
        await self.transcript.clear(plain_welcome(f"{sentence}\n{way_out}"))
        await self.commands.catch_up()

    @on(TurnEvent)
    async def _turn_event(self, message: TurnEvent) -> None:
        if (line := self._line_answered) is not None:
            self.tour.take(line, message.event, self.marks)
        await self.turns.take(message.event)
        self.side.take(message.event)

    @on(TurnRefused)
    async def _turn_refused(self, message: TurnRefused) -> None:
        spans = await self.turns.refused(message.error)
        if not self.prompt.text:  # else what is written there by now stays, and the up key brings this one back
            self.prompt.fill(join_spans(spans), untrusted_in(spans))

    @on(TurnEnded)
    async def _turn_ended(self, message: TurnEnded) -> None:
        self.turns.ended()
        self.side.take(message)
        if proposed := self.turns.state.turn.proposed:
            self.commands.desk.forgetting.offer(proposed)
        if (line := self._line_answered) is not None and self.tour.lines[line].expected is Expected.REVIEW:
            self._read_the_paste()
        self.changed()
        await self.turns.send_next()

    @on(Learnt)
    def _learnt(self, message: Learnt) -> None:
        self.side.take(message.event)
        if isinstance(message.event, SummaryFolded):
            self.note(folded_line(message.event) if message.event.error else "", "fold", stays=True)
        if isinstance(message.event, Promoted):
            self.note(note_of(message.event), message.event.event, stays=True)
        self.changed()

    @on(VectorsMade)
    def _vectors_made(self, message: VectorsMade) -> None:
        self.counting.embedded(message.event)
        self.redraw()

    @on(ChangedBehind)
    def _changed_behind(self, message: ChangedBehind) -> None:
        self.side.take(message)
        self.changed()

    @on(WorkFailed)
    def _work_failed(self, message: WorkFailed) -> None:
        sentence, way_out = sentence_and_way_out(message.error)
        self.note(f"{sentence} — {way_out}" if way_out else sentence, message.group, stays=True)

    @on(WorkMended)
    def _work_mended(self, message: WorkMended) -> None:
        self.key_line.mended(message.group)

    # From the widgets

    @on(Pane.Told)
    def _pane_changed(self) -> None:
        self._say_escape()
        self.key_line.look_at_lead()

    @on(Submitted)
    async def _submitted(self, message: Submitted) -> None:
        question = message.question
        if question.text.startswith("/"):
            await self.commands.slash(question.text)
        elif self.turns.state.editing is not None:
            await self.commands.desk.rounds.send_edited(question)
        else:
            self.tour.is_over = True
            await self.turns.submit(question)

    @on(LineTaken)
    async def _line_taken(self, message: LineTaken) -> None:
        await self.turns.submit(self.tour.lines[message.number].question)

    @on(SlashTyped)
    def _slash_typed(self, message: SlashTyped) -> None:
        self.query_one("#slash").display = bool(message.names)
        self.query_one("#slash", Static).update(self.commands.offer(message.names, message.at, self.size.height))

    @on(QueuedWanted)
    def _queued_wanted(self) -> None:
        """The message that waits goes back into the prompt."""
        if (latest := self.turns.unqueue()) is not None:
            self.prompt.fill(latest.text)
        self.redraw()

    @on(ReachedTop)
    def _reached_top(self) -> None:
        if self.bridge.is_ready:
            self.bridge.ask(self.turns.past.more, lambda _none: None, group="past")

    @on(EndSeen)
    def _end_seen(self) -> None:
        self.redraw()

    @on(TranscriptAction)
    async def _transcript_action(self, message: TranscriptAction) -> None:
        await self.commands.desk.rounds.act(message)

    @on(TurnAction)
    def _turn_action(self, message: TurnAction) -> None:
        self.commands.desk.rounds.act_on_turn(message.action)
