"""The activity pane: what machines and hands did, the runs of the memory agent, and what can be done about each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from gettext import gettext as _

from textual.app import App

from orca_core.domain.learning import Lesson, Run
from orca_core.domain.memories import Change, Operation
from orca_tui.app.bridge import Bridge
from orca_tui.app.memories import Memories
from orca_tui.app.messages import ActivityAction
from orca_tui.app.plain import plain
from orca_tui.app.screens.dialogs import TextView
from orca_tui.app.widgets.activity_list import ActivityList, activity_lines
from orca_tui.learning_phrases import lesson_text
from orca_tui.marks import Marks

SHOWN = 200

Happened = tuple[Sequence[tuple[Operation, Sequence[Change]]], Sequence[Run]]


class Activity:
    """Keeps the list up to date and carries out what is asked of its lines."""

    def __init__(
        self,
        app: App[int],
        bridge: Bridge,
        lines: ActivityList,
        memories: Memories,
        marks: Marks,
        note: Callable[[str], None],
    ) -> None:
        self._app = app
        self._bridge = bridge
        self._list = lines
        self._memories = memories
        self._marks = marks
        self._note = note

    def load(self) -> None:
        if self._bridge.is_ready:
            self._bridge.ask(self._happened, self._show, group="look activity")

    def act(self, action: ActivityAction) -> None:
        match action.action:
            case "open" if (run := action.run) is not None:
                self._bridge.ask(lambda: self._bridge.engine.lessons.show(run), self._open_run, group="look run")
            case "undo" if action.operation is not None:
                self._memories.undo(action.operation)
            case "redo":
                self._memories.redo()
            case "retry":
                self._bridge.ask(self._retry, self._retried)
            case _:
                self._note(_("there is nothing to take back in this line"))

    async def _happened(self) -> Happened:
        engine = self._bridge.engine
        return await engine.curate.activity(SHOWN), await engine.lessons.runs(SHOWN)

    def _show(self, happened: Happened) -> None:
        operations, runs = happened
        self._list.show(activity_lines(operations, runs, self._marks))

    def _open_run(self, lesson: Lesson) -> None:
        title = _("run {run}").format(run=lesson.run.id)
        self._app.push_screen(TextView(title, plain(lesson_text(lesson, self._marks))))

    async def _retry(self) -> int:
        """Try at once what failed or is parked, and read what waits."""
        engine = self._bridge.engine
        count = await engine.lessons.retry()
        await engine.learner.learn_now()
        return count

    def _retried(self, count: int) -> None:
        self._note(_("{count} batches tried again").format(count=count))
        self.load()
