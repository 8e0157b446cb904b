"""Memory for programs, in one hand: an agent that runs tools tells what it does, and is told what is known."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from orca_core.model.episodes import Episode, WorkFound
from orca_core.model.events import ActsRead, Consolidated, Extraction
from orca_core.model.knowledge import Knowledge
from orca_core.model.learning import Wanted
from orca_core.model.memories import Addition, State
from orca_core.model.operations import Changed
from orca_core.model.tools import MessagesKept, Proposed
from orca_core.model.views import SearchResult
from orca_core.pipelines.facts import FactPipeline
from orca_core.pipelines.feedback import FeedbackPipeline
from orca_core.pipelines.knowledge import KnowledgePipeline
from orca_core.services.feedback.actions import Actions
from orca_core.services.feedback.pools import Pools
from orca_core.services.memories import Memories
from orca_core.services.shared.given import checked
from orca_core.services.shared.search import MemorySearch
from orca_core.services.tools.tools import Tools
from orca_core.services.work.context import EPISODES, KNOWLEDGE, MEMORIES, Context
from orca_core.services.work.episodes import Episodes
from orca_core.services.work.forgetting import Forgetting
from orca_core.services.work.knowledge import KnowledgeActions
from orca_core.services.work.tasks import Tasks
from orca_core.services.work.telling import Telling

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
        consolidation: KnowledgePipeline,
        tools: Tools,
        actions: Actions,
        extraction: FactPipeline,
        acts: FeedbackPipeline,
    ) -> None:
        # What these do is theirs, under the names that programs know.
        self.recent_messages, self.build_context = context.recent_messages, context.build
        self.start_task, self.current_task, self.set_context = tasks.start, tasks.current, tasks.set_context
        self.add_step, self.update_step = tasks.add_step, tasks.update_step
        self.complete_task, self.fail_task, self.drop_task = tasks.complete, tasks.fail, tasks.drop
        self.record_action, self.record_tool_calls = actions.record, tools.record
        self.tool_memory, self.run_forgetting = tools.tool_memory, forgetting.run
        self._save_message = save_message
        self._telling = telling
        self._memories = memories
        self._search = search
        self._pools = pools
        self._episodes = episodes
        self._knowledge = knowledge
        self._consolidation = consolidation
        self._extraction = extraction
        self._acts = acts

    async def save_message(self, session_id: str, role: str, content: str) -> int:
        """Keep what the user or the assistant said; returns the number of its round. It is learnt from as a chat is."""
        return await self._save_message(session_id, role, content)

    async def save_messages(self, session_id: str, messages: Sequence[Any]) -> MessagesKept:
        """Keep those that are new, each `{"role", "content"}` under its true role: the whole session may be sent each
        time."""
        return await self._telling.messages(session_id, messages)

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

    async def learn(self, session_id: str) -> Sequence[Extraction | ActsRead]:
        """Learn now from what waits of a session, and wait for it: how each run ended. Nothing where learning is off,
        `queued` where another Orca leads and does it."""
        wanted = Wanted(session_id=session_id, everything=True)
        jobs = [job for job in (self._extraction, self._acts) if job.is_on]
        return [event for job in jobs async for event in job.run(wanted) if event.state != "running"]

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

    async def run_consolidation(self, target: str | None = None) -> Sequence[Consolidated]:
        """Make knowledge of what is due, or of one target, now; what became of each run."""
        return [event async for event in self._consolidation.run(target)]
