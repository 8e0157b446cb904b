"""Working on the current task of a chat: begun, gone on with step by step, ended."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from gettext import gettext as _
from typing import TypeVar

from orca_core.model.episodes import TaskEnded
from orca_core.model.sessions import new_session_id
from orca_core.model.tasks import Outcome, Step, StepStatus, TaskView
from orca_tui.app.bridge import Bridge
from orca_tui.app.stage import Stage
from orca_tui.app.widgets.dialogs import AskLine, Choice, Pick
from orca_tui.app.work.chat_of_work import ChatOfWork
from orca_tui.language import N_
from orca_tui.words.task_words import OUTCOME_WORDS, episode_note, plan_in, plan_text

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

    def __init__(self, stage: Stage, bridge: Bridge, chat: ChatOfWork) -> None:
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
        start = self._bridge.engine.work.tasks.start
        words = _("a task: /step TEXT adds a step, /done ends it")
        self._stage.ask(lambda: start(session_id, request), lambda _task: self._done(words))

    def ask_to_begin(self) -> None:
        self._stage.push(AskLine(_("What is to be done?")), lambda text: self.begin(text) if text else None)

    def add_step(self, description: str) -> None:
        """Add a step to the current task."""
        add = self._bridge.engine.work.tasks.add_step

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
        update = self._bridge.engine.work.tasks.update_step

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
        plan = self._bridge.engine.work.tasks.plan

        async def save() -> TaskView:
            return await plan(number, plan_in(after, seen), [step.number for step in seen.steps])

        def saved(view: TaskView) -> None:
            del self._refused[number]
            self._done(_("nothing was changed") if view.operation is None else _("the steps are changed"))

        self._stage.ask(save, saved)

    def end(self, outcome: str, summary: str) -> None:
        """End the current task; its episode says how."""
        complete = self._bridge.engine.work.tasks.complete

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
        drop = self._bridge.engine.work.tasks.drop

        async def dropped(task: TaskView) -> TaskView:
            return await drop(task.task.id)

        self._with_current(dropped, lambda _task: self._done(_("dropped; u in the list takes it back")))

    def _set(self, task: TaskView, step: Step, status: StepStatus) -> None:
        update = self._bridge.engine.work.tasks.update_step
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
            task = await self._bridge.engine.work.tasks.current(session_id)
            return None if task is None else await work(task)

        self._stage.ask(look, lambda came: then(came) if came is not None else self._stage.note(nothing))

    def _done(self, words: str, *, anew: bool = False) -> None:
        if words:
            self._stage.note(words)
        self._stage.changed(anew=anew)
