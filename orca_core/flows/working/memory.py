"""Memory for programs, in one hand: an agent that runs tools tells what it does, and is told what is known."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from orca_core.domain.events import Consolidated
from orca_core.domain.growth.tools import ToolsFound
from orca_core.domain.journal import Changed
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
from orca_core.flows.growing.pools import Pools
from orca_core.flows.growing.tools import Tools
from orca_core.flows.jobs.consolidation import Consolidation
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
        target: str = "",
        trigger: str = Trigger.USER_REQUEST.value,
        tags: Sequence[str] = (),
    ) -> TaskView:
        return await self._tasks.start(session_id, request, target=target, trigger=trigger, tags=tags)

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
    ) -> TaskView:
        return await self._tasks.add_step(task_id, description, tool=tool, args=args, result=result, status=status)

    async def update_step(
        self, task_id: int, number: int, *, result: str | None = None, status: str | None = None
    ) -> TaskView:
        return await self._tasks.update_step(task_id, number, result=result, status=status)

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
