"""What comes into a home: put down beside the database, looked at, and brought in as one."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from functools import partial
from typing import Any

import apsw

from orca_core.domain.errors import StoreBusy
from orca_core.domain.exchange import TRAVELLING, Arrival, Arrived, Coming, ImportCounts, ImportProgress, ImportStage
from orca_core.domain.journal import OperationHeader
from orca_core.domain.records import RecordType
from orca_core.domain.refs import Ref
from orca_core.journal.records import JournalRules
from orca_core.storage.sqlite.engine.pacing import until_done
from orca_core.storage.sqlite.engine.scope import Scope
from orca_core.storage.sqlite.engine.transactions import SQLiteRows, SQLiteTransactions
from orca_core.storage.sqlite.engine.writing import writing
from orca_core.storage.sqlite.exchange import spool
from orca_core.storage.sqlite.exchange.building import COMES, Building
from orca_core.storage.sqlite.exchange.deciding import Deciding, is_empty, last_operation
from orca_core.storage.sqlite.exchange.publishing import INDEXED, publish, put_ahead
from orca_core.storage.sqlite.exchange.rows import RowMaker, Tokens
from orca_core.storage.sqlite.memories import ahead
from orca_core.storage.sqlite.memories.ahead import Numbers
from orca_core.storage.sqlite.memories.late_words import words_filled

Tell = Callable[[ImportProgress], None]

TRIES = 3
"""So often it is looked again whether something changed meanwhile. Chosen by hand."""
PAGE = 500
_KINDS = {each.kind.name: (name, each.kind) for name, each in TRAVELLING.items()}
_COUNTS = "SELECT kind, arrival, count(*) FROM spool.arriving GROUP BY kind, arrival"
_ARRIVED = "SELECT n, kind, label, uid, place, line, arrival, number FROM spool.arriving WHERE n > ? ORDER BY n LIMIT ?"


class Arrivals:
    """One import. Close it: what was not brought in by then is gone."""

    def __init__(
        self, scope: Scope, transactions: SQLiteTransactions, rules: JournalRules, tokens: Tokens, *, again: bool
    ) -> None:
        self._scope = scope
        self._side = scope.aside()
        self._transactions = transactions
        self._rules = rules
        self._tokens = tokens
        self._again = again
        self._seen = 0
        self._ahead: Numbers | None = None
        self._has_come = False

    async def begin(self) -> None:
        await self._side.run(lambda connection: spool.open_spool(connection, self._scope.path))

    async def put(self, batch: Sequence[Coming]) -> None:
        await self._side.run(lambda connection: spool.put_down(connection, batch))

    async def decide(self) -> ImportCounts:
        def look(connection: apsw.Connection) -> ImportCounts:
            spool.all_is_put_down(connection)
            self._decide(connection)
            return _counts(connection)

        return await self._side.run(look)

    async def arrived(self) -> AsyncIterator[Arrived]:
        last = 0
        while page := await self._side.run(partial(_page, after=last)):
            for number, each in page:
                yield each if self._has_come or each.arrival not in COMES else _not_yet(each)
                last = number

    async def bring(self, header: OperationHeader, tell: Tell) -> tuple[int, ImportCounts]:
        for _ in range(TRIES):
            coming, numbers = await self._build(tell)
            await self._put_ahead(numbers)
            tell(ImportProgress(ImportStage.COMING, coming, coming))
            operation = await self._side.run(partial(self._bring, header=header, numbers=numbers))
            if operation is not None:
                self._has_come = True
                for tables in INDEXED:
                    await words_filled(self._scope, tables)
                return operation, await self._side.run(_counts)
            await self._take_away()
            await self._side.run(self._decide)
        raise StoreBusy(path=self._scope.path)

    async def aclose(self) -> None:
        try:
            if not self._has_come:
                await self._take_away()
        finally:
            await self._side.aclose()

    async def _put_ahead(self, numbers: Numbers) -> None:
        after = 0

        async def put() -> bool:
            nonlocal after
            further = await self._side.run(partial(put_ahead, numbers=numbers, after=after))
            after = further or after
            return further is not None

        await until_done(put)

    async def _take_away(self) -> None:
        if self._ahead is None:
            return
        take_away = partial(_taken_away, numbers=self._ahead)
        self._ahead = None
        await until_done(lambda: self._side.run(take_away))

    def _decide(self, connection: apsw.Connection) -> None:
        self._seen = last_operation(connection, self._scope.own)
        Deciding(connection, self._scope.own, self._rules, again=self._again).all()

    async def _build(self, tell: Tell) -> tuple[int, Numbers]:
        """Make all rows; returns of how many records, and the numbers of their operations."""
        building = await self._side.run(self._building)
        done = 0
        for record_type in TRAVELLING.values():
            last = 0
            while made := await self._side.run(partial(_built, building, record_type, last)):
                last, count = made
                done += count
                tell(ImportProgress(ImportStage.MAKING, done, building.coming))
        return done, building.operations

    def _building(self, connection: apsw.Connection) -> Building:
        rows: SQLiteRows = self._transactions.rows_of(connection)
        maker = RowMaker(rows, self._scope.own, self._rules, self._tokens)
        building = Building(connection, self._scope.own, maker)
        building.reserve()
        self._ahead = building.operations
        building.make_tables()
        return building

    def _bring(self, connection: apsw.Connection, header: OperationHeader, numbers: Numbers) -> int | None:
        """None where something changed since it was decided."""
        with writing(connection):
            if last_operation(connection, self._scope.own) != self._seen:
                return None
            return publish(connection, self._scope.own, header, numbers)


def _built(building: Building, record_type: RecordType[Any], after: int, _: apsw.Connection) -> tuple[int, int] | None:
    return building.build(record_type, after)


def _taken_away(connection: apsw.Connection, numbers: Numbers) -> bool:
    with writing(connection):
        return ahead.take_away_slice(connection, numbers)


def _counts(connection: apsw.Connection) -> ImportCounts:
    counts: dict[str, dict[Arrival, int]] = {}
    for kind, arrival, count in connection.execute(_COUNTS):
        name, _kind = _KINDS[str(kind)]
        counts.setdefault(name, {})[Arrival(str(arrival))] = int(str(count))
    return counts


def _page(connection: apsw.Connection, after: int) -> list[tuple[int, Arrived]]:
    found = []
    for n, kind, label, uid, place, line, arrival, number in connection.execute(_ARRIVED, (after, PAGE)).fetchall():
        name, of = _KINDS[str(kind)]
        ref = None if number is None else Ref(of, int(str(number)))
        arrived = Arrived(name, str(label), str(uid), str(place), int(str(line)), Arrival(str(arrival)), ref)
        found.append((int(str(n)), arrived))
    return found


def _not_yet(each: Arrived) -> Arrived:
    """A number that was reserved for what did not come is nobody's."""
    return Arrived(each.name, each.label, each.uid, each.place, each.line, each.arrival)


async def is_home_empty(scope: Scope) -> bool:
    return await scope.read(lambda connection: is_empty(connection, scope.own))
