"""What a person decides of what was learnt: candidates of every kind, and memories that may say the same."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from contextlib import aclosing
from datetime import datetime
from typing import TYPE_CHECKING, Any

from orca_core.model.errors import InvalidInput
from orca_core.model.knowledge import Knowledge
from orca_core.model.llm import Clock
from orca_core.model.memories import MEMORIES, Candidate, Decide, Memory, State, Waits
from orca_core.model.operations import Actor, OperationHeader, RecordsChanged
from orca_core.model.record_types import EPISODE, GUIDE, KNOWLEDGE, MEMORY, Kind, Ref, memory_ref, timestamp
from orca_core.model.views import Case, MemoryQuery, MemorySort, PairView, RecordQuery, StatusCriteria, Waiting
from orca_core.operations.record_store import RecordStore
from orca_core.operations.stores import Stores
from orca_core.rules.feedback.promotion import ByNearness, is_unproven
from orca_core.rules.memory import memory_curation, said_again
from orca_core.rules.memory.said_again import waits_since
from orca_core.rules.work.episode_updates import candidate_line, held_now
from orca_core.services.feedback import Pools
from orca_core.services.shared.views import Views
from orca_core.services.work_records import RecordActions
from orca_core.settings import Settings

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
        stores: Stores,
        cases: Callable[[], Cases],
        changed: Callable[[], None],
        views: Views,
        clock: Clock,
        settings: Settings,
    ) -> None:
        self._stores = stores
        self._memories = stores.memories
        self._cases = cases
        self._changed = changed
        self._views = views
        self._clock = clock
        self._long_term = settings.memory.long_term

    async def inbox(self, limit: int | None = None) -> list[Memory]:
        """Candidates, oldest first."""
        criteria = memory_curation.criteria("candidate", self._long_term.core_threshold)
        query = MemoryQuery(criteria, sort=MemorySort.ID, counted=False, limit=limit)
        return list((await self._memories.page(query)).records)

    async def waiting(self) -> Waiting:
        """How many wait, of every kind, and since when the oldest does."""
        return await waiting_in(self._stores)

    async def case(self, memory_id: int) -> Case:
        """A memory as it is now, with what a decision about it needs; a candidate is judged anew. Raises NotFound."""
        return await self._cases().case(memory_id)

    async def accept(self, ids: Sequence[int], shown: Mapping[int, str] | None = None) -> RecordsChanged[Memory]:
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
        decide = memory_curation.accept({**texts, **(shown or {})}, same=rule)
        return await self._change("accept", [*ids, *beside], decide)

    async def accept_edited(
        self,
        candidate_id: int,
        shown: str,
        *,
        content: str | None = None,
        type_word: str | None = None,
        tags: Sequence[str] | None = None,
    ) -> RecordsChanged[Memory]:
        """Accept a candidate in the words that a person gave it; `shown` is the text that the person saw."""
        edited = memory_curation.edit(
            content=content, type_word=type_word, tags=tags, max_weight=self._long_term.max_weight
        )
        candidates = await self._memories.get([candidate_id])
        if content is None:
            await self._refuse_deleted(candidates)
        targets = await self._targets(candidates)
        decide = memory_curation.accept({candidate_id: shown}, edited=edited)
        return await self._change("accept", [candidate_id, *targets], decide)

    async def accept_instead(self, candidate_id: int, old_id: int, shown: str) -> RecordsChanged[Memory]:
        """Accept a candidate in the place of another memory, whatever the model wanted replaced."""
        decide = memory_curation.accept({candidate_id: shown}, instead_of=old_id)
        return await self._change("accept", [candidate_id, old_id], decide)

    async def reject(self, ids: Sequence[int]) -> RecordsChanged[Memory]:
        return await self._change("reject", ids, memory_curation.each(memory_curation.reject))

    async def never(self, ids: Sequence[int]) -> RecordsChanged[Memory]:
        """Refuse the candidates, and any facts like them."""
        return await self._change("never", ids, memory_curation.each(memory_curation.never))

    async def merge(
        self, kept_id: int, other_ids: Sequence[int], *, content: str | None = None
    ) -> RecordsChanged[Memory]:
        if content is None:
            await self._refuse_deleted(await self._memories.get([kept_id]))
        decide = memory_curation.merge(kept_id, content=content, max_weight=self._long_term.max_weight)
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

    async def _change(self, action: str, ids: Sequence[int], decide: Decide) -> RecordsChanged[Memory]:
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
        planned = memory_curation.merge(kept.id, content=kept.content, max_weight=self._long_term.max_weight)(memories)
        return MEMORIES.changed(kept, planned[kept.id])

    async def _targets(self, candidates: Sequence[Memory]) -> list[int]:
        """The memories that accepting would archive, as far as they are there."""
        wanted = [memory.would_replace for memory in candidates if memory.would_replace is not None]
        return [memory.id for memory in await self._memories.get(wanted, missing_ok=True)]


async def waiting_in(stores: Stores) -> Waiting:
    """How many wait, of every kind, and since when the oldest does."""
    page = await stores.memories.page(MemoryQuery(StatusCriteria((State.CANDIDATE,)), sort=MemorySort.WAITING, limit=1))
    of_memories = Waiting(page.total, said_again.waiting(page.records).since)
    others = [await _waiting_of(stores.records[kind]) for kind in OTHER_KINDS if kind in stores.records]
    return said_again.together([of_memories, *others])


async def _waiting_of(records: RecordStore[Any]) -> Waiting:
    oldest = RecordQuery({"state": (State.CANDIDATE.value,)}, order=("updated_at", "id"), limit=1)
    page = await records.page(oldest)
    return Waiting(page.total, said_again.waiting(page.records).since)


class _CandidatesOfKind:
    """The candidates of one kind that were read, and those that were not yet."""

    def __init__(self, kind: Kind, stores: Stores, size: int) -> None:
        self.kind = kind
        self.read: deque[Candidate] = deque()
        self._stores = stores
        self._size = size
        self._place: tuple[datetime, int] | None = None
        self._is_over = False

    @property
    def key(self) -> tuple[datetime, Ref]:
        first = self.read[0]
        return waits_since(first), Ref(self.kind, first.id)

    async def see_to_next(self) -> bool:
        """Whether there is a further one; it is read by now."""
        if not self.read and not self._is_over:
            page = await self._page()
            self._is_over = len(page) < self._size
            self.read.extend(page)
            if page:
                self._place = waits_since(page[-1]), page[-1].id
        return bool(self.read)

    async def _page(self) -> Sequence[Candidate]:
        if self.kind == MEMORY:
            waiting = StatusCriteria((State.CANDIDATE,))
            query = MemoryQuery(waiting, sort=MemorySort.WAITING, counted=False, limit=self._size, place=self._place)
            return (await self._stores.memories.page(query)).records
        place = None if self._place is None else (timestamp(self._place[0]), self._place[1])
        of_kind = RecordQuery(
            {"state": (State.CANDIDATE.value,)},
            order=("updated_at", "id"),
            counted=False,
            limit=self._size,
            place=place,
        )
        return (await self._stores.records[self.kind].page(of_kind)).records


class OldestFirst:
    """All that waits, so many at a time."""

    def __init__(self, stores: Stores, size: int) -> None:
        self._kinds = [_CandidatesOfKind(kind, stores, size) for kind in (MEMORY, EPISODE, KNOWLEDGE, GUIDE)]
        self._size = size

    async def pages(self) -> AsyncIterator[list[tuple[Ref, Candidate]]]:
        while page := await self._page():
            yield page

    async def _page(self) -> list[tuple[Ref, Candidate]]:
        page: list[tuple[Ref, Candidate]] = []
        while len(page) < self._size and (there := [each for each in self._kinds if await each.see_to_next()]):
            oldest = min(there, key=lambda each: each.key)
            page.append((oldest.key[1], oldest.read.popleft()))
        return page


A_PAGE = 200
"""So many are read at once. Chosen by hand."""


class InboxOfAllKinds:
    """Candidates of memories, episodes, knowledge and guides. Each kind that is decided about is one operation."""

    def __init__(
        self,
        stores: Stores,
        actions: Mapping[Kind, Inbox | RecordActions[Any]],
        pools: Pools,
    ) -> None:
        self._stores = stores
        self._actions = actions
        self._pools = pools

    async def waits(self, limit: int | None = None) -> list[Waits]:
        """What has waited longest first; of what waits for nothing but to be shown often enough, the nearest to going
        live first."""
        found: list[Waits] = []
        async with aclosing(self.pages(A_PAGE if limit is None else max(1, min(limit, A_PAGE)))) as pages:
            async for page in pages:
                found += page
                if limit is not None and len(found) >= limit:
                    break
        return found[:limit]

    async def pages(self, size: int) -> AsyncGenerator[list[Waits]]:
        """The same, so many at a time: the first ones cost as much where few wait as where many do."""
        order: ByNearness | None = None
        given: set[Ref] = set()
        async for page in OldestFirst(self._stores, size).pages():
            # What changed meanwhile is among the latest now, too.
            waits = await self._as_waits([(ref, each) for ref, each in page if ref not in given])
            given.update(each.ref for each in waits)
            if order is None and any(map(is_unproven, waits)):
                unproven, weighed = await self._pools.unproven()
                order = ByNearness([_waits(memory_ref(each.id), each, {}) for each in unproven], weighed)
            yield waits if order is None else order.placed(waits)
        if order is not None and (left := order.left()):
            yield left

    async def accept(
        self, refs: Sequence[Ref], shown: Mapping[Ref, str] | None = None
    ) -> tuple[RecordsChanged[Any], ...]:
        """`shown` are the texts that the person saw: one that says something else by now is refused. Raises NotFound,
        InvalidInput."""
        seen = {
            kind: {ref.id: text for ref, text in (shown or {}).items() if ref.kind == kind} for kind in self._actions
        }
        return tuple([await self._actions[kind].accept(ids, seen[kind]) for kind, ids in self._by_kind(refs).items()])

    async def reject(self, refs: Sequence[Ref]) -> tuple[RecordsChanged[Any], ...]:
        """Raises NotFound, InvalidInput."""
        return tuple([await self._actions[kind].reject(ids) for kind, ids in self._by_kind(refs).items()])

    def _by_kind(self, refs: Sequence[Ref]) -> Mapping[Kind, Sequence[int]]:
        """All are looked at before one is decided about."""
        for ref in refs:
            if ref.kind not in self._actions:
                raise InvalidInput(
                    template="{ref} can not wait for you", hint="orca memory inbox lists what waits", ref=str(ref)
                )
        kinds = dict.fromkeys(ref.kind for ref in refs)
        return {kind: [ref.id for ref in refs if ref.kind == kind] for kind in kinds}

    async def _as_waits(self, page: Sequence[tuple[Ref, Candidate]]) -> list[Waits]:
        """With the states of the episodes that knowledge was made of, as far as they are there."""
        named = {number for _ref, each in page if isinstance(each, Knowledge) for number in each.source_episodes}
        episodes = await self._stores.records[EPISODE].get(sorted(named), missing_ok=True) if named else []
        sources = {each.id: each.state for each in episodes}
        return [_waits(ref, each, sources) for ref, each in page]


def _waits(ref: Ref, candidate: Any, sources: Mapping[int, State]) -> Waits:
    return Waits(
        ref=ref,
        text=candidate_line(candidate),
        since=waits_since(candidate),
        held_because=candidate.held_because,
        held_now=held_now(candidate, sources),
        origin=candidate.origin,
        record=candidate,
    )
