"""A view of one database: writes its own scope, reads that and the scopes shared with it."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterable, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeVar

import apsw

from orca_core.model.errors import StoreOutOfReach
from orca_core.operations.columns import to_json
from orca_core.store.ports import FullText, Lists, Row, Rows, Slice, Vectors
from orca_core.store.sql.rows import SqlRows
from orca_core.store.sqlite.engine import processes
from orca_core.store.sqlite.engine.database import Database, Work, effort, in_slices, slice_of
from orca_core.store.sqlite.engine.meta import meta
from orca_core.store.sqlite.engine.processes import Leaders, ScopeLeadership

T = TypeVar("T")


def among(column: str, scopes: tuple[str, ...], name: str = "") -> str:
    """A condition that the column is one of the scopes; they are bound in their order, or by `name` with a number. A
    single one is compared alone, so that an index still gives rows in their order."""
    marks = [f":{name}{number}" if name else "?" for number in range(len(scopes))]
    return f"{column} = {marks[0]}" if len(marks) == 1 else f"{column} IN ({', '.join(marks)})"


SECRET = "cache_secret"
"""A key in `meta`: of the keyed hashes by which a database knows a text without holding it. Whoever has the file can
ask whether it knows a text that they know, no more."""
FURTHER_SECRETS = "further_secrets"
KEY_BYTES = 32


def hasher(connection: apsw.Connection) -> Callable[[str], bytes]:
    """Return what makes a text's key in this database."""
    secret = meta(connection, SECRET)
    assert secret is not None  # written when the table was made
    return _keyed_with(bytes.fromhex(secret))


def hashers(connection: apsw.Connection) -> list[Callable[[str], bytes]]:
    """Return this database's own, then those of homes from which tombstones came with a restored backup."""
    further: list[str] = json.loads(meta(connection, FURTHER_SECRETS) or "[]")
    return [hasher(connection), *(_keyed_with(bytes.fromhex(each)) for each in further)]


def _keyed_with(secret: bytes) -> Callable[[str], bytes]:
    return lambda text: blake2b(text.encode("utf-8", "replace"), key=secret, digest_size=KEY_BYTES).digest()


Parts = tuple[FullText, Vectors, Lists]
PartsOf = Callable[[apsw.Connection, str, tuple[str, ...]], Parts]
"""Words, vectors and lists on a connection: of a scope, and of those that are read with it."""


class SQLiteRows(SqlRows):
    """Rows on a connection."""

    def __init__(
        self,
        connection: apsw.Connection,
        own: str,
        read: tuple[str, ...],
        owner: str,
        parts: Parts,
    ) -> None:
        super().__init__(own, read, owner, *parts)
        self.connection = connection

    def key_of(self, text: str) -> str:
        return hasher(self.connection)(text).hex()

    def keys_of(self, text: str) -> list[str]:
        return [key_of(text).hex() for key_of in hashers(self.connection)]

    def is_alive(self, owner: str) -> bool:
        return processes.is_alive(owner)

    def _rows_of(self, text: str, values: Sequence[Any]) -> list[Row]:
        return list[Row](self.connection.execute(text, values))

    def _inserted(self, text: str, values: Sequence[Any]) -> int:
        self.connection.execute(text, values)
        return self.connection.last_insert_rowid() if self.connection.changes() else 0

    def _changed(self, text: str, values: Sequence[Any]) -> int:
        self.connection.execute(text, values)
        return self.connection.changes()

    def _each(self, text: str, values: Iterable[Sequence[Any]]) -> None:
        self.connection.executemany(text, values)

    def _packed(self, values: Sequence[Any]) -> str:
        return to_json(values)


class Scope:
    """One database, seen in one scope: the port `Transactions` on rows, and the same on connections for what only this
    engine does. `own` is the scope that is written; `all` are those that are read, its own first.

    Closing it waits for its transactions, and leaves the database open for other scopes of the same handle."""

    def __init__(
        self,
        database: Database,
        leaders: Leaders,
        own: str,
        also: tuple[str, ...],
        *,
        parts: PartsOf,
        wipe: Callable[[Scope], Awaitable[bool]],
        after_read: Callable[[], None],
        on_close: Callable[[], Awaitable[None]],
    ) -> None:
        self.own = own
        self.all = tuple(dict.fromkeys((own, *also)))
        self.path: Path = database.path
        self.leadership = ScopeLeadership(leaders, own)
        self._database = database
        self._parts = parts
        self._wipe = wipe
        self._after_read = after_read
        self._on_close = on_close
        self._is_closed = False

    async def read(self, work: Callable[[Rows], T], *, own: bool = False) -> T:
        scopes = (self.own,) if own else self.all
        found = await self.on_reader(lambda connection: work(self._rows(connection, scopes)))
        self._after_read()
        return found

    async def write(self, work: Callable[[Rows], T]) -> T:
        return await self.on_writer(lambda connection: work(self.rows_of(connection)))

    async def in_slices(
        self, work: Callable[[Rows, Slice], T | None], before: Callable[[Rows], object] | None = None
    ) -> T:
        return await self.on_writer_in_slices(
            lambda connection, slice_: work(self.rows_of(connection), slice_),
            None if before is None else lambda connection: before(self.rows_of(connection)),
        )

    async def wipe(self) -> bool:
        return await self._wipe(self)

    async def foreign_writes(self) -> int:
        return await self.database.foreign_writes()

    async def on_reader(self, work: Work[T]) -> T:
        """Run `work` on a connection that reads, in one snapshot."""
        return await self.database.read(work)

    async def on_writer(self, work: Work[T]) -> T:
        """Run `work` on the writer's connection, in one transaction: all of it or nothing, also where the caller is
        cancelled."""
        return await self.database.write(work)

    async def on_writer_in_slices(
        self, work: Callable[[apsw.Connection, Slice], T | None], before: Work[object] | None = None
    ) -> T:
        """Run `work` in one transaction after the other until it returns something, so that other writers get their
        turn; and `before` each, what needs no more than to read."""

        async def one(most: int) -> tuple[T | None, float]:
            def timed(connection: apsw.Connection) -> tuple[T | None, float]:
                spent = effort()
                return work(connection, slice_of(most)), spent()

            if before is not None:
                await self.on_reader(before)
            return await self.on_writer(timed)

        return await in_slices(one)

    def check_reachable(self) -> None:
        """Raise why the database can't be opened, where this one stands in its place."""
        if self._database.failure is not None:
            raise self._database.failure.with_traceback(None)

    async def checkpoint(self) -> bool:
        """Checkpoint the WAL and empty it; False where a reader blocks it."""
        return await self.database.checkpoint()

    def rows_of(self, connection: apsw.Connection) -> SQLiteRows:
        """Return the rows of its own scope inside a transaction that has begun."""
        return self._rows(connection, (self.own,))

    async def aclose(self) -> None:
        """Close; a second call does nothing."""
        if self._is_closed:
            return
        self._is_closed = True
        await self.leadership.resign()
        await self._on_close()

    @property
    def database(self) -> Database:
        """Return the database while the scope is open. Raises StoreOutOfReach."""
        if self._is_closed:
            raise StoreOutOfReach(path=self.path, detail="Orca has closed it")
        return self._database

    def _rows(self, connection: apsw.Connection, read: tuple[str, ...]) -> SQLiteRows:
        return SQLiteRows(connection, self.own, read, self._database.owner, self._parts(connection, self.own, read))
