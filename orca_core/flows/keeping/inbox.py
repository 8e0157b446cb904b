"""What a person decides of what was learnt: candidates, and memories that may say the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from orca_core.domain.dialogues import Round
from orca_core.domain.errors import NotFound
from orca_core.domain.journal import Actor, Changed, OperationHeader
from orca_core.domain.memories import MEMORIES, Decide, Memory
from orca_core.domain.ports import Clock
from orca_core.domain.queries import MemoryQuery, MemorySort
from orca_core.domain.stores import DialogueStore, MemoryStore
from orca_core.domain.views import Case, PairView, Waiting
from orca_core.flows.shared.search import MemorySearch
from orca_core.flows.shared.views import Views
from orca_core.rules.keeping import curation, status, waiting
from orca_core.settings import Settings


class Inbox:
    """The inbox, and pairs that the rules could not decide. Each action is one operation, and can be undone."""

    def __init__(
        self,
        memories: MemoryStore,
        dialogues: DialogueStore,
        search: MemorySearch,
        changed: Callable[[], None],
        views: Views,
        clock: Clock,
        settings: Settings,
    ) -> None:
        self._memories = memories
        self._dialogues = dialogues
        self._search = search
        self._changed = changed
        self._views = views
        self._clock = clock
        self._long_term = settings.memory.long_term

    async def inbox(self, limit: int | None = None) -> list[Memory]:
        """Candidates, oldest first."""
        criteria = status.criteria("candidate", self._long_term.core_threshold)
        query = MemoryQuery(criteria, sort=MemorySort.ID, counted=False, limit=limit)
        return list((await self._memories.page(query)).memories)

    async def waiting(self) -> Waiting:
        """How many wait, and since when the oldest does."""
        return waiting.waiting(await self.inbox())

    async def case(self, memory_id: int) -> Case:
        """A memory as it is now, with what a decision about it needs. Raises NotFound."""
        [memory] = await self._memories.get([memory_id])
        nearest = await self._nearest(memory)
        nearest_view = None if nearest is None else self._views(nearest)
        return Case(self._views(memory), await self._rounds_of(memory), nearest_view)

    async def accept(self, ids: Sequence[int], shown: Mapping[int, str] | None = None) -> Changed:
        """`shown` are the texts that the person saw: one that says something else by now is refused."""
        candidates = await self._memories.get(ids)
        texts = {memory.id: memory.content for memory in candidates}
        return await self._change("accept", [*ids, *_targets(candidates)], curation.accept({**texts, **(shown or {})}))

    async def accept_edited(
        self,
        candidate_id: int,
        shown: str,
        *,
        content: str | None = None,
        type_word: str | None = None,
        tags: Sequence[str] | None = None,
    ) -> Changed:
        """Accept a candidate in the words that a person gave it; `shown` is the text that the person saw."""
        edited = curation.edit(content=content, type_word=type_word, tags=tags, max_weight=self._long_term.max_weight)
        targets = _targets(await self._memories.get([candidate_id]))
        decide = curation.accept({candidate_id: shown}, edited=edited)
        return await self._change("accept", [candidate_id, *targets], decide)

    async def accept_instead(self, candidate_id: int, old_id: int, shown: str) -> Changed:
        """Accept a candidate in the place of another memory, whatever the model wanted replaced."""
        decide = curation.accept({candidate_id: shown}, instead_of=old_id)
        return await self._change("accept", [candidate_id, old_id], decide)

    async def reject(self, ids: Sequence[int]) -> Changed:
        return await self._change("reject", ids, curation.each(curation.reject))

    async def never(self, ids: Sequence[int]) -> Changed:
        """Refuse the candidates, and any facts like them."""
        return await self._change("never", ids, curation.each(curation.never))

    async def merge(self, kept_id: int, other_ids: Sequence[int], *, content: str | None = None) -> Changed:
        decide = curation.merge(kept_id, content=content, max_weight=self._long_term.max_weight)
        return await self._change("merge", [kept_id, *other_ids], decide)

    async def merge_outcomes(self, ids: Sequence[int]) -> list[Memory]:
        """For each of these memories, what it would be if all the others were merged into it. Changes nothing."""
        memories = await self._memories.get(ids)
        return [self._merged(kept, memories) for kept in memories]

    async def undecided(self) -> list[PairView]:
        """Memories that may be the same, pair by pair, newest first."""
        pairs = await self._memories.undecided()
        return [PairView(self._views(pair.newer), self._views(pair.older), pair.why) for pair in pairs]

    async def keep_both(self, first: int, second: int) -> None:
        """The two are not the same; they are not listed again. Raises NotFound."""
        await self._memories.keep_both(first, second)

    async def _change(self, action: str, ids: Sequence[int], decide: Decide) -> Changed:
        header = OperationHeader(Actor.USER, action, self._clock.now())
        changed = await self._memories.change(list(dict.fromkeys(ids)), header, decide)
        self._changed()
        return changed

    def _merged(self, kept: Memory, memories: Sequence[Memory]) -> Memory:
        planned = curation.merge(kept.id, content=kept.content, max_weight=self._long_term.max_weight)(memories)
        return MEMORIES.changed(kept, planned[kept.id])

    async def _rounds_of(self, memory: Memory) -> tuple[Round, ...]:
        """The rounds that it came from, as far as they are there."""
        if memory.origin.session_id is None:
            return ()
        rounds = await self._dialogues.rounds(memory.origin.session_id)
        return tuple(each for each in rounds if each.number in memory.origin.rounds)

    async def _nearest(self, memory: Memory) -> Memory | None:
        near = [memory.would_replace] if memory.would_replace is not None else []
        near += [each for each in await self._search.nearest(memory.content, 2, cached=True) if each != memory.id]
        try:
            return (await self._memories.get(near[:1]))[0] if near else None
        except NotFound:
            return None


def _targets(candidates: Sequence[Memory]) -> list[int]:
    """The memories that accepting would archive."""
    return [memory.would_replace for memory in candidates if memory.would_replace is not None]
