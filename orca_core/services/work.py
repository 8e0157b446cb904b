"""Work in one namespace, and all that is known for one question of a session."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from msgspec import Struct

from orca_core.model.errors import NotFound
from orca_core.model.llm import Clock
from orca_core.model.recall import Level
from orca_core.model.sessions import Round
from orca_core.model.tasks import TaskView
from orca_core.model.tools import GUIDES, Guide, GuideView, ToolFigures
from orca_core.model.views import AgentContext as Gathered
from orca_core.model.views import Message, SearchResult
from orca_core.operations.sessions import SessionStore
from orca_core.rules.text.spelling import language_of
from orca_core.rules.work import prompt_texts
from orca_core.rules.work.tool_guides import guide_line
from orca_core.services.shared.search import MemorySearch
from orca_core.services.tasks import Tasks
from orca_core.services.tools import MOST, NamedTools
from orca_core.services.upkeep import ForgettingActions
from orca_core.services.work_records import Episodes, KnowledgeActions
from orca_core.settings import MemorySettings

MEMORIES = 5
EPISODES = 5
KNOWLEDGE = 3
"""How much of each a context has at most."""
NOTHING = SearchResult((), Level.NONE, None)


class ContextBuilder:
    """What an agent is told before it answers. What it is given of episodes, knowledge and guides counts as access."""

    def __init__(
        self,
        dialogues: SessionStore,
        tasks: Tasks,
        search: MemorySearch,
        episodes: Episodes,
        knowledge: KnowledgeActions,
        named: NamedTools,
        clock: Clock,
        memory: MemorySettings,
    ) -> None:
        self._dialogues = dialogues
        self._tasks = tasks
        self._search = search
        self._episodes = episodes
        self._knowledge = knowledge
        self._named = named
        self._clock = clock
        self._memory = memory

    async def build(self, session_id: str | None, query: str) -> Gathered:
        """Without a session what was found alone; without memory what was said and is done alone. Raises NotFound for
        a session that does not exist."""
        messages = await self.recent_messages(session_id) if session_id is not None else ()
        task = await self._task(session_id)
        found = await self._search.find(query, MEMORIES) if self._memory.enabled else NOTHING
        of_episodes = await self._episodes.search(query, EPISODES) if self._has_episodes else None
        of_knowledge = await self._knowledge.search(query, KNOWLEDGE) if self._memory.enabled else None
        episodes = [hit.record for hit in of_episodes.hits] if of_episodes else []
        knowledge = [hit.record for hit in of_knowledge.hits] if of_knowledge else []
        by_rules = [each.rules for each in (found, of_episodes, of_knowledge) if each]
        guides = await self._guides_named(query, task)
        text = prompt_texts.context_text(
            language_of(query),
            messages=messages,
            task=task,
            memories=[hit.memory for hit in found.hits],
            episodes=episodes,
            knowledge=knowledge,
            guides=[(GUIDES.ref(each), guide_line(each, figures)) for each, figures in guides],
        )
        return Gathered(
            session_id=session_id,
            messages=messages,
            task=task,
            memories=found.hits,
            episodes=tuple(await self._episodes.views(episodes)),
            knowledge=tuple(await self._knowledge.views(knowledge)),
            guides=tuple(GuideView(figures, each) for each, figures in guides),
            level=found.level,
            text=text,
            rules=tuple(dict.fromkeys(chain.from_iterable(by_rules))),
        )

    @property
    def _has_episodes(self) -> bool:
        return self._memory.enabled and self._memory.episodes.enabled

    async def recent_messages(self, session_id: str) -> tuple[Message, ...]:
        """The latest of a session, oldest first; none of one that has been idle for long. Raises NotFound."""
        try:
            await self._dialogues.session(session_id)
        except NotFound:
            if not (await self._tasks.page("all", session_id=session_id, limit=1)).total:
                raise
            return ()  # its task was begun before its first message
        rounds: Sequence[Round] = await self._dialogues.rounds(session_id, last=self._memory.short_term.max_turns)
        if prompt_texts.is_idle(rounds, self._clock.now(), self._memory.session_idle):
            return ()
        return prompt_texts.messages_of(rounds)

    async def _task(self, session_id: str | None) -> TaskView | None:
        if session_id is None or not self._memory.tasks.enabled:
            return None
        return await self._tasks.current(session_id)

    async def _guides_named(self, query: str, task: TaskView | None) -> list[tuple[Guide, ToolFigures]]:
        if not self._memory.enabled:
            return []
        found = (await self._named.guides_for(query, () if task is None else task.steps))[:MOST]
        await self._named.returned([guide for guide, _ in found])
        return found


class Work(Struct, frozen=True):
    """Tasks, episodes, knowledge, and what is made of them."""

    tasks: Tasks
    episodes: Episodes
    context: ContextBuilder
    forgetting: ForgettingActions
    knowledge: KnowledgeActions
