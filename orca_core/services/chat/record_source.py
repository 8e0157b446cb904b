"""A source for a further kind of record: finds records near the question by words and by vectors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic

from msgspec import Struct

from orca_core.model.llm import Clock
from orca_core.model.recall import Level
from orca_core.model.records import R, RecordType
from orca_core.rules.retrieval.choosing import ranking
from orca_core.rules.retrieval.choosing.injection import RecallPlan
from orca_core.rules.retrieval.choosing.ranking import FoundRecord, Selection
from orca_core.rules.retrieval.finding import fusion
from orca_core.rules.retrieval.finding.floors import Floor
from orca_core.rules.retrieval.finding.measuring import Measured
from orca_core.services.chat.sources import EMPTY, Looking
from orca_core.services.shared.search import MemorySearch


class Slots(Struct, frozen=True):
    """How many records of a kind a plan gives a turn, and how near they must be."""

    count: Callable[[RecallPlan], int]
    floor: Callable[[RecallPlan], Floor]


AS_MEMORIES = Slots(lambda plan: plan.long_count, lambda plan: plan.floor)
"""As many, and as near, as long-term memories of the same turn."""


class RecordSource(Generic[R]):
    """Records of one kind above the floor, up to their slots, best first. `line` is what the model is shown of one,
    where that is not the text that it was found by."""

    def __init__(
        self,
        record_type: RecordType[R],
        search: MemorySearch,
        clock: Clock,
        slots: Slots = AS_MEMORIES,
        line: Callable[[R], str] | None = None,
    ) -> None:
        self._type = record_type
        self._search = search
        self._clock = clock
        self._slots = slots
        self._line = line or record_type.text

    async def select(self, looking: Looking) -> Selection:
        plan = looking.plan
        count = self._slots.count(plan)
        if not count or looking.level >= Level.SHORT_TERM_ONLY:
            return EMPTY
        query = await looking.prepared(self._search)
        records, measured, rules = await self._search.records(query, self._type)
        looking.add(rules)
        found = [self._found(record, measured) for record in records]
        return ranking.select_records(found, count, plan.reason, query.embedding, self._slots.floor(plan))

    def _found(self, record: R, measured: Measured) -> FoundRecord:
        ref = self._type.ref(record)
        made_at = self._type.made_at(record)
        age_days = 0.0 if made_at is None else (self._clock.now() - made_at).total_seconds() / 86_400
        return FoundRecord(
            ref=ref,
            text=self._line(record),
            made_at=made_at,
            parts=fusion.score(measured.relevance[ref.id], weight=0.0, max_weight=1.0, age_days=age_days),
            evidence=measured.evidence[ref.id],
        )
