"""What leaves a home for another, and what comes into one."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from orca_core.jobs.upkeep import compared
from orca_core.model.import_export import (
    Arriving,
    Brought,
    ForeignBrought,
    ForeignEntry,
    ImportProgress,
    ImportStage,
    ImportTerms,
    Packed,
    PackedOperation,
)
from orca_core.model.llm import Clock
from orca_core.model.memories import MEMORIES, NearMemory, State
from orca_core.model.records import EPISODE, GUIDE, KNOWLEDGE, RecordType
from orca_core.rules.memory.status import status_by, status_of_work
from orca_core.services.foreign import ForeignImporting, HearForeign
from orca_core.services.importing import Hear, Importing, Tell
from orca_core.store.protocols.exchange import ExchangeStore, Snapshot

if TYPE_CHECKING:
    from orca_core.services.cases import Cases

COMPARED_WITHIN_S = 5.0
"""So long an import waits for its memories to be compared with others; the rest is done in the background. Chosen by
hand."""
_OF_WORK = (EPISODE, KNOWLEDGE, GUIDE)


class Export:
    """Everything of a scope, as of one moment. Close it."""

    def __init__(self, snapshot: Snapshot, core_threshold: float) -> None:
        self._snapshot = snapshot
        self._core_threshold = core_threshold

    @property
    def counts(self) -> dict[str, int]:
        """How many records each list has."""
        return self._snapshot.counts

    async def records(self, record_type: RecordType[Any]) -> AsyncIterator[Packed]:
        """The records of a kind with the status that people see, in the order in which they were made."""
        async for packed in self._snapshot.records(record_type):
            yield self._with_status(packed)

    def operations(self) -> AsyncIterator[PackedOperation]:
        """Those of which something travels, in their order."""
        return self._snapshot.operations()

    async def aclose(self) -> None:
        await self._snapshot.aclose()

    def _with_status(self, packed: Packed) -> Packed:
        if packed.kind == MEMORIES.kind:
            status = status_by(State(packed.fields["state"]), packed.fields["weight"], self._core_threshold)
            return replace(packed, status=status)
        if packed.kind in _OF_WORK:
            return replace(packed, status=status_of_work(State(packed.fields["state"])))
        return packed


class Exchange:
    """The doors of a home."""

    def __init__(
        self,
        store: ExchangeStore,
        cases: Callable[[], Cases],
        changed: Callable[[], None],
        clock: Clock,
        core_threshold: float,
    ) -> None:
        self._store = store
        self._cases = cases
        self._changed = changed
        self._clock = clock
        self._core_threshold = core_threshold

    async def bring(
        self, arriving: Iterable[Arriving], terms: ImportTerms, *, tell: Tell = lambda _: None, hear: Hear | None = None
    ) -> Brought:
        """Read all of it, then bring it in as one operation, unless it only looks. Raises InvalidInput, which names the
        place: nothing was written then."""
        is_trusted = terms.trust or await self._store.is_empty()
        arrivals = await self._store.arrivals(again=terms.again)
        try:
            importing = Importing(arrivals, terms, self._clock.now(), is_trusted=is_trusted)
            brought = await importing.carry_out(arriving, tell, hear)
        finally:
            await arrivals.aclose()
        if brought.operation is not None:
            await self._compare(tell)
        return brought

    async def bring_foreign(
        self,
        entries: Iterable[ForeignEntry],
        terms: ImportTerms,
        *,
        tell: Tell = lambda _: None,
        hear: HearForeign = lambda _: None,
    ) -> ForeignBrought:
        """The same of another program's file. Whatever comes waits for a person, also in an empty home, unless it is
        trusted."""
        arrivals = await self._store.arrivals(again=terms.again)
        try:
            importing = ForeignImporting(arrivals, terms, self._clock.now(), self._near_to)
            brought = await importing.carry_out(entries, tell, hear)
        finally:
            await arrivals.aclose()
        if brought.brought.operation is not None:
            await self._compare(tell)
        return brought

    async def _compare(self, tell: Tell) -> None:
        try:
            async for done, waiting in compared(self._store, self._clock, COMPARED_WITHIN_S):
                tell(ImportProgress(ImportStage.COMPARING, done, waiting))
        finally:
            self._changed()

    async def _near_to(self, text: str) -> NearMemory | None:
        return await self._cases().near_to(text)

    async def export(self) -> Export:
        """Take a snapshot, which is to be closed."""
        return Export(await self._store.snapshot(), self._core_threshold)
