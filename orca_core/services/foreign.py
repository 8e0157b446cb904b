"""What comes into a home out of another program's file: read to its end, folded, and brought in as one operation."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from datetime import datetime
from itertools import islice
from threading import Event

from msgspec.structs import replace

from orca_core.model.import_export import (
    IMPORT,
    Arrival,
    Arrived,
    Brought,
    ForeignBrought,
    ForeignEntry,
    ImportProgress,
    ImportStage,
    ImportTerms,
    LeftOut,
    Offered,
    Repeated,
)
from orca_core.model.memories import NearMemory
from orca_core.model.operations import Actor, OperationHeader
from orca_core.rules.importing.arriving import coming
from orca_core.rules.importing.folding import Folding
from orca_core.rules.importing.offering import offers
from orca_core.store.protocols.exchange import Arrivals

BATCH = 200
COMES = (Arrival.NEW, Arrival.CANDIDATE)

Tell = Callable[[ImportProgress], None]
NearTo = Callable[[str], Awaitable[NearMemory | None]]
"""The memory nearest to a text, where one is near."""
HearForeign = Callable[[Arrived | LeftOut | Repeated], None]


class ForeignImporting:
    """One import, at one time."""

    def __init__(self, arrivals: Arrivals, terms: ImportTerms, at: datetime, near_to: NearTo) -> None:
        self._arrivals = arrivals
        self._near_to = near_to
        self._terms = terms
        self._at = at

    async def carry_out(self, entries: Iterable[ForeignEntry], tell: Tell, hear: HearForeign) -> ForeignBrought:
        """Read all of it, then bring it in, unless it only looks: then each that would come is heard with the memory
        nearest to it. What is left out or said again is heard while it is read, what comes at the end."""
        folding, left = await self._read_aside(entries, tell, hear)
        folded = iter(folding.folded)
        while some := list(islice(folded, BATCH)):
            await self._arrivals.put([coming(each, self._at, is_trusted=self._terms.trust) for each in some])
        brought = Brought(None, await self._arrivals.decide(), self._terms.trust)
        if brought.count(*COMES) and not self._terms.looks_only:
            operation, counts = await self._arrivals.bring(OperationHeader(Actor.USER, IMPORT, self._at), tell)
            brought = replace(brought, operation=operation, counts=counts)
        looked_at = {each.offered.uid: each.offered for each in folding.folded} if self._terms.looks_only else {}
        done, coming_in_all = 0, brought.count(*COMES)
        async for each in self._arrivals.arrived():
            offered = looked_at.get(each.uid) if each.arrival in COMES else None
            hear(each if offered is None else await self._told(each, offered))
            if offered is not None:
                done += 1
                tell(ImportProgress(ImportStage.COMPARING, done, coming_in_all))
        return ForeignBrought(brought, dict(left), sum(each.count - 1 for each in folding.folded))

    async def _told(self, arrived: Arrived, offered: Offered) -> Arrived:
        return replace(
            arrived,
            near=await self._near_to(offered.content),
            held_because=offered.held_because if arrived.arrival is Arrival.CANDIDATE else "",
            quote=offered.quote,
            said_at=offered.said_at,
        )

    async def _read_aside(
        self, entries: Iterable[ForeignEntry], tell: Tell, hear: HearForeign
    ) -> tuple[Folding, Counter[str]]:
        """Read in a thread, for one chat may take minutes: whoever cancels ends it at the next message."""
        is_cancelled = Event()
        try:
            return await asyncio.to_thread(self._read, entries, tell, hear, is_cancelled)
        except asyncio.CancelledError:
            is_cancelled.set()
            raise

    def _read(
        self, entries: Iterable[ForeignEntry], tell: Tell, hear: HearForeign, is_cancelled: Event
    ) -> tuple[Folding, Counter[str]]:
        folding = Folding()
        left: Counter[str] = Counter()
        read = 0

        def one_more() -> None:
            nonlocal read
            if is_cancelled.is_set():
                raise asyncio.CancelledError
            read += 1
            tell(ImportProgress(ImportStage.READING, read))

        for entry in entries:
            for each in offers(entry, one_more):
                if isinstance(each, LeftOut):
                    left[each.why.value] += 1
                    hear(each)
                else:
                    self._take(folding, each, hear)
            one_more()
        return folding, left

    def _take(self, folding: Folding, offered: Offered, hear: HearForeign) -> None:
        folded = folding.take(offered)
        if folded.count > 1:
            hear(Repeated(offered.place, folded.offered.place))
