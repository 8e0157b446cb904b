"""A scope's transactions as the journal has them: on rows, not on a connection."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import apsw

from orca_core.store.ports import MessageWords, RecordIndex, Row, Rows, Slice
from orca_core.store.sql.rows import SqlRows
from orca_core.store.sqlite.engine.rows import to_json
from orca_core.store.sqlite.engine.scope import Scope

T = TypeVar("T")
S = TypeVar("S")


class SQLiteRows(SqlRows):
    """Rows on a connection; an engine's room may ask for it."""

    def __init__(
        self,
        connection: apsw.Connection,
        own: str,
        read: tuple[str, ...],
        owner: str,
        index: RecordIndex,
        message_words: MessageWords,
    ) -> None:
        super().__init__(own, read, owner, index, message_words)
        self.connection = connection

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


class SQLiteTransactions:
    """Reads see every scope that is read, writes their own."""

    def __init__(
        self,
        scope: Scope,
        index: Callable[[apsw.Connection, str], RecordIndex],
        message_words: Callable[[apsw.Connection], MessageWords],
    ) -> None:
        self._scope = scope
        self._index = index
        self._message_words = message_words

    async def read(self, work: Callable[[Rows], T], *, own: bool = False) -> T:
        scopes = (self._scope.own,) if own else self._scope.all
        return await self._scope.read(lambda connection: work(self._rows(connection, scopes)))

    async def write(self, work: Callable[[Rows], T]) -> T:
        return await self._scope.write(lambda connection: work(self.rows_of(connection)))

    async def write_after(self, look: Callable[[Rows], S], work: Callable[[Rows, S | None], T]) -> T:
        return await self._scope.write_after(
            lambda connection: look(self.rows_of(connection)),
            lambda connection, seen: work(self.rows_of(connection), seen),
        )

    async def in_slices(
        self, work: Callable[[Rows, Slice], T | None], before: Callable[[Rows], object] | None = None
    ) -> T:
        def of_rows(connection: apsw.Connection) -> None:
            if before is not None:
                before(self.rows_of(connection))

        return await self._scope.in_slices(
            lambda connection, slice_: work(self.rows_of(connection), slice_), None if before is None else of_rows
        )

    def rows_of(self, connection: apsw.Connection) -> SQLiteRows:
        """Rows inside a transaction that an engine's room has begun by itself."""
        return self._rows(connection, (self._scope.own,))

    def _rows(self, connection: apsw.Connection, read: tuple[str, ...]) -> SQLiteRows:
        own = self._scope.own
        index, message_words = self._index(connection, own), self._message_words(connection)
        return SQLiteRows(connection, own, read, self._scope.owner, index, message_words)
