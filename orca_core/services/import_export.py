"""What leaves a home for another, and what comes into one: records of Orca, or the file of another program. What comes
is read to its end and brought in as one operation."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from contextlib import aclosing, contextmanager
from datetime import datetime
from itertools import islice
from threading import Event
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from orca_core.jobs.upkeep import compared
from orca_core.model.errors import InvalidInput
from orca_core.model.import_export import (
    IMPORT,
    Arrival,
    Arrived,
    Arriving,
    Brought,
    Coming,
    ForeignBrought,
    ForeignEntry,
    ImportProgress,
    ImportStage,
    ImportTerms,
    LeftOut,
    Offered,
    Packed,
    PackedOperation,
    Repeated,
)
from orca_core.model.llm import Clock
from orca_core.model.memories import MEMORIES, NearMemory, State
from orca_core.model.operations import Actor, OperationHeader
from orca_core.model.record_types import EPISODE, GUIDE, KNOWLEDGE, RecordType
from orca_core.rules.memory.import_records import Folding, checked, checked_operation, coming, untrusted
from orca_core.rules.memory.import_statements import offers
from orca_core.rules.memory.memory_curation import status_by, status_of_work
from orca_core.store.ports import ExportSnapshot as Snapshot
from orca_core.store.ports import StagedImport, Transfers

BATCH = 200
"""So many records are put down at once. Chosen by hand."""
COMES = (Arrival.NEW, Arrival.CANDIDATE)

Tell = Callable[[ImportProgress], None]
NearTo = Callable[[str], Awaitable[NearMemory | None]]
"""The memory nearest to a text, where one is near."""
HearForeign = Callable[[Arrived | LeftOut | Repeated], None]


class _Import:
    """One import, at one time."""

    def __init__(self, arrivals: StagedImport, terms: ImportTerms, at: datetime, *, is_trusted: bool) -> None:
        self._arrivals = arrivals
        self._terms = terms
        self._at = at
        self._is_trusted = is_trusted

    async def _bring(self, tell: Tell) -> Brought:
        """Decide about all that was put down, and bring in what comes, unless it only looks."""
        brought = Brought(None, await self._arrivals.decide(), self._is_trusted)
        if brought.count(*COMES) and not self._terms.looks_only:
            operation, counts = await self._arrivals.bring(OperationHeader(Actor.USER, IMPORT, self._at), tell)
            brought = replace(brought, operation=operation, counts=counts)
        return brought


class ForeignImporting(_Import):
    """Of another program's file. Whatever comes waits for a person, unless it is trusted."""

    def __init__(self, arrivals: StagedImport, terms: ImportTerms, at: datetime, near_to: NearTo) -> None:
        super().__init__(arrivals, terms, at, is_trusted=terms.trust)
        self._near_to = near_to

    async def carry_out(self, entries: Iterable[ForeignEntry], tell: Tell, hear: HearForeign) -> ForeignBrought:
        """Read all of it, then bring it in, unless it only looks: then each that would come is heard with the memory
        nearest to it. What is left out or said again is heard while it is read, what comes at the end."""
        folding, left = await self._read_aside(entries, tell, hear)
        folded = iter(folding.folded)
        while some := list(islice(folded, BATCH)):
            await self._arrivals.put([coming(each, self._at, is_trusted=self._terms.trust) for each in some])
        brought = await self._bring(tell)
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


Hear = Callable[[Arrived], None]


class Importing(_Import):
    """Of a document of Orca's own."""

    async def carry_out(self, arriving: Iterable[Arriving], tell: Tell, hear: Hear | None) -> Brought:
        """Read all of it, then bring it in, unless it only looks."""
        reading = iter(arriving)
        done = 0
        while batch := list(islice(reading, BATCH)):
            await self._arrivals.put([self._coming(each) for each in batch])
            done += len(batch)
            tell(ImportProgress(ImportStage.READING, done))
        brought = await self._bring(tell)
        if hear is not None:
            async for each in self._arrivals.arrived():
                hear(each)
        return brought

    def _coming(self, arriving: Arriving) -> Coming:
        with _at_its_place(arriving):
            if isinstance(arriving.packed, PackedOperation):
                return Coming(replace(arriving, packed=checked_operation(arriving.packed)))
            whole = checked(arriving.packed, self._at)
        if self._is_trusted:
            return Coming(replace(arriving, packed=whole))
        waiting = untrusted(whole, self._at)
        if waiting is None:
            return Coming(replace(arriving, packed=replace(whole, history=())), Arrival.LEFT_OUT)
        return Coming(replace(arriving, packed=waiting), Arrival.CANDIDATE)


@contextmanager
def _at_its_place(arriving: Arriving) -> Iterator[None]:
    """Say of a record that is refused where it stands."""
    try:
        yield
    except InvalidInput as error:
        field = str(error.fields.get("field") or "")
        raise InvalidInput(
            template="{place}, line {line}: {reason}",
            hint=error.way_out_template,
            reason_template=error.sentence_template,
            **{
                **error.fields,
                "reason": error.message,
                "place": f"{arriving.place}.{field}".removesuffix("."),
                "line": arriving.line,
            },
        ) from error


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


class ImportExport:
    """The doors of a home."""

    def __init__(
        self,
        store: Transfers,
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
        async with aclosing(await self._store.arrivals(again=terms.again)) as arrivals:
            importing = Importing(arrivals, terms, self._clock.now(), is_trusted=is_trusted)
            brought = await importing.carry_out(arriving, tell, hear)
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
        async with aclosing(await self._store.arrivals(again=terms.again)) as arrivals:
            importing = ForeignImporting(arrivals, terms, self._clock.now(), lambda text: self._cases().near_to(text))
            brought = await importing.carry_out(entries, tell, hear)
        if brought.brought.operation is not None:
            await self._compare(tell)
        return brought

    async def _compare(self, tell: Tell) -> None:
        try:
            async for done, waiting in compared(self._store, self._clock, COMPARED_WITHIN_S):
                tell(ImportProgress(ImportStage.COMPARING, done, waiting))
        finally:
            self._changed()

    async def export(self) -> Export:
        """Take a snapshot, which is to be closed."""
        return Export(await self._store.snapshot(), self._core_threshold)
