"""Builds the statements of the port of rows, each once a shape. Code names the tables and columns, never outside
input."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from orca_core.store.ports import Condition
from orca_core.store.sql.tables import keys_of

Shape = tuple[tuple[str, str], ...]
"""Columns and how each is compared: conditions without their values."""

_COMPARISONS = {
    "is": "{} = ?",
    "is none": "{} IS NULL",
    "is not": "{} <> ?",
    "is not none": "{} IS NOT NULL",
    "above": "{} > ?",
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
def insert(table: str, columns: tuple[str, ...], if_absent: bool) -> str:
    text = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
    return text + (" ON CONFLICT DO NOTHING" if if_absent else "")


@lru_cache(_SHAPES)
def update(table: str, columns: tuple[str, ...], scopes: int, shape: Shape) -> str:
    return f"UPDATE {table} SET {', '.join(f'{column} = ?' for column in columns)}{_where(table, scopes, shape)}"


@lru_cache(_SHAPES)
def delete(table: str, scopes: int, shape: Shape) -> str:
    return f"DELETE FROM {table}{_where(table, scopes, shape)}"
