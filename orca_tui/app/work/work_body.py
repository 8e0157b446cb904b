"""What the pane of work holds: the task of the chat with its steps, and below it what was done before."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from datetime import datetime
from gettext import gettext as _
from typing import Any

from rich.cells import cell_len
from textual import events, on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from orca_core.model.events import Consolidated, EpisodesRead, GuideMade
from orca_core.model.tasks import Step, TaskStatus, TaskView
from orca_core.rules.text.cleaning import one_line
from orca_tui.app.bridge import Bridge, ChangedBehind, TurnEnded
from orca_tui.app.chat.chat_state import ChatState
from orca_tui.app.chat.turns import Talk
from orca_tui.app.pane import Happening, Pane
from orca_tui.app.records.kind import RecordKind
from orca_tui.app.records.shelf import Shelf, Undoing
from orca_tui.app.stage import Stage
from orca_tui.app.widgets.text import SteadyText, fitted, literal
from orca_tui.app.work.steps import OtherTab, StepAction, StepList
from orca_tui.app.work.work_kinds import EpisodeKind, GuideKind, Kinds, KnowledgeKind, WorkList
from orca_tui.app.work.working import Starring, TaskScreen, Working
from orca_tui.language import counted
from orca_tui.marks import Marks
from orca_tui.times import clock_time, day_words
from orca_tui.words.task_words import progress_words

GAP = 2


class Tabs(SteadyText):
    """Drawn by whoever knows the lists; a click chooses one."""

    class Chosen(Message):
        """A tab was clicked."""

        def __init__(self, number: int) -> None:
            super().__init__()
            self.number = number

    def __init__(self, marks: Marks) -> None:
        super().__init__(id="work-tabs")
        self._marks = marks
        self._ends: list[int] = []
        self._shelves: Sequence[Shelf] = ()
        self._open: Shelf | None = None

    def show(self, shelves: Sequence[Shelf], shelf: Shelf) -> None:
        """The lists by their names, the open one with its figures."""
        self._shelves, self._open = shelves, shelf
        self._draw()

    def on_resize(self) -> None:
        self._draw()

    def on_click(self, event: events.Click) -> None:
        number = next((at for at, end in enumerate(self._ends) if event.x < end), None)
        if number is not None:
            self.post_message(self.Chosen(number))

    def _draw(self) -> None:
        if self._open is None:
            return
        content, self._ends, at = literal(""), [], 0
        for each in self._shelves:
            name = _(each.rows.listing.title)
            words = name if each is self._open else f"{name} {each.rows.count}"
            content += literal(words, "bold" if each is self._open else "$foreground-muted") + " " * GAP
            at += cell_len(words) + GAP
            self._ends.append(at)
        room = max(0, self.size.width - at - 2)
        figures = self._open.figures()
        if cell_len(figures) > room:
            figures = fitted(self._open.figures(is_short=True), room, self._marks).rstrip()
        pad = " " * (room - cell_len(figures))
        self.say(content + literal(pad + figures, "$foreground-muted"))


REQUEST_CHARS = 160


class WorkBody(Vertical):
    """What is worked on, and what was, in the chat that it belongs to."""

    def __init__(self, stage: Stage, bridge: Bridge, marks: Marks, chat: Talk) -> None:
        super().__init__()
        self.stage = stage
        self.bridge = bridge
        self.marks = marks
        self.current_task: TaskView | None = None
        self._session: str | None = None
        self._undoing = Undoing(stage, bridge)
        self.steps = StepList(marks)
        self.working = Working(stage, bridge, chat)
        """What is done to the task."""
        self.starring = Starring(stage, bridge, chat)
        """What is done to its calls."""
        self.kinds: Kinds = {}
        """What its lists hold, for whoever opens one by its name."""
        self.shelves = (
            self._shelf(EpisodeKind(stage, bridge, marks, self.kinds, self._show_task)),
            self._shelf(KnowledgeKind(stage, bridge, marks, self.kinds)),
            self._shelf(GuideKind(stage, bridge, marks, self.kinds)),
        )
        self.shelf = self.shelves[0]
        working, undoing = self.working, self._undoing
        self._of_all: Mapping[str, Callable[[], None]] = {
            "add": working.ask_to_add,
            "end": working.ask_to_end,
            "new": working.ask_to_begin,
            "undo": undoing.undo,
            "redo": undoing.redo,
        }
        self._of_tasks: Mapping[str, Callable[[TaskView], None]] = {
            "plan": working.edit_plan,
            "open": lambda task: self._show_task(task.task.id),
        }
        self._of_steps: Mapping[str, Callable[[TaskView, Step], None]] = {
            "turn": working.go_on,
            "fail": working.fail,
            "edit": working.edit,
            "star": self.starring.turn_of_step,
        }

    def compose(self) -> ComposeResult:
        yield Static("", id="task-head")
        yield self.steps
        yield Tabs(self.marks)
        yield from self.shelves

    def _shelf(self, kind: RecordKind[Any, Any]) -> Shelf:
        return Shelf(self.stage, self.bridge, WorkList(kind, self.marks), kind, self.marks)

    def _show_task(self, number: int) -> None:
        """A task with the calls of its steps."""
        self.stage.push(TaskScreen(self.bridge, self.starring, number, self.marks))

    def on_mount(self) -> None:
        self.steps.display = False
        self._open(self.shelf)

    @property
    def stop(self) -> Widget:
        """The checklist, where a task has one; else what was done before."""
        return self.steps if self.steps.display else self.shelf.rows

    @property
    def stops(self) -> tuple[Widget, ...]:
        return (self.steps, self.shelf.rows) if self.steps.display else (self.shelf.rows,)

    # What happens

    def draw(self, state: ChatState) -> None:
        session = None if state.is_private else state.session_id
        if session != self._session:
            self._session = session
            self._load()

    def take(self, event: Happening) -> None:
        match event:
            case TurnEnded():
                self._load()
                for shelf in self.shelves:
                    shelf.rows.show_changes({})
                    shelf.turn_ended(shelf.rows.ids)
            case EpisodesRead() | Consolidated() | GuideMade() if event.state != "running":
                self._learnt(event)
            case ChangedBehind():
                self._load()
                for shelf in self.shelves:
                    shelf.changed_behind()

    def _learnt(self, event: EpisodesRead | Consolidated | GuideMade) -> None:
        """What has just been learnt says so until the next turn ends."""
        episodes, knowledge, guides = self.shelves
        if isinstance(event, EpisodesRead):
            episodes.rows.show_new(event.made)
            episodes.rows.ask_again()
        elif isinstance(event, GuideMade):
            guides.rows.show_new([event.guide] if event.guide is not None else ())
            guides.rows.ask_again()
        else:
            knowledge.rows.show_new([event.knowledge] if event.knowledge is not None else ())
            for shelf in (episodes, knowledge):
                shelf.rows.ask_again()

    def look(self, *, anew: bool) -> None:
        self._load()
        if anew:
            for shelf in self.shelves:
                shelf.rows.ask_again()

    def _load(self) -> None:
        session = self._session
        if session is None or not self.bridge.is_ready:
            self._show(None, 0, frozenset())
            return
        orca, tasks = self.bridge.orca, self.bridge.orca.work.tasks

        async def look() -> tuple[TaskView | None, int, Set[int]]:
            waiting = await tasks.page(TaskStatus.IN_PROGRESS.value, session_id=session, limit=0)
            task = await tasks.current(session)
            calls = await orca.tools.calls_of_task(task.task.id) if task is not None else []
            return task, waiting.total, {each.step for each in calls if each.is_collected}

        self.stage.ask(look, lambda found: self._show(*found), group="look task")

    def _show(self, task: TaskView | None, in_progress: int, starred: Set[int]) -> None:
        is_another = (self.current_task and self.current_task.task.id) != (task and task.task.id)
        self.current_task = task
        head = literal(_("Nothing is worked on here. /task TEXT starts a task."), "$foreground-muted")
        if task is not None:
            head = task_head(task, in_progress - 1, self.bridge.clock.now(), self.marks)
            self.steps.show(task, starred)
            if is_another or not self.steps.has_focus:
                self.steps.stand_at(task.current_step)
        self.query_one("#task-head", Static).update(head)
        had_focus = self.steps.has_focus
        self.steps.display = task is not None
        if had_focus and task is None:
            self.shelf.rows.focus()

    # What the keys do

    @on(Shelf.Told)
    def _tell(self) -> None:
        """How many there are, which of them, how many are marked; and what escape does about it."""
        self.query_one(Tabs).show(self.shelves, self.shelf)
        self.post_message(Pane.Told())

    @on(OtherTab)
    def _other_tab(self, message: OtherTab) -> None:
        at = self.shelves.index(self.shelf) + message.step
        self._open(self.shelves[at % len(self.shelves)])
        self.shelf.rows.focus()

    @on(Tabs.Chosen)
    def _tab_chosen(self, message: Tabs.Chosen) -> None:
        self._open(self.shelves[message.number])
        self.shelf.rows.focus()

    def _open(self, shelf: Shelf) -> None:
        self.shelf = shelf
        for each in self.shelves:
            each.display = each is shelf
        self._tell()

    @on(StepAction)
    def _act(self, message: StepAction) -> None:
        if not self.bridge.is_ready:
            return
        task, step, action = self.current_task, message.step, message.action
        if action in self._of_all:
            self._of_all[action]()
        elif task is not None and step is not None and action in self._of_steps:
            self._of_steps[action](task, step)
        elif task is not None and action in self._of_tasks:
            self._of_tasks[action](task)


def task_head(task: TaskView, waiting: int, now: datetime, marks: Marks) -> Content:
    """What is asked for, how far it is, since when."""
    began = task.task.started_at
    is_today = began.astimezone().date() == now.astimezone().date()
    since = clock_time(began) if is_today else day_words(began, now)
    words = [progress_words(task), _("since {when}").format(when=since), task.task.target, " ".join(task.task.tags)]
    if task.is_idle:
        words.append(_("untouched for two weeks"))
    if waiting:
        words.append(counted("{count} more waits", "{count} more wait", waiting))
    line = f" {marks.dot} ".join(word for word in words if word)
    return literal(one_line(task.task.request, REQUEST_CHARS), "bold") + "\n" + literal(line, "$foreground-muted")
