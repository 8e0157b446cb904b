"""Candidates of all kinds in one order, the oldest first, read as far as somebody goes on."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from orca_core.model.memories import Candidate, State
from orca_core.model.records import EPISODE, GUIDE, KNOWLEDGE, MEMORY, Kind, Ref, timestamp
from orca_core.model.views import MemoryQuery, MemorySort, RecordQuery, StatusCriteria
from orca_core.rules.memory.waiting import waits_since
from orca_core.store.protocols import MemoryStore, RecordStore


class _OfKind:
    """The candidates of one kind that were read, and those that were not yet."""

    def __init__(self, kind: Kind, memories: MemoryStore, records: Mapping[Kind, RecordStore[Any]], size: int) -> None:
        self.kind = kind
        self.read: deque[Candidate] = deque()
        self._memories = memories
        self._records = records
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
            return (await self._memories.page(query)).memories
        place = None if self._place is None else (timestamp(self._place[0]), self._place[1])
        of_kind = RecordQuery(
            {"state": (State.CANDIDATE.value,)},
            order=("updated_at", "id"),
            counted=False,
            limit=self._size,
            place=place,
        )
        return (await self._records[self.kind].page(of_kind)).records


class OldestFirst:
    """All that waits, so many at a time."""

    def __init__(self, memories: MemoryStore, records: Mapping[Kind, RecordStore[Any]], size: int) -> None:
        self._kinds = [_OfKind(kind, memories, records, size) for kind in (MEMORY, EPISODE, KNOWLEDGE, GUIDE)]
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
