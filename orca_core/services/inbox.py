"""What a person decides of what was learnt: candidates, and memories that may say the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from orca_core.model.errors import InvalidInput
from orca_core.model.llm import Clock
from orca_core.model.memories import MEMORIES, Decide, Memory, State
from orca_core.model.operations import Actor, Changed, OperationHeader
from orca_core.model.records import EPISODE, GUIDE, KNOWLEDGE, Kind
from orca_core.model.views import Case, MemoryQuery, MemorySort, PairView, RecordQuery, StatusCriteria, Waiting
from orca_core.rules.memory import curation, status, waiting
from orca_core.services.shared.views import Views
from orca_core.settings import Settings
from orca_core.store.protocols import MemoryStore, RecordStore

if TYPE_CHECKING:
    from orca_core.services.cases import Cases


ONE_BY_ONE = 20
"""More candidates at once are not compared by meaning with all that is known. Chosen by hand: a comparison takes some
hundredths of a second."""
OTHER_KINDS = (EPISODE, KNOWLEDGE, GUIDE)
"""What waits for a person beside memories."""


class Inbox:
    """The inbox, and pairs that the rules could not decide. Each action is one operation, and can be undone."""

    def __init__(
        self,
        memories: MemoryStore,
        records: Mapping[Kind, RecordStore[Any]],
        cases: Callable[[], Cases],
        changed: Callable[[], None],
        views: Views,
        clock: Clock,
        settings: Settings,
    ) -> None:
        self._memories = memories
        self._records = records
        self._cases = cases
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
        """How many wait, of every kind, and since when the oldest does."""
        return await waiting_in(self._memories, self._records)

    async def case(self, memory_id: int) -> Case:
        """A memory as it is now, with what a decision about it needs; a candidate is judged anew. Raises NotFound."""
        return await self._cases().case(memory_id)

    async def accept(self, ids: Sequence[int], shown: Mapping[int, str] | None = None) -> Changed:
        """`shown` are the texts that the person saw: one that says something else by now is refused. One that is
        remembered by now confirms the memory that says it (of many in the same words alone, else the pair is listed);
        one that says what was deleted is refused unless it was seen, for its case says so."""
        candidates = await self._memories.get(ids)
        await self._refuse_deleted([each for each in candidates if each.id not in (shown or {})])
        texts = {memory.id: memory.content for memory in candidates}
        cases = self._cases()
        if len(candidates) > ONE_BY_ONE:
            same, rule = await cases.same_words(candidates), cases.same_words_that_live
        else:
            same, rule = await cases.same(candidates), cases.same_that_lives
        beside = [*await self._targets(candidates), *same]
        decide = curation.accept({**texts, **(shown or {})}, same=rule)
        return await self._change("accept", [*ids, *beside], decide)

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
        candidates = await self._memories.get([candidate_id])
        if content is None:
            await self._refuse_deleted(candidates)
        targets = await self._targets(candidates)
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
        if content is None:
            await self._refuse_deleted(await self._memories.get([kept_id]))
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

    async def _refuse_deleted(self, candidates: Sequence[Memory]) -> None:
        """What was deleted comes back only where a person says it again."""
        waiting = [each for each in candidates if each.state is State.CANDIDATE]
        for deleted in await self._cases().deleted(waiting):
            raise InvalidInput(
                template="#{id} says what you deleted",
                hint="to have it back, say it again: orca memory accept {id} --content TEXT",
                id=deleted,
            )

    def _merged(self, kept: Memory, memories: Sequence[Memory]) -> Memory:
        planned = curation.merge(kept.id, content=kept.content, max_weight=self._long_term.max_weight)(memories)
        return MEMORIES.changed(kept, planned[kept.id])

    async def _targets(self, candidates: Sequence[Memory]) -> list[int]:
        """The memories that accepting would archive, as far as they are there."""
        wanted = [memory.would_replace for memory in candidates if memory.would_replace is not None]
        return [memory.id for memory in await self._memories.get(wanted, missing_ok=True)]


async def waiting_in(memories: MemoryStore, records: Mapping[Kind, RecordStore[Any]]) -> Waiting:
    """How many wait, of every kind, and since when the oldest does."""
    page = await memories.page(MemoryQuery(StatusCriteria((State.CANDIDATE,)), sort=MemorySort.WAITING, limit=1))
    of_memories = Waiting(page.total, waiting.waiting(page.memories).since)
    others = [await _waiting_of(records[kind]) for kind in OTHER_KINDS if kind in records]
    return waiting.together([of_memories, *others])


async def _waiting_of(records: RecordStore[Any]) -> Waiting:
    oldest = RecordQuery({"state": (State.CANDIDATE.value,)}, order=("updated_at", "id"), limit=1)
    page = await records.page(oldest)
    return Waiting(page.total, waiting.waiting(page.records).since)
