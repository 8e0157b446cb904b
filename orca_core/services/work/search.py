"""Searches records of work for a text: by words and by vectors, put in order by a reranker where there is one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic

from orca_core.model.episodes import W, WorkFound, WorkHit
from orca_core.model.llm import Clock
from orca_core.model.operations import Actor, OperationHeader
from orca_core.model.records import RecordType
from orca_core.rules.retrieval.choosing.reranking import CANDIDATES_A_PLACE, in_order
from orca_core.rules.retrieval.finding import fusion
from orca_core.rules.retrieval.finding.floors import FLOORS, is_relevant
from orca_core.rules.retrieval.finding.measuring import Measured
from orca_core.rules.work import curation
from orca_core.rules.work.curation import accessed
from orca_core.services.shared.levels import Levels
from orca_core.services.shared.search import MemorySearch, Reranking
from orca_core.store.protocols.records import RecordStore

DAY_S = 86_400


class WorkSearch(Generic[W]):
    """Finds the live records of one kind. What it returns counts as accessed."""

    def __init__(
        self,
        record_type: RecordType[W],
        store: RecordStore[W],
        search: MemorySearch,
        reranking: Reranking,
        levels: Levels,
        clock: Clock,
    ) -> None:
        self._type = record_type
        self._store = store
        self._search = search
        self._reranking = reranking
        self._levels = levels
        self._clock = clock

    async def find(self, text: str, limit: int) -> WorkFound[W]:
        """The nearest live ones above the floor, best first. Three times as many as are wanted are put in order."""
        query = await self._search.prepare(text)
        found, measured, found_by = await self._search.records(query, self._type)
        there = {record.id: record for record in found}
        near = [
            there[number]
            for number in measured.nearest(len(measured.relevance))
            if is_relevant(measured.evidence[number], query.embedding, FLOORS.searched)
        ]
        hits = [self._hit(record, measured) for record in near[: CANDIDATES_A_PLACE * limit] if curation.lives(record)]
        hits.sort(key=lambda hit: -hit.parts.total)
        ranks, rules = await self._reranking.ranks(text, [hit.record.text for hit in hits])
        if ranks is not None:
            named, rest = in_order(len(hits), ranks)
            hits = [hits[at] for at in (*named, *rest)]
        level, cause = await self._levels.current()
        await self._count([hit.record.id for hit in hits[:limit]])
        return WorkFound(tuple(hits[:limit]), level, cause, (*found_by, *rules))

    async def _count(self, ids: Sequence[int]) -> None:
        """That they were returned to who asked: one operation a request, which is nobody's to undo."""
        now = self._clock.now()
        if ids:
            header = OperationHeader(Actor.TURN, "access", now)
            await self._store.change_all(ids, header, lambda found: {each.id: accessed(each, now) for each in found})

    def _hit(self, record: W, measured: Measured) -> WorkHit[W]:
        age_days = (self._clock.now() - record.created_at).total_seconds() / DAY_S
        parts = fusion.score(measured.relevance[record.id], weight=0.0, max_weight=1.0, age_days=age_days)
        return WorkHit(record, parts)
