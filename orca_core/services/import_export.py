"""What leaves a home for another, and what comes into one: records of Orca, or the file of another program. What comes
is read to its end and brought in as one operation."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from datetime import datetime
from itertools import islice

from msgspec.structs import replace

from orca_core.jobs.upkeep import compared
from orca_core.model.import_export import (
    COMES,
    IMPORT,
    ExportedOperation,
    ExportedRecord,
    ForeignEntry,
    ImportedRecord,
    ImportProgress,
    ImportResult,
    ImportStage,
    ImportTerms,
    IncomingRecord,
    SkippedEntry,
    SkipReason,
)
from orca_core.model.llm import Clock
from orca_core.model.operations import Actor, OperationHeader
from orca_core.operations.exports import ExportStore
from orca_core.operations.imports import ImportStore
from orca_core.rules.memory.foreign_memories import OfferedOnce, incoming_memory, offered_memories
from orca_core.rules.memory.import_records import checked_operation, incoming
from orca_core.serialize.export_writer import ExportWriter

BATCH = 200
"""So many records are staged at once. Chosen by hand."""
COMPARED_WITHIN_S = 5.0
"""So long an import waits for its memories to be compared with others; the rest is done in the background. Chosen by
hand."""

Tell = Callable[[ImportProgress], None]
Hear = Callable[[ImportedRecord | SkippedEntry], None]
Incoming = IncomingRecord | ExportedOperation


class ImportExport:
    """Imports into one scope, and exports of it."""

    def __init__(
        self,
        imports: ImportStore,
        exports: ExportStore,
        changed: Callable[[], None],
        clock: Clock,
        core_threshold: float,
    ) -> None:
        self._imports = imports
        self._exports = exports
        self._changed = changed
        self._clock = clock
        self._core_threshold = core_threshold

    async def export(self, tell: Callable[[int], None] = lambda _: None) -> list[bytes]:
        """The document in pieces; `tell` hears, from another thread, how many records are written. Raises InvalidInput
        where it would be larger than any that is read."""
        writer = ExportWriter(self._core_threshold, tell)
        await self._exports.read(writer.take)
        return writer.close()

    async def counts(self) -> dict[str, int]:
        """How many records an export has in each of its lists."""
        return await self._exports.counts()

    async def import_records(
        self,
        records: Iterable[ExportedRecord | ExportedOperation],
        terms: ImportTerms,
        *,
        tell: Tell = lambda _: None,
        hear: Hear = lambda _: None,
    ) -> ImportResult:
        """Read all of an export, then bring it in as one operation, unless it only looks; `hear` is told of each
        record. Raises InvalidInput, which names the place: nothing was written then."""
        at, is_trusted = self._clock.now(), terms.trust or await self._imports.is_empty()

        def read() -> Iterator[Incoming]:
            for each in records:
                if isinstance(each, ExportedOperation):
                    yield checked_operation(each)
                else:
                    yield incoming(each, at, is_trusted=is_trusted)

        return await self._bring(read(), terms, at, tell, hear, is_trusted=is_trusted)

    async def import_foreign(
        self,
        entries: Iterable[ForeignEntry],
        terms: ImportTerms,
        *,
        tell: Tell = lambda _: None,
        hear: Hear = lambda _: None,
    ) -> ImportResult:
        """The same of another program's file. Whatever comes waits for a person, also in an empty home, unless it is
        trusted. What is skipped is heard while it is read."""
        at, offered, skipped = self._clock.now(), OfferedOnce(), Counter[SkipReason]()
        repeated = 0

        def read() -> Iterator[Incoming]:
            nonlocal repeated
            for entry in entries:
                for each in offered_memories(entry):
                    if isinstance(each, SkippedEntry):
                        skipped[each.why] += 1
                        hear(each)
                    else:
                        repeated += not offered.add(each)
            yield from (incoming_memory(each, at, is_trusted=terms.trust) for each in offered)

        result = await self._bring(read(), terms, at, tell, hear, is_trusted=terms.trust)
        return replace(result, skipped=dict(skipped), repeated=repeated)

    async def _bring(
        self, records: Iterator[Incoming], terms: ImportTerms, at: datetime, tell: Tell, hear: Hear, *, is_trusted: bool
    ) -> ImportResult:
        with closing(self._imports.begin(again=terms.again)) as staged:
            done = 0
            while batch := await _next_batch(records):
                await staged.stage(batch)
                done += len(batch)
                tell(ImportProgress(ImportStage.READING, done))
            result = ImportResult(None, await staged.look(), is_trusted)
            if (coming := result.count(*COMES)) and not terms.looks_only:
                tell(ImportProgress(ImportStage.COMING, coming, coming))
                operation, counts = await staged.bring(OperationHeader(Actor.USER, IMPORT, at))
                result = replace(result, operation=operation, counts=counts)
            for each in staged.records():
                hear(each)
        if result.operation is not None:
            await self._compare(tell)
        return result

    async def _compare(self, tell: Tell) -> None:
        try:
            async for done, waiting in compared(self._imports, self._clock, COMPARED_WITHIN_S):
                tell(ImportProgress(ImportStage.COMPARING, done, waiting))
        finally:
            self._changed()


async def _next_batch(records: Iterator[Incoming]) -> list[Incoming]:
    """Read in a thread: a file may be long, and a pipe slow."""
    return await asyncio.to_thread(lambda: list(islice(records, BATCH)))
