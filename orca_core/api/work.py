"""Work: what is being done, what was done, and what it taught."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from orca_core.api.records import WorkRecords
from orca_core.model.work.episodes import Episode
from orca_core.model.work.knowledge import Knowledge

if TYPE_CHECKING:
    from orca_core.model.events import Consolidated, EpisodesRead
    from orca_core.model.journal import RecordsChanged
    from orca_core.model.learning import Wanted
    from orca_core.model.refs import Ref
    from orca_core.model.work.consolidating import TargetCount, TargetRenamed
    from orca_core.model.work.contexts import Context, Message
    from orca_core.model.work.endings import TaskEnded
    from orca_core.model.work.records import WorkFound
    from orca_core.model.work.tasks import TaskPage, TaskView, WantedStep
    from orca_core.model.work.views import EpisodeView, FadeReport, KnowledgeView
    from orca_core.model.work.waiting import Waits


class TaskLists(Protocol):
    """Looking at tasks. Where a number names none, NotFound."""

    async def current(self, session_id: str) -> TaskView | None:
        """The latest one of a session that is in progress."""
        ...

    async def get(self, ids: Sequence[int]) -> list[TaskView]: ...

    async def page(
        self,
        status: str = ...,
        *,
        session_id: str | None = None,
        limit: int | None = None,
        offset: int = 0,
        with_results: bool = True,
    ) -> TaskPage:
        """Newest first; `status` is one of theirs, `ended` or `all`. Raises InvalidInput for another word. What tools
        were given and answered may be large: it is read only where asked for."""
        ...

    async def idle(self) -> list[TaskView]:
        """Those in progress that nobody touched for long: they are offered for ending."""
        ...


class TaskChanges(Protocol):
    """Working on tasks: one operation each, which can be undone; but a delete is for good. Raises InvalidInput."""

    async def start(
        self,
        session_id: str,
        request: str,
        *,
        summary: str = "",
        target: str = "",
        trigger: str = ...,
        tags: Sequence[str] = (),
        context: Mapping[str, Any] | None = None,
    ) -> TaskView: ...

    async def set_context(self, task_id: int, values: Mapping[str, Any]) -> TaskView: ...

    async def complete(self, task_id: int, outcome: str = ..., summary: str = "") -> TaskEnded: ...

    async def fail(self, task_id: int, summary: str = "") -> TaskEnded: ...

    async def drop(self, task_id: int) -> TaskView:
        """It is over, and makes no episode."""
        ...

    async def delete(self, ids: Sequence[int]) -> bool:
        """With their steps; what was learnt of them stays. False while old pages can't be wiped yet."""
        ...


class TaskSteps(Protocol):
    """The steps of a task, by their numbers: one operation each, which can be undone. Raises InvalidInput."""

    async def add_step(
        self,
        task_id: int,
        description: str,
        *,
        tool: str = "",
        args: Mapping[str, Any] | None = None,
        result: str = "",
        status: str = ...,
    ) -> TaskView: ...

    async def update_step(
        self,
        task_id: int,
        number: int,
        *,
        description: str | None = None,
        tool: str | None = None,
        args: Mapping[str, Any] | None = None,
        result: str | None = None,
        status: str | None = None,
    ) -> TaskView: ...

    async def plan(self, task_id: int, wanted: Sequence[WantedStep], seen: Sequence[int]) -> TaskView:
        """Make the steps those that are wanted, in their order, and note that as an act of the user; `seen` are the
        numbers of the steps that the plan was made of: others came since, and stay. A step that moves, or comes before
        others, gets a number of its own. Raises NotFound, and InvalidInput where a step that ended would go or move."""
        ...


class Tasks(TaskLists, TaskChanges, TaskSteps, Protocol):
    """Tasks, looked at and worked on."""


class EveryCandidate(Protocol):
    """Candidates of memories, episodes, knowledge and guides. Each kind that is decided about is one operation."""

    async def waits(self, limit: int | None = None) -> list[Waits]:
        """What has waited longest first; of what waits for nothing but to be shown often enough, the nearest to going
        live first."""
        ...

    def pages(self, size: int) -> AsyncGenerator[list[Waits]]:
        """The same, so many at a time: the first ones cost as much where few wait as where many do."""
        ...

    async def accept(
        self, refs: Sequence[Ref], shown: Mapping[Ref, str] | None = None
    ) -> tuple[RecordsChanged[Any], ...]:
        """`shown` are the texts that the person saw: one that says something else by now is refused."""
        ...

    async def reject(self, refs: Sequence[Ref]) -> tuple[RecordsChanged[Any], ...]: ...


class Episodes(WorkRecords[Episode], Protocol):
    """What was done and how it ended."""

    async def views(self, episodes: Sequence[Episode]) -> list[EpisodeView]: ...

    async def search(self, text: str, limit: int) -> WorkFound[Episode]: ...

    async def edit(
        self,
        episode_id: int,
        *,
        trigger: str | None = None,
        target: str | None = None,
        steps: Sequence[str] | None = None,
        outcome: str | None = None,
        outcome_summary: str | None = None,
        tags: Sequence[str] | None = None,
    ) -> RecordsChanged[Episode]: ...


class Targets(Protocol):
    """What work is about. One name may be spelled in several ways."""

    async def targets(self) -> list[TargetCount]:
        """Those with most episodes first."""
        ...

    async def of_target(self, target: str) -> list[Knowledge]: ...

    async def rename_target(self, old: str, new: str) -> TargetRenamed:
        """In all episodes, knowledge and tasks; onto one that others have: the two are one then."""
        ...


class KnowledgeOfWork(WorkRecords[Knowledge], Targets, Protocol):
    """What episodes taught, looked at and changed. What was known of the same target gives way to a candidate that is
    accepted."""

    async def views(self, records: Sequence[Knowledge]) -> list[KnowledgeView]: ...

    async def search(self, text: str, limit: int) -> WorkFound[Knowledge]: ...

    async def sources(self, knowledge: Knowledge) -> list[Episode]:
        """The episodes that it was made of, those that still exist."""
        ...

    async def edit(
        self,
        knowledge_id: int,
        *,
        topic: str | None = None,
        content: str | None = None,
        key_points: Sequence[str] | None = None,
        target: str | None = None,
    ) -> RecordsChanged[Knowledge]: ...


class Consolidating(Protocol):
    """Making knowledge of episodes, watched run by run."""

    @property
    def is_on(self) -> bool: ...

    def run(self, target: str | None = None) -> AsyncIterator[Consolidated]:
        """All that is due; or one target, with as many episodes as it has."""
        ...


class Contexts(Protocol):
    """What an agent is told before it answers."""

    async def build(self, session_id: str | None, query: str) -> Context:
        """What it holds of episodes and knowledge counts as accessed. Raises NotFound for an unknown session."""
        ...

    async def recent_messages(self, session_id: str) -> Sequence[Message]:
        """Oldest first; none of a session that has been idle for long."""
        ...


class Forgetting(Protocol):
    """The gate of forgetting. A run is one operation, and can be undone; what it deletes can not."""

    async def preview(self) -> FadeReport:
        """What a run would do now. Changes nothing."""
        ...

    async def run(self) -> FadeReport: ...


class ChatsRead(Protocol):
    """Reading chats for episodes, asked for and watched."""

    @property
    def is_on(self) -> bool: ...

    def run(self, wanted: Wanted) -> AsyncIterator[EpisodesRead]: ...


class Work(Protocol):
    """All of it in one hand."""

    @property
    def tasks(self) -> Tasks: ...
    @property
    def episodes(self) -> Episodes: ...
    @property
    def chats(self) -> ChatsRead: ...
    @property
    def context(self) -> Contexts: ...
    @property
    def candidates(self) -> EveryCandidate: ...
    @property
    def forgetting(self) -> Forgetting: ...
    @property
    def knowledge(self) -> KnowledgeOfWork: ...
    @property
    def consolidation(self) -> Consolidating: ...
