"""The port of rows on a connection that understands SQL. Code names the tables and columns, never outside input."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from orca_core.store.ports import Condition, FullText, Lists, Row, Vectors

OF_NO_SCOPE = frozenset(
    "context_limits embedding_cache main_messages memory_history memory_usage_log meta receipt_heads receipt_texts"
    " run_memories run_records short_term_sources subagent_messages texts_of_records tool_support turn_receipts"
    " unindexed_messages vectors".split()
)
"""Tables without a column `scope`: their rows belong to a row that has one, or to the whole database."""
OF_ONE_SCOPE = frozenset(
    "actions agent_calls dialogue_buffer extraction_runs guides rounds sessions short_term_memories supports"
    " task_steps tasks tombstones tool_calls undecided_pairs".split()
)
"""Tables that only their own scope reads: what was said, learnt and done. Records are read by every scope that is
given them."""
_KEYS = {
    "dialogue_buffer": ("id", "round_id"),
    "long_term_memories": ("id", "superseded_by", "would_replace"),
    "sessions": (),
    "short_term_memories": ("id", "round_id"),
    "tool_calls": ("id", "step"),
}


def keys_of(table: str) -> tuple[str, ...]:
    """Columns that name one row of the table, or a few, whatever its scope, and that an index holds. The name of a
    session is one in its scope."""
    return _KEYS.get(table, ("id",))


def scopes_of(table: str, own: str, read: tuple[str, ...]) -> tuple[str, ...]:
    """The scopes in which a table is read; none where the table belongs to no scope."""
    if table in OF_NO_SCOPE:
        return ()
    return (own,) if table in OF_ONE_SCOPE else read


Shape = tuple[tuple[str, str], ...]
"""Columns and how each is compared: conditions without their values."""

_COMPARISONS = {
    "is": "{} = ?",
    "is none": "{} IS NULL",
    "is not": "{} <> ?",
    "is not none": "{} IS NOT NULL",
    "above": "{} > ?",
    "at least": "{} >= ?",
    "at most": "{} <= ?",
    "below": "{} < ?",
    "any of": "{} IN (SELECT value FROM json_each(?))",
}
_SHAPES = 1024
"""How many statements are cached. Chosen by hand."""


def how(condition: Condition) -> str:
    """The comparison of a condition in SQL; NULL needs operators of its own."""
    return f"{condition.how} none" if condition.value is None else condition.how


def _where(table: str, scopes: int, shape: Shape) -> str:
    """The conditions of a statement of this shape. `scopes` is how many scopes the table is read in, 0 for a table that
    belongs to none."""
    is_named = any(column in keys_of(table) for column, comparison in shape if comparison == "any of")
    # As an expression it is found by no index: SQLite would walk a whole scope to find some rows by their numbers.
    scope = "scope || ''" if is_named else "scope"
    parts = [f"{scope} = ?"] if scopes == 1 else [f"{scope} IN ({', '.join('?' * scopes)})"] if scopes else []
    parts += [_COMPARISONS[comparison].format(column) for column, comparison in shape]
    return f" WHERE {' AND '.join(parts)}" if parts else ""


def _order(columns: Iterable[str]) -> str:
    named = [f"{column[1:]} DESC" if column.startswith("-") else column for column in columns]
    return f" ORDER BY {', '.join(named)}" if named else ""


@lru_cache(_SHAPES)
def select(
    table: str, columns: tuple[str, ...], scopes: int, shape: Shape, order: tuple[str, ...], is_limited: bool
) -> str:
    text = f"SELECT {', '.join(columns)} FROM {table}{_where(table, scopes, shape)}{_order(order)}"
    return text + (" LIMIT ?" if is_limited else "")


@lru_cache(_SHAPES)
def count(table: str, scopes: int, shape: Shape) -> str:
    return f"SELECT count(*) FROM {table}{_where(table, scopes, shape)}"


@lru_cache(_SHAPES)
def grouped(table: str, by: tuple[str, ...], figures: tuple[str, ...], scopes: int, shape: Shape) -> str:
    """`figures` are `count`, or `sum`, `min`, `max`, `count` of a column."""
    asked = [f"{how}({column or '*'})" for how, _, column in (each.partition(" ") for each in figures)]
    group = f" GROUP BY {', '.join(by)}" if by else ""
    return f"SELECT {', '.join([*by, *asked])} FROM {table}{_where(table, scopes, shape)}{group}"


@lru_cache(_SHAPES)
def insert(table: str, columns: tuple[str, ...], if_absent: bool) -> str:
    text = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
    return text + (" ON CONFLICT DO NOTHING" if if_absent else "")


@lru_cache(_SHAPES)
def update(table: str, columns: tuple[str, ...], scopes: int, shape: Shape) -> str:
    return f"UPDATE {table} SET {', '.join(f'{column} = ?' for column in columns)}{_where(table, scopes, shape)}"


@lru_cache(_SHAPES)
def delete(table: str, scopes: int, shape: Shape) -> str:
    return f"DELETE FROM {table}{_where(table, scopes, shape)}"


_BY_NUMBER = (("id", "is"),)


class SqlRows(ABC):
    """One transaction of one scope. Reads see the records of further scopes; writes see their own scope only."""

    def __init__(
        self, own: str, read: tuple[str, ...], owner: str, words: FullText, vectors: Vectors, lists: Lists
    ) -> None:
        self.owner = owner
        self.words = words
        self.vectors = vectors
        self.lists = lists
        self.own = own
        self._read = read

    def select(
        self, table: str, columns: Sequence[str], *where: Condition, order: Sequence[str] = (), limit: int | None = None
    ) -> list[Row]:
        scopes = scopes_of(table, self.own, self._read)
        text = select(table, tuple(columns), len(scopes), _shape(where), tuple(order), limit is not None)
        values = self._values(scopes, where)
        return self._rows_of(text, values if limit is None else [*values, limit])

    def count(self, table: str, *where: Condition) -> int:
        scopes = scopes_of(table, self.own, self._read)
        [[counted]] = self._rows_of(count(table, len(scopes), _shape(where)), self._values(scopes, where))
        return int(counted)

    def grouped(self, table: str, by: Sequence[str], figures: Sequence[str], *where: Condition) -> list[Row]:
        scopes = scopes_of(table, self.own, self._read)
        text = grouped(table, tuple(by), tuple(figures), len(scopes), _shape(where))
        return self._rows_of(text, self._values(scopes, where))

    def insert(self, table: str, values: Mapping[str, Any], *, if_absent: bool = False) -> int:
        if scopes_of(table, self.own, (self.own,)):
            values = {"scope": self.own, **values}
        return self._inserted(insert(table, tuple(values), if_absent), list(values.values()))

    def update(self, table: str, values: Mapping[str, Any], *where: Condition) -> int:
        scopes = scopes_of(table, self.own, (self.own,))
        text = update(table, tuple(values), len(scopes), _shape(where))
        return self._changed(text, [*values.values(), *self._values(scopes, where)])

    def insert_all(self, table: str, columns: Sequence[str], values: Sequence[Sequence[Any]]) -> None:
        scopes = scopes_of(table, self.own, (self.own,))
        text = insert(table, (*(("scope",) if scopes else ()), *columns), if_absent=False)
        self._each(text, [(*scopes, *each) for each in values])

    def update_each(self, table: str, columns: Sequence[str], values: Mapping[int, Sequence[Any]]) -> None:
        scopes = scopes_of(table, self.own, (self.own,))
        text = update(table, tuple(columns), len(scopes), _BY_NUMBER)
        self._each(text, [(*each, *scopes, number) for number, each in values.items()])

    def delete(self, table: str, *where: Condition) -> int:
        scopes = scopes_of(table, self.own, (self.own,))
        return self._changed(delete(table, len(scopes), _shape(where)), self._values(scopes, where))

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


def _shape(where: Sequence[Condition]) -> Shape:
    return tuple((condition.column, how(condition)) for condition in where)
