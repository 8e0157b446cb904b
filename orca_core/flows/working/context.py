"""Gathers all that is known for one question of a session."""

from __future__ import annotations

from collections.abc import Sequence

from orca_core.domain.dialogues import Round
from orca_core.domain.memories import State
from orca_core.domain.ports import Clock
from orca_core.domain.stores import DialogueStore
from orca_core.domain.work.contexts import Context as Gathered
from orca_core.domain.work.contexts import Message
from orca_core.domain.work.episodes import Episode
from orca_core.domain.work.knowledge import Knowledge
from orca_core.domain.work.tasks import TaskView
from orca_core.domain.work.views import KnowledgeView
from orca_core.flows.shared.search import MemorySearch
from orca_core.flows.working.search import WorkSearch
from orca_core.flows.working.tasks import Tasks
from orca_core.flows.working.views import EpisodeViews
from orca_core.rules.keeping.status import status_of_work
from orca_core.rules.text.languages import language_of
from orca_core.rules.working import contexts
from orca_core.settings import MemorySettings

MEMORIES = 5
EPISODES = 5
KNOWLEDGE = 3
"""How much of each a context has at most."""


class Context:
    """What an agent is told before it answers. What it is given of episodes and knowledge counts as access."""

    def __init__(
        self,
        dialogues: DialogueStore,
        tasks: Tasks,
        search: MemorySearch,
        episodes: WorkSearch[Episode],
        knowledge: WorkSearch[Knowledge],
        views: EpisodeViews,
        clock: Clock,
        memory: MemorySettings,
    ) -> None:
        self._dialogues = dialogues
        self._tasks = tasks
        self._search = search
        self._episodes = episodes
        self._knowledge = knowledge
        self._views = views
        self._clock = clock
        self._memory = memory

    async def build(self, session_id: str | None, query: str) -> Gathered:
        """Without a session what was found alone. Raises NotFound for one that does not exist."""
        messages = await self.recent_messages(session_id) if session_id is not None else ()
        task = await self._task(session_id)
        memories = await self._search.find(query, MEMORIES)
        episodes = await self._episodes.find(query, EPISODES)
        knowledge = await self._knowledge.find(query, KNOWLEDGE)
        return Gathered(
            session_id=session_id,
            messages=messages,
            task=task,
            memories=memories.hits,
            episodes=tuple(await self._views.of([hit.record for hit in episodes.hits])),
            knowledge=tuple(KnowledgeView(hit.record, status_of_work(State.LIVE)) for hit in knowledge.hits),
            level=memories.level,
            text=contexts.context_text(
                language_of(query),
                messages=messages,
                task=task,
                memories=[hit.memory for hit in memories.hits],
                episodes=[hit.record for hit in episodes.hits],
                knowledge=[hit.record for hit in knowledge.hits],
            ),
        )

    async def recent_messages(self, session_id: str) -> tuple[Message, ...]:
        """The latest of a session, oldest first; none of one that has been idle for long. Raises NotFound."""
        await self._dialogues.session(session_id)
        rounds: Sequence[Round] = await self._dialogues.rounds(session_id, last=self._memory.short_term.max_turns)
        if contexts.is_idle(rounds, self._clock.now(), self._memory.session_idle):
            return ()
        return contexts.messages_of(rounds)

    async def _task(self, session_id: str | None) -> TaskView | None:
        if session_id is None or not self._memory.tasks.enabled:
            return None
        return await self._tasks.current(session_id)
