"""A task in full: its steps, the calls of tools that they made, and a star on each that was good."""

from __future__ import annotations

from gettext import gettext as _
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from orca_core.model.tasks import TaskView
from orca_core.model.tools import StepCall
from orca_tui.app.bridge import Bridge
from orca_tui.app.widgets.dialogs import TextView
from orca_tui.app.widgets.key_line import KeyLine
from orca_tui.app.widgets.literal import literal
from orca_tui.app.work.call_list import CallLine, CallList
from orca_tui.app.work.starring import Starring
from orca_tui.marks import Marks
from orca_tui.words.task_words import standing_words, task_line
from orca_tui.words.tool_words import call_text


class TaskScreen(ModalScreen[None]):
    """Looks at a task by its number; escape leads back."""

    BINDINGS: ClassVar[list[Binding | tuple[str, str] | tuple[str, str, str]]] = [("escape,q", "dismiss(None)", "")]

    def __init__(self, bridge: Bridge, starring: Starring, number: int, marks: Marks) -> None:
        super().__init__()
        self._bridge = bridge
        self._starring = starring
        self._number = number
        self._marks = marks
        self._view: TaskView | None = None

    def compose(self) -> ComposeResult:
        with Vertical(classes="reader"):
            yield Static("", id="task-title", classes="reader-title")
            yield CallList(self._marks, self._act)
            yield KeyLine()

    def on_mount(self) -> None:
        self.query_one(CallList).focus()
        self._load()

    def _load(self) -> None:
        engine, number = self._bridge.engine, self._number

        async def look() -> tuple[TaskView, list[StepCall]]:
            [task] = await engine.work.tasks.get([number])
            return task, await engine.tools.calls_of_task(number)

        self._bridge.ask(look, lambda found: self._show(*found), group="look calls")

    def _show(self, task: TaskView, calls: list[StepCall]) -> None:
        self._view = task
        words = literal(task_line(task), "bold") + literal(f"  {standing_words(task)}", "$foreground-muted")
        self.query_one("#task-title", Static).update(words)
        self.query_one(CallList).show(task.steps, calls)

    def _act(self, action: str, line: CallLine) -> None:
        if line.made is None:
            self.query_one(KeyLine).note(_("this is a step; below it stand the calls that it made"))
        elif action == "star" and self._view is not None:
            self._starring.turn(self._view.task, line.made, self._load)
        elif action == "open":
            self.app.push_screen(TextView(line.made.call.tool, literal(call_text(line.made.call))))
