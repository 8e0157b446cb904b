"""The activity pane: what machines and hands did, the runs of the memory agent, and what can be done about each."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from gettext import gettext as _

from textual.content import Content

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
from orca_core.model.learning import Lesson, Run
from orca_core.model.memories import Memory
from orca_core.model.operations import Change, Operation
from orca_core.model.recall import Level
from orca_core.model.records import Ref, memory_ref
from orca_tui.app.bridge import Bridge
from orca_tui.app.memory.activity_list import ActivityLine, ActivityList, activity_lines
from orca_tui.app.memory.messages import ActivityAction
from orca_tui.app.records.lookup import left_of
from orca_tui.app.records.undoing import Undoing
from orca_tui.app.stage import Stage
from orca_tui.app.widgets.literal import literal
from orca_tui.language import counted
from orca_tui.marks import Marks
from orca_tui.words.health_words import level_fall
from orca_tui.words.history_words import merged_into, operation_text, quiet_runs
from orca_tui.words.learning_words import lesson_text, span_of
from orca_tui.words.turn_words import lookup_phrase

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
                self._stage.ask(lambda: self._bridge.engine.runs.show(run), self._open_run, group="look run")
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
        engine = self._bridge.engine
        operations = await engine.history.activity(SHOWN)
        kept = [left for each in operations if (left := merged_into(*each)) is not None]
        return operations, await engine.runs.runs(SHOWN), await left_of(engine.memories.get, kept)

    def _show(self, happened: Happened) -> None:
        self._happened_last = happened
        operations, runs, kept = happened
        if self._running is not None:  # it stands above the list, with its clock
            runs = [run for run in runs if run.id != self._running.run]
        self._operations = {operation.id: (operation, changes) for operation, changes in operations}
        self._contents = {memory_ref(memory.id): memory.content for memory in kept}
        quiet = [] if self.shows_all else quiet_runs(runs)
        self._list.show(activity_lines(operations, runs, self._passing, self._marks, self._contents, quiet=quiet))

    def _open_run(self, lesson: Lesson) -> None:
        title = _("run {run}").format(run=lesson.run.id)
        self._read(title, literal(lesson_text(lesson, self._marks)))

    def _open_operation(self, operation: Operation, changes: Sequence[Change]) -> None:
        from orca_tui.app.memory.memory_details import operation_content

        title = operation_text(operation, changes, self._marks, self._contents)
        self._read(title, operation_content(operation, changes, self._marks))

    def _read(self, title: str, body: Content) -> None:
        from orca_tui.app.widgets.dialogs import TextView

        self._stage.push(TextView(title, body))

    async def _retry(self) -> int:
        """Try at once what failed or is parked, and read what waits."""
        engine = self._bridge.engine
        count = await engine.runs.retry()
        await engine.worker.learn_now()
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
