"""Working on the current task of a chat: begun, gone on with step by step, ended; its calls, and their stars."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from gettext import gettext as _
from typing import ClassVar, TypeVar

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from orca_core.model.episodes import TaskEnded
from orca_core.model.feedback import ActionType
from orca_core.model.sessions import new_session_id
from orca_core.model.tasks import Outcome, Step, StepStatus, Task, TaskView
from orca_core.model.tools import StepCall
from orca_tui.app.bridge import Bridge
from orca_tui.app.chat.turns import Talk
from orca_tui.app.stage import Stage
from orca_tui.app.widgets.dialogs import AskLine, Choice, Pick, TextView
from orca_tui.app.widgets.key_line import KeyLine
from orca_tui.app.widgets.text import literal
from orca_tui.app.work.steps import CallLine, CallList
from orca_tui.language import N_
from orca_tui.marks import Marks
from orca_tui.words.feedback_words import why_no_act
from orca_tui.words.task_words import OUTCOME_WORDS, episode_note, plan_in, plan_text, standing_words, task_line
from orca_tui.words.tool_words import call_text

DONE_WORDS = {
    ActionType.COLLECT_TOOL: N_("{tool}: this call has a star · again takes it away"),
    ActionType.UNCOLLECT_TOOL: N_("{tool}: this call has no star any more"),
}


Calls = Sequence[StepCall]


class Starring:
    """What keys and a command do to the calls of a task."""

    def __init__(self, stage: Stage, bridge: Bridge, chat: Talk) -> None:
        self._stage = stage
        self._bridge = bridge
        self._chat = chat

    def turn(self, task: Task, each: StepCall, then: Callable[[], None] = lambda: None) -> None:
        """Give this call a star, or take it away."""
        wanted = ActionType.UNCOLLECT_TOOL if each.is_collected else ActionType.COLLECT_TOOL
        actions = self._bridge.orca.feedback.actions
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
        tools = self._bridge.orca.tools

        def found(calls: Calls) -> None:
            if those := meant(calls):
                self.turn(task.task, max(those, key=lambda each: each.call.id))
            else:
                self._stage.note(nothing)

        self._stage.ask(lambda: tools.calls_of_task(task.task.id), found)


def _made_by(step: Step | None, calls: Calls) -> Calls:
    return [each for each in calls if step is not None and each.step == step.number]


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
        orca, number = self._bridge.orca, self._number

        async def look() -> tuple[TaskView, list[StepCall]]:
            [task] = await orca.work.tasks.get([number])
            return task, await orca.tools.calls_of_task(number)

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


T = TypeVar("T")

DROPPED = "dropped"
PRIVATE = N_("nothing is kept in private, tasks neither: /private ends it")
NEXT = {
    StepStatus.PENDING: StepStatus.IN_PROGRESS,
    StepStatus.IN_PROGRESS: StepStatus.COMPLETED,
    StepStatus.FAILED: StepStatus.IN_PROGRESS,
}
"""What a step becomes by the key that goes on with it. One that is completed stays so."""
ENDINGS = {
    Outcome.SUCCESS.value: N_("it was achieved"),
    Outcome.PARTIAL.value: N_("a part of it was achieved"),
    Outcome.FAILED.value: N_("it was not achieved"),
    Outcome.UNKNOWN.value: N_("nobody knows how it ended"),
    DROPPED: N_("nothing is kept of it"),
}


class Working:
    """What commands and keys do to the current task."""

    def __init__(self, stage: Stage, bridge: Bridge, chat: Talk) -> None:
        self._stage = stage
        self._bridge = bridge
        self._chat = chat
        self._refused: dict[int, tuple[str, TaskView]] = {}
        """Plans that could not be carried out, by their tasks, each with the task that it was made of."""

    def begin(self, request: str) -> None:
        """Start a task in this chat; one that was begun before waits."""
        if self._chat.is_private:
            self._stage.note(_(PRIVATE))
            return
        if not self._bridge.is_ready:
            return
        if self._chat.session_id is None:
            self._chat.found(new_session_id(self._bridge.clock.now()))
        session_id = self._chat.session_id
        assert session_id is not None
        start = self._bridge.orca.work.tasks.start
        words = _("a task: /step TEXT adds a step, /done ends it")
        self._stage.ask(lambda: start(session_id, request), lambda _task: self._done(words))

    def ask_to_begin(self) -> None:
        self._stage.push(AskLine(_("What is to be done?")), lambda text: self.begin(text) if text else None)

    def add_step(self, description: str) -> None:
        """Add a step to the current task."""
        add = self._bridge.orca.work.tasks.add_step

        async def added(task: TaskView) -> TaskView:
            return await add(task.task.id, description)

        self._with_current(added, lambda task: self._done(_("step {number} added").format(number=len(task.steps))))

    def ask_to_add(self) -> None:
        self._stage.push(AskLine(_("The next step")), lambda text: self.add_step(text) if text else None)

    def go_on(self, task: TaskView, step: Step) -> None:
        """A step goes on: begun, then completed."""
        wanted = NEXT.get(step.status)
        if wanted is None:
            self._stage.note(_("this step is completed; u takes the last change back"))
        else:
            self._set(task, step, wanted)

    def fail(self, task: TaskView, step: Step) -> None:
        self._set(task, step, StepStatus.FAILED)

    def edit(self, task: TaskView, step: Step) -> None:
        """Say a step in other words."""
        update = self._bridge.orca.work.tasks.update_step

        def save(text: str | None) -> None:
            if text and text != step.description:
                self._stage.ask(
                    lambda: update(task.task.id, step.number, description=text), lambda _task: self._done("")
                )

        self._stage.push(AskLine(_("Step {number}").format(number=step.number), step.description), save)

    def edit_plan(self, task: TaskView) -> None:
        """All steps at once, in the user's editor. What was refused is there again the next time; left as it is then,
        it is given up."""
        if self._chat.is_private:
            self._stage.note(_(PRIVATE))
            return
        number = task.task.id
        before, seen = self._refused.pop(number, (plan_text(task), task))
        after = self._stage.edit(before)
        if after is None or not after.strip() or after == before:
            return
        self._refused[number] = (after, seen)
        plan = self._bridge.orca.work.tasks.plan

        async def save() -> TaskView:
            return await plan(number, plan_in(after, seen), [step.number for step in seen.steps])

        def saved(view: TaskView) -> None:
            del self._refused[number]
            self._done(_("nothing was changed") if view.operation is None else _("the steps are changed"))

        self._stage.ask(save, saved)

    def end(self, outcome: str, summary: str) -> None:
        """End the current task; its episode says how."""
        complete = self._bridge.orca.work.tasks.complete

        async def ended(task: TaskView) -> TaskEnded:
            return await complete(task.task.id, outcome, summary)

        def say(over: TaskEnded) -> None:
            words = _("ended: {outcome}").format(outcome=_(OUTCOME_WORDS[over.task.task.outcome or Outcome.UNKNOWN]))
            self._done(f"{words} · {episode_note(over.episode)}" if over.episode else words, anew=True)

        self._with_current(ended, say)

    def ask_to_end(self) -> None:
        """How it ended, and a few words about it."""
        names = {**{each.value: words for each, words in OUTCOME_WORDS.items()}, DROPPED: N_("dropped")}
        choices = [Choice(_(names[value]), value, _(words)) for value, words in ENDINGS.items()]

        def chosen(outcome: str | None) -> None:
            if outcome == DROPPED:
                self._drop()
            elif outcome is not None:
                question = AskLine(_("How did it end? A few words, or enter."))
                self._stage.push(question, lambda words: self.end(outcome, words) if words is not None else None)

        self._stage.push(Pick(_("End the task"), choices, hint=_("enter chooses · esc leaves it as it is")), chosen)

    def _drop(self) -> None:
        drop = self._bridge.orca.work.tasks.drop

        async def dropped(task: TaskView) -> TaskView:
            return await drop(task.task.id)

        self._with_current(dropped, lambda _task: self._done(_("dropped; u in the list takes it back")))

    def _set(self, task: TaskView, step: Step, status: StepStatus) -> None:
        update = self._bridge.orca.work.tasks.update_step
        self._stage.ask(lambda: update(task.task.id, step.number, status=status.value), lambda _task: self._done(""))

    def with_current(self, then: Callable[[TaskView], None]) -> None:
        """Hand on the current task of the chat, as it is by now."""

        async def itself(task: TaskView) -> TaskView:
            return task

        self._with_current(itself, then)

    def _with_current(self, work: Callable[[TaskView], Awaitable[T]], then: Callable[[T], None]) -> None:
        """Work on the current task of the chat, as it is by now."""
        session_id = self._chat.session_id
        nothing = _("no task is in progress in this chat: /task TEXT starts one")
        if session_id is None or not self._bridge.is_ready:
            self._stage.note(nothing)
            return

        async def look() -> T | None:
            task = await self._bridge.orca.work.tasks.current(session_id)
            return None if task is None else await work(task)

        self._stage.ask(look, lambda came: then(came) if came is not None else self._stage.note(nothing))

    def _done(self, words: str, *, anew: bool = False) -> None:
        if words:
            self._stage.note(words)
        self._stage.changed(anew=anew)
