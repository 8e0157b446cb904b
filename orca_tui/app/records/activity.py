"""The activity pane: what machines and hands did, the runs of the memory agent, and what can be done about each."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from gettext import gettext as _

from msgspec import Struct
from rich.segment import Segment
from textual import on
from textual.app import ComposeResult
from textual.content import Content
from textual.message import Message

from orca_core.model.events import (
    ActsRead,
    Consolidated,
    EpisodesRead,
    Event,
    Extraction,
    GuideMade,
    LevelChanged,
    LookedUp,
)
from orca_core.model.learning import Run, RunState, RunView
from orca_core.model.memories import Memory
from orca_core.model.operations import Actor, Change, Operation
from orca_core.model.recall import Level
from orca_core.model.record_types import Ref, memory_ref
from orca_tui.app.bridge import Bridge, ChangedBehind, TurnEnded
from orca_tui.app.keymap import Key, bindings
from orca_tui.app.pane import About, Happening, Pane
from orca_tui.app.records.kind import left_of
from orca_tui.app.records.shelf import Undoing
from orca_tui.app.stage import Stage
from orca_tui.app.widgets.line_list import LineList
from orca_tui.app.widgets.text import SteadyText, fitted, literal
from orca_tui.language import N_, counted
from orca_tui.marks import Marks
from orca_tui.times import clock_time
from orca_tui.words.health_words import level_fall
from orca_tui.words.history_words import merged_into, operation_text, quiet_runs, quiet_words, when
from orca_tui.words.learning_words import lesson_text, run_words, span_of
from orca_tui.words.turn_words import lookup_phrase


@dataclass
class ActivityAction(Message):
    """Something is to be done about a line of the activity: an operation, or a run."""

    action: str
    operation: int | None
    run: int | None
    text: str = ""


ACTIVITY = (
    Key("activity.down", "j,down", "cursor(1)", N_("down")),
    Key("activity.up", "k,up", "cursor(-1)", N_("up")),
    Key("activity.open", "enter", "act('open')", N_("detail"), is_shown=True),
    Key("activity.undo", "u", "act('undo')", N_("undo"), is_shown=True),
    Key("activity.redo", "U", "act('redo')", N_("redo")),
    Key("activity.all", "a", "act('all')", N_("all runs")),
    Key("activity.retry", "r", "act('retry')", N_("retry now"), is_shown=True),
)


class ActivityLine(Struct, frozen=True):
    """One thing that happened. `is_machine` where no hand did it; `is_fold` where it stands for the runs that found
    nothing."""

    at: datetime
    text: str
    operation: int | None = None
    run: int | None = None
    is_machine: bool = True
    is_bad: bool = False
    is_fold: bool = False


class ActivityList(LineList):
    """Lines of what happened."""

    BINDINGS = bindings(ACTIVITY)

    def __init__(self, marks: Marks) -> None:
        super().__init__(id="activity-list")
        self._marks = marks
        self._lines: list[ActivityLine] | None = None
        """None until it was read what happened."""

    def show(self, lines: Sequence[ActivityLine]) -> None:
        self._lines = list(lines)
        self.set_count(len(self._lines))

    def row(self, number: int, width: int) -> list[Segment]:
        assert self._lines is not None
        line = self._lines[number]
        styles = self.styles_of_rows
        time = f" {clock_time(line.at)}  "
        style = styles.warning if line.is_bad else styles.text if line.is_machine and not line.is_fold else styles.muted
        return [Segment(time, styles.muted), Segment(fitted(line.text, width - len(time), self._marks), style)]

    def empty_row(self) -> str:
        return "" if self._lines is None else _("Every change that a machine makes will leave a line here.")

    def chosen(self) -> None:
        self.action_act("open")

    def action_act(self, action: str) -> None:
        line = self._lines[self.cursor] if self._lines else None
        if action in ("redo", "all") or (line is not None and line.is_fold and action == "open"):
            self.post_message(ActivityAction("redo" if action == "redo" else "all", None, None))
        elif line is not None:
            self.post_message(ActivityAction(action, line.operation, line.run, line.text))


def activity_lines(
    operations: Sequence[tuple[Operation, Sequence[Change]]],
    runs: Sequence[Run],
    passing: Sequence[ActivityLine],
    marks: Marks,
    contents: Mapping[Ref, str],
    *,
    quiet: Sequence[Run] = (),
) -> list[ActivityLine]:
    """Operations, runs and what is `passing` in one list, newest first; a run stands for its own operation. `contents`
    are those of the memories that merges left; one line stands for the `quiet` runs."""
    own = {run.operation for run in runs if run.operation is not None}
    lines = [
        ActivityLine(
            operation.header.at,
            operation_text(operation, changes, marks, contents),
            operation=operation.id,
            is_machine=operation.header.actor is not Actor.USER,
        )
        for operation, changes in operations
        if operation.id not in own
    ]
    folded = {run.id for run in quiet}
    lines += [
        ActivityLine(
            when(run),
            run_words(run, marks),
            operation=run.operation,
            run=run.id,
            is_bad=run.state in (RunState.FAILED, RunState.UNREADABLE),
        )
        for run in runs
        if run.id not in folded
    ]
    if quiet:
        lines.append(ActivityLine(when(quiet[0]), quiet_words(len(quiet)), is_fold=True))
    return sorted([*lines, *passing], key=lambda line: line.at, reverse=True)


SHOWN = 200

Reading = Extraction | EpisodesRead | ActsRead | Consolidated | GuideMade
"""A run of the memory agent that tells how it goes."""

Happened = tuple[Sequence[tuple[Operation, Sequence[Change]]], Sequence[Run], Sequence[Memory]]


class Activity:
    """Keeps the list up to date and carries out what is asked of its lines."""

    def __init__(
        self,
        stage: Stage,
        bridge: Bridge,
        lines: ActivityList,
        marks: Marks,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._stage = stage
        self._clock = clock
        self._bridge = bridge
        self._list = lines
        self._undoing = Undoing(stage, bridge)
        self._marks = marks
        self._passing: list[ActivityLine] = []
        self._operations: dict[int, tuple[Operation, Sequence[Change]]] = {}
        self._contents: dict[Ref, str] = {}
        self._running: Reading | None = None
        self._since = 0.0
        self._happened_last: Happened | None = None
        self.shows_all = False
        """Whether each run that found nothing has a line of its own."""

    @property
    def is_learning(self) -> bool:
        return self._running is not None

    def learning_words(self) -> str:
        """The run that is under way, and for how long; empty where none is."""
        if self._running is None:
            return ""
        return f"{_what_is_read(self._running)} {self._marks.ellipsis} {self._clock() - self._since:.0f} s"

    def take(self, event: Event) -> None:
        """Lines that the history does not keep: a level that changed, what the model looked up, a run that is under
        way."""
        match event:
            case Extraction() | EpisodesRead() | ActsRead() | Consolidated() | GuideMade() if event.state == "running":
                if self._running is None or self._running.run != event.run:
                    self._since = self._clock()
                self._running = event
            case Extraction() | EpisodesRead() | ActsRead() | Consolidated() | GuideMade():
                self._running = None
            case LevelChanged(level, cause):
                fell = level is not Level.FULL
                self._passing.append(ActivityLine(self._bridge.clock.now(), level_fall(level, cause), is_bad=fell))
            case LookedUp(lookup):
                words, is_bad = lookup_phrase(lookup, self._marks), lookup.failed is not None
                self._passing.append(ActivityLine(self._bridge.clock.now(), words, is_bad=is_bad))

    def load(self) -> None:
        if self._bridge.is_ready:
            self._stage.ask(self._happened, self._show, group="look activity")

    def act(self, action: ActivityAction) -> None:
        match action.action:
            case "all":
                self.show_all(not self.shows_all)
            case "open" if (run := action.run) is not None:
                self._stage.ask(lambda: self._bridge.orca.runs.show(run), self._open_run, group="look run")
            case "open" if action.operation in self._operations:
                self._open_operation(*self._operations[action.operation])
            case "open":
                self._read(_("Activity"), literal(action.text))
            case "undo" if action.operation is not None:
                self._undoing.undo(action.operation)
            case "redo":
                self._undoing.redo()
            case "retry":
                self._stage.ask(self._retry, self._retried)
            case "undo":
                self._stage.note(_("there is nothing to take back in this line"))

    def show_all(self, shows_all: bool) -> None:
        """Give each run that found nothing its line, or all of them one."""
        self.shows_all = shows_all
        if self._happened_last is not None:
            self._show(self._happened_last)

    async def _happened(self) -> Happened:
        orca = self._bridge.orca
        operations = await orca.history.activity(SHOWN)
        kept = [left for each in operations if (left := merged_into(*each)) is not None]
        return operations, await orca.runs.runs(SHOWN), await left_of(orca.memories.get, kept)

    def _show(self, happened: Happened) -> None:
        self._happened_last = happened
        operations, runs, kept = happened
        if self._running is not None:  # it stands above the list, with its clock
            runs = [run for run in runs if run.id != self._running.run]
        self._operations = {operation.id: (operation, changes) for operation, changes in operations}
        self._contents = {memory_ref(memory.id): memory.content for memory in kept}
        quiet = [] if self.shows_all else quiet_runs(runs)
        self._list.show(activity_lines(operations, runs, self._passing, self._marks, self._contents, quiet=quiet))

    def _open_run(self, lesson: RunView) -> None:
        title = _("run {run}").format(run=lesson.run.id)
        self._read(title, literal(lesson_text(lesson, self._marks)))

    def _open_operation(self, operation: Operation, changes: Sequence[Change]) -> None:
        from orca_tui.app.records.details import operation_content

        title = operation_text(operation, changes, self._marks, self._contents)
        self._read(title, operation_content(operation, changes, self._marks))

    def _read(self, title: str, body: Content) -> None:
        from orca_tui.app.widgets.dialogs import TextView

        self._stage.push(TextView(title, body))

    async def _retry(self) -> int:
        """Try at once what failed or is parked, and read what waits."""
        orca = self._bridge.orca
        count = await orca.runs.retry()
        await orca.worker.learn_now()
        return count

    def _retried(self, count: int) -> None:
        self._stage.note(counted("{count} batch tried again", "{count} batches tried again", count))
        self.load()


def _what_is_read(event: Reading) -> str:
    """Which rounds, or the episodes on which target, and what for."""
    if isinstance(event, Consolidated):
        return f"{event.target}  {counted('reads {count} episode', 'reads {count} episodes', len(event.episodes))}"
    if isinstance(event, ActsRead):
        words = counted("reads {count} act", "reads {count} acts", len(event.acts))
        return words if event.candidate is None else f"#{event.candidate}  {words}"
    if isinstance(event, GuideMade):
        return f"{event.tool}  {counted('reads {count} call', 'reads {count} calls', event.calls)}"
    words = _("reading for episodes") if isinstance(event, EpisodesRead) else _("reading")
    return f"{span_of(event.rounds)}  {words}" if event.rounds else words


class ActivityPane(Pane):
    """What happened, newest first, and above it the run that is under way."""

    about = About("activity", N_("Activity"), N_("activity"), "f4", ACTIVITY, stop="#activity-list", share=2)

    def compose_body(self) -> ComposeResult:
        yield SteadyText(id="learning")
        yield ActivityList(self.marks)

    def on_mount(self) -> None:
        self.query_one("#learning").display = False
        self.activity = Activity(self.stage, self.bridge, self.query_one(ActivityList), self.marks)

    def take(self, event: Happening) -> None:
        if not isinstance(event, TurnEnded | ChangedBehind):
            self.activity.take(event)
            self._show_learning()

    def look(self, *, anew: bool) -> None:  # noqa: ARG002  # every change leaves a line here
        self.activity.load()

    @property
    def word_of_escape(self) -> str:
        return _("fold") if self.activity.shows_all else ""

    def step_back(self) -> bool:
        if not self.activity.shows_all:
            return False
        self.activity.show_all(False)
        return True

    def tick(self) -> None:
        """The digits that move by themselves: how long a run has been going."""
        if self.activity.is_learning:
            self._show_learning()

    @on(ActivityAction)
    def _act(self, message: ActivityAction) -> None:
        if self.bridge.is_ready:
            self.activity.act(message)
            self.post_message(self.Told())

    def _show_learning(self) -> None:
        words = self.activity.learning_words()
        learning = self.query_one("#learning", SteadyText)
        learning.display = bool(words)
        learning.say(literal(f" {words}", "$foreground-muted"))
