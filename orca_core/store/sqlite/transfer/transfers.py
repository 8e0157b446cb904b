"""Imports and exports of one scope: a staged import is looked at, and brought in as one."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from datetime import datetime
from functools import partial

import apsw

from orca_core.model.import_export import (
    TRAVELLING,
    Arrival,
    Arrived,
    Coming,
    ImportCounts,
    ImportProgress,
    ImportStage,
)
from orca_core.model.operations import OperationHeader
from orca_core.model.record_types import Ref
from orca_core.operations.memory_pairs import Looked, look, make_ready, note, waiting_to_be_compared
from orca_core.store.ports import Rows
from orca_core.store.sqlite.engine.connection import writing
from orca_core.store.sqlite.engine.database import effort
from orca_core.store.sqlite.engine.scope import Scope
from orca_core.store.sqlite.transfer import import_staging
from orca_core.store.sqlite.transfer.export_snapshot import SQLiteExportSnapshot
from orca_core.store.sqlite.transfer.import_decisions import COMES, Deciding, bring, is_empty, last_operation
from orca_core.store.sqlite.transfer.travelling_records import RowMaker

Tell = Callable[[ImportProgress], None]

PAGE = 500
_KINDS = {each.kind.name: (name, each.kind) for name, each in TRAVELLING.items()}
_COUNTS = "SELECT kind, arrival, count(*) FROM staging.arriving GROUP BY kind, arrival"
_ARRIVED = (
    "SELECT n, kind, label, uid, place, line, arrival, number FROM staging.arriving WHERE n > ? ORDER BY n LIMIT ?"
)


class StagedImport:
    """One import. Close it: what was not brought in by then is gone."""

    def __init__(self, scope: Scope, *, again: bool) -> None:
        self._scope = scope
        self._side = scope.aside()
        self._again = again
        self._seen = 0

    async def begin(self) -> None:
        await self._side.run(import_staging.open_staging)

    async def put(self, batch: Sequence[Coming]) -> None:
        await self._side.run(lambda connection: import_staging.put_down(connection, self._maker(connection), batch))

    async def decide(self) -> ImportCounts:
        def look(connection: apsw.Connection) -> ImportCounts:
            import_staging.all_is_put_down(connection)
            with import_staging.changing(connection):
                self._decide(connection)
            return _counts(connection)

        return await self._side.run(look)

    async def arrived(self) -> AsyncIterator[Arrived]:
        last = 0
        while page := await self._side.run(partial(_page, after=last)):
            for number, each in page:
                yield each
                last = number

    async def bring(self, header: OperationHeader, tell: Tell) -> tuple[int, ImportCounts]:
        def come(connection: apsw.Connection) -> tuple[int, ImportCounts]:
            with writing(connection):
                if last_operation(connection, self._scope.own) != self._seen:
                    self._decide(connection)
                operation = bring(connection, self._scope.own, self._maker(connection), header)
            return operation, _counts(connection)

        coming = await self._side.run(_coming)
        tell(ImportProgress(ImportStage.COMING, coming, coming))
        return await self._side.run(come)

    async def aclose(self) -> None:
        await self._side.aclose()

    def _decide(self, connection: apsw.Connection) -> None:
        self._seen = last_operation(connection, self._scope.own)
        Deciding(connection, self._scope.own, again=self._again).all()

    def _maker(self, connection: apsw.Connection) -> RowMaker:
        return RowMaker(self._scope.rows_of(connection), self._scope.own)


def _counts(connection: apsw.Connection) -> ImportCounts:
    counts: dict[str, dict[Arrival, int]] = {}
    for kind, arrival, count in connection.execute(_COUNTS):
        name, _kind = _KINDS[str(kind)]
        counts.setdefault(name, {})[Arrival(str(arrival))] = int(str(count))
    return counts


def _coming(connection: apsw.Connection) -> int:
    return sum(counts.get(arrival, 0) for counts in _counts(connection).values() for arrival in map(Arrival, COMES))


def _page(connection: apsw.Connection, after: int) -> list[tuple[int, Arrived]]:
    found = []
    for n, kind, label, uid, place, line, arrival, number in connection.execute(_ARRIVED, (after, PAGE)).fetchall():
        name, of = _KINDS[str(kind)]
        ref = None if number is None else Ref(of, int(str(number)))
        arrived = Arrived(name, str(label), str(uid), str(place), int(str(line)), Arrival(str(arrival)), ref)
        found.append((int(str(n)), arrived))
    return found


async def is_home_empty(scope: Scope) -> bool:
    return await scope.on_reader(lambda connection: is_empty(connection, scope.own))


LOOKED_S = 0.02
"""So long one reading compares. Chosen by hand."""
COMPARED_AT_ONCE = 50
"""So many memories are compared in one reading at most; most often its time is over before. Chosen by hand."""


class SQLiteTransfers:
    """The doors of one scope."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._has_words = False

    async def snapshot(self) -> SQLiteExportSnapshot:
        leaving = SQLiteExportSnapshot(self._scope.aside(), self._scope.own)
        try:
            await leaving.begin()
        except BaseException:
            await leaving.aclose()
            raise
        return leaving

    async def is_empty(self) -> bool:
        return await is_home_empty(self._scope)

    async def uncompared(self) -> int:
        return await self._scope.read(waiting_to_be_compared)

    async def compare(self, at: datetime) -> int:
        if not self._has_words:
            await self._scope.read(lambda _rows: make_ready())
            self._has_words = True
        while (looked := await self._scope.read(self._look, own=True)) is not None:
            await self._scope.write(partial(note, looked=looked, at=at))
            if looked.numbers:
                return len(looked.numbers)
        return 0

    def _look(self, rows: Rows) -> Looked | None:
        spent = effort()
        return look(rows, COMPARED_AT_ONCE, lambda: spent() >= LOOKED_S)

    async def arrivals(self, *, again: bool) -> StagedImport:
        arrivals = StagedImport(self._scope, again=again)
        try:
            await arrivals.begin()
        except BaseException:
            await arrivals.aclose()
            raise
        return arrivals
