"""A star on a call of a tool: given, taken away. Each is an act."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from gettext import gettext as _

from orca_core.model.feedback import ActionType
from orca_core.model.tasks import Step, Task, TaskView
from orca_core.model.tools import StepCall
from orca_tui.app.bridge import Bridge
from orca_tui.app.stage import Stage
from orca_tui.app.work.chat_of_work import ChatOfWork
from orca_tui.language import N_
from orca_tui.words.act_words import why_no_act

DONE_WORDS = {
    ActionType.COLLECT_TOOL: N_("{tool}: this call has a star · again takes it away"),
    ActionType.UNCOLLECT_TOOL: N_("{tool}: this call has no star any more"),
}


Calls = Sequence[StepCall]


class Starring:
    """What keys and a command do to the calls of a task."""

    def __init__(self, stage: Stage, bridge: Bridge, chat: ChatOfWork) -> None:
        self._stage = stage
        self._bridge = bridge
        self._chat = chat

    def turn(self, task: Task, each: StepCall, then: Callable[[], None] = lambda: None) -> None:
        """Give this call a star, or take it away."""
        wanted = ActionType.UNCOLLECT_TOOL if each.is_collected else ActionType.COLLECT_TOOL
        actions = self._bridge.engine.feedback.actions
        if why := why_no_act(wanted, is_private=self._chat.is_private, is_on=actions.is_on):
            self._stage.note(why)
            return

        def turned(_recorded: object) -> None:
            self._stage.note(_(DONE_WORDS[wanted]).format(tool=each.call.tool))
            self._stage.changed()
            then()

        self._stage.ask(
            lambda: actions.record(wanted.value, task.session_id, task=task.id, tool=each.call.tool, call=each.name),
            turned,
        )

    def turn_of_step(self, task: TaskView, step: Step) -> None:
        """The latest call of a step."""
        self._turn_latest(task, lambda calls: _made_by(step, calls), _("this step called no tool"))

    def turn_latest(self, task: TaskView, step: Step | None) -> None:
        """The latest call of this step; where it made none, that of the task."""
        nothing = _("no step of this task called a tool")
        self._turn_latest(task, lambda calls: _made_by(step, calls) or calls, nothing)

    def _turn_latest(self, task: TaskView, meant: Callable[[Calls], Calls], nothing: str) -> None:
        tools = self._bridge.engine.tools

        def found(calls: Calls) -> None:
            if those := meant(calls):
                self.turn(task.task, max(those, key=lambda each: each.call.id))
            else:
                self._stage.note(nothing)

        self._stage.ask(lambda: tools.calls_of_task(task.task.id), found)


def _made_by(step: Step | None, calls: Calls) -> Calls:
    return [each for each in calls if step is not None and each.step == step.number]
