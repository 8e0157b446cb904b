"""The inbox: what was learnt of any kind and waits for a person."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from contextlib import aclosing
from datetime import datetime
from typing import Any

from orca_core.model.errors import InvalidInput
from orca_core.model.knowledge import Knowledge
from orca_core.model.memories import Candidate, InboxItem, State
from orca_core.model.operations import RecordsChanged
from orca_core.model.record_types import EPISODE, GUIDE, KNOWLEDGE, MEMORY, Kind, Ref, timestamp
from orca_core.model.views import InboxCount, MemoryQuery, MemorySort, RecordPage, RecordQuery, StatusCriteria
from orca_core.operations.stores import Stores
from orca_core.rules.memory import said_again
from orca_core.rules.memory.said_again import waits_since
from orca_core.rules.work.episode_updates import candidate_line, held_now
from orca_core.services.memories import Memories
from orca_core.services.work_records import WorkRecords

KINDS = (MEMORY, EPISODE, KNOWLEDGE, GUIDE)
"""The kinds whose candidates wait for a person."""
PAGE = 200
"""So many are read at once. Chosen by hand."""

Place = tuple[datetime, int]
"""Since when a candidate waits, and its number."""
Waiter = tuple[datetime, Ref, Candidate]


async def _candidates(
    stores: Stores, kind: Kind, limit: int, place: Place | None = None, *, counted: bool = False
) -> RecordPage[Any]:
    """Those of one kind, the oldest first, from behind a place."""
    if kind == MEMORY:
        criteria = StatusCriteria((State.CANDIDATE,))
        memories = MemoryQuery(criteria, sort=MemorySort.WAITING, counted=counted, limit=limit, place=place)
        return await stores.memories.page(memories)
    records = RecordQuery(
        {"state": (State.CANDIDATE.value,)},
        order=("updated_at", "id"),
        counted=counted,
        limit=limit,
        place=None if place is None else (timestamp(place[0]), place[1]),
    )
    return await stores.records[kind].page(records)


async def waiting_in(stores: Stores) -> InboxCount:
    """How many wait, of every kind, and since when the oldest does."""
    there = [kind for kind in KINDS if kind == MEMORY or kind in stores.records]
    pages = [await _candidates(stores, kind, 1, counted=True) for kind in there]
    return said_again.joined_waiting(
        [InboxCount(page.total, said_again.count_waiting(page.records).since) for page in pages]
    )


class Inbox:
    """Candidates of every kind, decided about a kind an operation. `services` are those of each kind."""

    def __init__(self, stores: Stores, services: Callable[[], Mapping[Kind, Memories | WorkRecords[Any]]]) -> None:
        self._stores = stores
        self._services = services

    async def waiting(self) -> InboxCount:
        """How many wait, and since when the oldest does."""
        return await waiting_in(self._stores)

    async def waits(self, limit: int | None = None) -> list[InboxItem]:
        """What has waited longest first."""
        found: list[InboxItem] = []
        async with aclosing(self.pages(PAGE if limit is None else max(1, min(limit, PAGE)))) as pages:
            async for page in pages:
                found += page
                if limit is not None and len(found) >= limit:
                    break
        return found[:limit]

    async def pages(self, size: int) -> AsyncGenerator[list[InboxItem]]:
        """The same, so many at a time: the first ones cost as much where few wait as where many do."""
        given: set[Ref] = set()
        async for page in self._oldest_first(size):
            # What changed meanwhile is among the latest now, too.
            waits = await self._as_waits([(ref, each) for _since, ref, each in page if ref not in given])
            given.update(each.ref for each in waits)
            yield waits

    async def accept(
        self, refs: Sequence[Ref], shown: Mapping[Ref, str] | None = None
    ) -> tuple[RecordsChanged[Any], ...]:
        """`shown` are the texts that the person saw: one that says something else by now is refused. Raises NotFound,
        InvalidInput."""
        services, decided = self._services(), []
        for kind, ids in _by_kind(refs).items():
            seen = {ref.id: text for ref, text in (shown or {}).items() if ref.kind == kind}
            decided.append(await services[kind].accept(ids, seen))
        return tuple(decided)

    async def reject(self, refs: Sequence[Ref]) -> tuple[RecordsChanged[Any], ...]:
        """Raises NotFound, InvalidInput."""
        services = self._services()
        return tuple([await services[kind].reject(ids) for kind, ids in _by_kind(refs).items()])

    async def _oldest_first(self, size: int) -> AsyncIterator[list[Waiter]]:
        """The candidates of all kinds, so many at a time."""
        streams = [self._of_kind(kind, size) for kind in KINDS]
        heads = [await anext(stream, None) for stream in streams]
        page: list[Waiter] = []
        while there := [(head[:2], number) for number, head in enumerate(heads) if head is not None]:
            _key, number = min(there)
            if (oldest := heads[number]) is not None:
                page.append(oldest)
            if len(page) == size:
                yield page
                page = []
            heads[number] = await anext(streams[number], None)
        if page:
            yield page

    async def _of_kind(self, kind: Kind, size: int) -> AsyncGenerator[Waiter]:
        place: Place | None = None
        while page := (await _candidates(self._stores, kind, size, place)).records:
            for each in page:
                yield waits_since(each), Ref(kind, each.id), each
            if len(page) < size:
                return
            place = waits_since(page[-1]), page[-1].id

    async def _as_waits(self, page: Sequence[tuple[Ref, Candidate]]) -> list[InboxItem]:
        """With the states of the episodes that knowledge was made of, as far as they are there."""
        named = {number for _ref, each in page if isinstance(each, Knowledge) for number in each.source_episodes}
        episodes = await self._stores.records[EPISODE].get(sorted(named), missing_ok=True) if named else []
        sources = {each.id: each.state for each in episodes}
        return [_waits(ref, each, sources) for ref, each in page]


def _by_kind(refs: Sequence[Ref]) -> Mapping[Kind, Sequence[int]]:
    """All are looked at before one is decided about."""
    for ref in refs:
        if ref.kind not in KINDS:
            raise InvalidInput(
                template="{ref} can not wait for you", hint="orca memory inbox lists what waits", ref=str(ref)
            )
    return {kind: [ref.id for ref in refs if ref.kind == kind] for kind in dict.fromkeys(ref.kind for ref in refs)}


def _waits(ref: Ref, candidate: Any, sources: Mapping[int, State]) -> InboxItem:
    return InboxItem(
        ref=ref,
        text=candidate_line(candidate),
        since=waits_since(candidate),
        held_because=candidate.held_because,
        held_now=held_now(candidate, sources),
        origin=candidate.origin,
        record=candidate,
    )
