"""Memory for programs, in one hand: an agent that runs tools tells what it does, and is told what is known."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from orca_core.domain.events import ActsRead, Consolidated, Extraction
from orca_core.domain.growth.actions import ActionRecorded
from orca_core.domain.growth.tools import CallsTaken, ToolsFound
from orca_core.domain.journal import Changed
from orca_core.domain.learning import Wanted
from orca_core.domain.memories import Addition, State
from orca_core.domain.views import SearchResult
from orca_core.domain.work.agent_tools import MessagesKept, Proposed
from orca_core.domain.work.contexts import Context as Gathered
from orca_core.domain.work.contexts import Message
from orca_core.domain.work.endings import TaskEnded
from orca_core.domain.work.episodes import Episode
from orca_core.domain.work.knowledge import Knowledge
from orca_core.domain.work.records import WorkFound
from orca_core.domain.work.tasks import Outcome, StepStatus, TaskView, Trigger
from orca_core.domain.work.views import FadeReport
from orca_core.flows.growing.actions import Actions
from orca_core.flows.growing.pools import Pools
from orca_core.flows.growing.tools import Tools
from orca_core.flows.jobs.acts import ActJob
from orca_core.flows.jobs.consolidation import Consolidation
from orca_core.flows.jobs.extraction import ExtractionJob
from orca_core.flows.keeping.memories import Memories
from orca_core.flows.shared.given import checked
from orca_core.flows.shared.search import MemorySearch
from orca_core.flows.working.context import EPISODES, KNOWLEDGE, MEMORIES, Context
from orca_core.flows.working.episodes import Episodes
from orca_core.flows.working.forgetting import Forgetting
from orca_core.flows.working.knowledge import KnowledgeActions
from orca_core.flows.working.tasks import Tasks
from orca_core.flows.working.telling import Telling

SaveMessage = Callable[[str, str, str], Awaitable[int]]
"""Keeps a message: its session, its role, what was said."""


@checked
class AgentMemory:
    """Each call is one transaction, and can be undone where it changes what is known. Raises OrcaError."""

    def __init__(
        self,
        save_message: SaveMessage,
        telling: Telling,
        tasks: Tasks,
        context: Context,
        memories: Memories,
        search: MemorySearch,
        pools: Pools,
        episodes: Episodes,
        knowledge: KnowledgeActions,
        forgetting: Forgetting,
        consolidation: Consolidation,
        tools: Tools,
        actions: Actions,
        extraction: ExtractionJob,
        acts: ActJob,
    ) -> None:
        self._save_message = save_message
        self._telling = telling
        self._tasks = tasks
        self._context = context
        self._memories = memories
        self._search = search
        self._pools = pools
        self._episodes = episodes
        self._knowledge = knowledge
        self._forgetting = forgetting
        self._consolidation = consolidation
        self._tools = tools
        self._actions = actions
        self._extraction = extraction
        self._acts = acts

    async def save_message(self, session_id: str, role: str, content: str) -> int:
        """Keep what the user or the assistant said; returns the number of its round. It is learnt from as a chat is."""
        return await self._save_message(session_id, role, content)

    async def save_messages(self, session_id: str, messages: Sequence[Any]) -> MessagesKept:
        """Keep those that are new, each `{"role", "content"}` under its true role: the whole session may be sent each
        time."""
        return await self._telling.messages(session_id, messages)

    async def recent_messages(self, session_id: str) -> tuple[Message, ...]:
        """Oldest first; none of a session that has been idle for long."""
        return await self._context.recent_messages(session_id)

    async def start_task(
        self,
        session_id: str,
        request: str,
        *,
        summary: str = "",
        target: str = "",
        trigger: str = Trigger.USER_REQUEST.value,
        tags: Sequence[str] = (),
        context: Mapping[str, Any] | None = None,
    ) -> TaskView:
        """Begin a task of a session; `context` are the values known at it."""
        return await self._tasks.start(
            session_id, request, summary=summary, target=target, trigger=trigger, tags=tags, context=context
        )

    async def current_task(self, session_id: str) -> TaskView | None:
        """The latest one of a session that is in progress."""
        return await self._tasks.current(session_id)

    async def add_step(
        self,
        task_id: int,
        description: str,
        *,
        tool: str = "",
        args: Mapping[str, Any] | None = None,
        result: str = "",
        status: str = StepStatus.PENDING.value,
        started_at: datetime | None = None,
        completed_at: datetime | None = None,
    ) -> TaskView:
        """Add a step. Its times are those given, else they follow from its status."""
        return await self._tasks.add_step(
            task_id,
            description,
            tool=tool,
            args=args,
            result=result,
            status=status,
            started_at=started_at,
            completed_at=completed_at,
        )

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
        started_at: datetime | None = None,
        completed_at: datetime | None = None,
    ) -> TaskView:
        """Change what is given of a step, by its number in the task; the rest stays."""
        return await self._tasks.update_step(
            task_id,
            number,
            description=description,
            tool=tool,
            args=args,
            result=result,
            status=status,
            started_at=started_at,
            completed_at=completed_at,
        )

    async def set_context(self, task_id: int, values: Mapping[str, Any]) -> TaskView:
        """The values known at a task, with these; one that is None goes."""
        return await self._tasks.set_context(task_id, values)

    async def complete_task(self, task_id: int, outcome: str = Outcome.SUCCESS.value, summary: str = "") -> TaskEnded:
        """End it; its episode is made in the same transaction."""
        return await self._tasks.complete(task_id, outcome, summary)

    async def fail_task(self, task_id: int, summary: str = "") -> TaskEnded:
        return await self._tasks.fail(task_id, summary)

    async def drop_task(self, task_id: int) -> TaskView:
        """It is over, and makes no episode."""
        return await self._tasks.drop(task_id)

    async def search_memories(
        self, query: str, limit: int = MEMORIES, *, with_candidates: bool = False
    ) -> SearchResult:
        """Statements near a text, best first. With those that nobody has confirmed yet only where they are asked for:
        each that is returned is visited by that, which brings it nearer to going live."""
        found = await self._search.find(query, limit, with_candidates=with_candidates)
        await self._pools.searched([hit.memory.id for hit in found.hits if hit.memory.state is State.CANDIDATE])
        return found

    async def search_episodes(self, query: str, limit: int = EPISODES) -> WorkFound[Episode]:
        """What was done that is near a text, best first."""
        return await self._episodes.search(query, limit)

    async def search_knowledge(self, query: str, limit: int = KNOWLEDGE) -> WorkFound[Knowledge]:
        """What such work taught, best first."""
        return await self._knowledge.search(query, limit)

    async def record_action(
        self,
        type_word: str,
        session_id: str,
        *,
        round: int | None = None,  # as its users call it
        round_id: int | None = None,
        message: str = "",
        task: int | None = None,
        tool: str = "",
        call: str = "",
        data: Mapping[str, Any] | None = None,
        at: datetime | None = None,
    ) -> ActionRecorded | None:
        """Note an act of the user, such as LIKE, by what it is about. None where acts are switched off. Raises
        InvalidInput where it is no known act, or does not say what it is about."""
        return await self._actions.record(
            type_word,
            session_id,
            round=round,
            round_id=round_id,
            message=message,
            task=task,
            tool=tool,
            call=call,
            data=data,
            at=at,
        )

    async def record_tool_calls(self, calls: Sequence[Any], session_id: str = "") -> CallsTaken | None:
        """Keep reported calls, each once however often it is reported; one that is malformed is refused by itself.
        None where calls are not kept."""
        return await self._tools.record(calls, session_id)

    async def learn(self, session_id: str) -> Sequence[Extraction | ActsRead]:
        """Learn now from what waits of a session, and wait for it: how each run ended. Nothing where learning is off,
        `queued` where another Orca leads and does it."""
        wanted = Wanted(session_id=session_id, everything=True)
        jobs = [job for job in (self._extraction, self._acts) if job.is_on]
        return [event for job in jobs async for event in job.run(wanted) if event.state != "running"]

    async def tool_memory(self, query: str) -> ToolsFound:
        """What calls taught of the tools that a query names, between commas, in its order; names are exact."""
        return await self._tools.tool_memory(query)

    async def build_context(self, session_id: str | None, query: str) -> Gathered:
        """All of it for one question, typed and as a text."""
        return await self._context.build(session_id, query)

    async def remember(self, text: str, *, tags: Sequence[str] = ()) -> Addition:
        """Keep a statement about the user at once."""
        return await self._memories.add(text, tags=tags)

    async def propose(self, session_id: str, contents: Sequence[str]) -> Proposed:
        """Statements about the user that an agent wants remembered. They wait for the user: no agent's word makes one
        live, but what the user types does."""
        return await self._telling.propose(session_id, contents)

    async def forget(self, ids: Sequence[int]) -> Changed:
        """Archive statements: they are found no more, and can be restored."""
        return await self._memories.archive(ids)

    async def run_forgetting(self) -> FadeReport:
        """Let episodes fade that are due, now."""
        return await self._forgetting.run()

    async def run_consolidation(self, target: str | None = None) -> Sequence[Consolidated]:
        """Make knowledge of what is due, or of one target, now; what became of each run."""
        return [event async for event in self._consolidation.run(target)]
