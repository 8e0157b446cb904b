"""The port of rows on a connection that understands SQL."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from orca_core.store.ports import Condition, MessageWords, RecordIndex, Row
from orca_core.store.sql import statements
from orca_core.store.sql.tables import scopes_of

_BY_NUMBER = (("id", "is"),)


class SqlRows(ABC):
    """One transaction of one scope. Reads see the records of further scopes; writes see their own scope only."""

    def __init__(
        self, own: str, read: tuple[str, ...], owner: str, index: RecordIndex, message_words: MessageWords
    ) -> None:
        self.owner = owner
        self.index = index
        self.message_words = message_words
        self.own = own
        self._read = read

    def select(
        self, table: str, columns: Sequence[str], *where: Condition, order: Sequence[str] = (), limit: int | None = None
    ) -> list[Row]:
        scopes = scopes_of(table, self.own, self._read)
        text = statements.select(table, tuple(columns), len(scopes), _shape(where), tuple(order), limit is not None)
        values = self._values(scopes, where)
        return self._rows_of(text, values if limit is None else [*values, limit])

    def count(self, table: str, *where: Condition) -> int:
        scopes = scopes_of(table, self.own, self._read)
        [[counted]] = self._rows_of(statements.count(table, len(scopes), _shape(where)), self._values(scopes, where))
        return int(counted)

    def insert(self, table: str, values: Mapping[str, Any], *, if_absent: bool = False) -> int:
        if scopes_of(table, self.own, (self.own,)):
            values = {"scope": self.own, **values}
        return self._inserted(statements.insert(table, tuple(values), if_absent), list(values.values()))

    def update(self, table: str, values: Mapping[str, Any], *where: Condition) -> int:
        scopes = scopes_of(table, self.own, (self.own,))
        text = statements.update(table, tuple(values), len(scopes), _shape(where))
        return self._changed(text, [*values.values(), *self._values(scopes, where)])

    def insert_all(self, table: str, columns: Sequence[str], values: Sequence[Sequence[Any]]) -> None:
        scopes = scopes_of(table, self.own, (self.own,))
        text = statements.insert(table, (*(("scope",) if scopes else ()), *columns), if_absent=False)
        self._each(text, [(*scopes, *each) for each in values])

    def update_each(self, table: str, columns: Sequence[str], values: Mapping[int, Sequence[Any]]) -> None:
        scopes = scopes_of(table, self.own, (self.own,))
        text = statements.update(table, tuple(columns), len(scopes), _BY_NUMBER)
        self._each(text, [(*each, *scopes, number) for number, each in values.items()])

    def delete(self, table: str, *where: Condition) -> int:
        scopes = scopes_of(table, self.own, (self.own,))
        return self._changed(statements.delete(table, len(scopes), _shape(where)), self._values(scopes, where))

    def _values(self, scopes: tuple[str, ...], where: Sequence[Condition]) -> list[Any]:
        """The bound values, in the order of the statement."""
        values: list[Any] = list(scopes)
        for condition in where:
            if condition.how == "any of":
                values.append(self._packed(condition.value))
            elif condition.value is not None:
                values.append(condition.value)
        return values

    @abstractmethod
    def _rows_of(self, text: str, values: Sequence[Any]) -> list[Row]: ...

    @abstractmethod
    def _inserted(self, text: str, values: Sequence[Any]) -> int:
        """The number of the row that was inserted; 0 where none was."""

    @abstractmethod
    def _changed(self, text: str, values: Sequence[Any]) -> int:
        """How many rows a statement changed."""

    @abstractmethod
    def _each(self, text: str, values: Iterable[Sequence[Any]]) -> None:
        """Carry out a statement with each of these."""

    @abstractmethod
    def _packed(self, values: Sequence[Any]) -> Any:
        """Several values as one bound value."""


def _shape(where: Sequence[Condition]) -> statements.Shape:
    return tuple((condition.column, statements.how(condition)) for condition in where)
