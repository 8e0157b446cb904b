"""The port of rows on SQLite: every query is of one scope, whatever is asked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from fakes.records import AT, begin, remember

from orca_core.model.kinds import RECORD_TYPES
from orca_core.model.memories import MEMORIES
from orca_core.store.ports import Condition, Rows, above, any_of, at_most, below, is_, is_not
from orca_core.store.sql.rows import select
from orca_core.store.sqlite.engine.scope import SQLiteRows
from orca_core.store.sqlite.learning.runs import read_rounds
from orca_core.store.sqlite.store import OpenDatabase, open_database

TWO = "a giraffe", "a zebra"


@pytest.fixture
def on_rows(run: Callable[..., object], tmp_path: Path) -> Callable[..., object]:
    """Carry out work on the rows of `me`, beside a scope `team` that holds the same."""

    async def working(work: Callable[[Rows], object], *, reads: bool) -> object:
        database: OpenDatabase = await open_database(tmp_path / "orca.db", must_exist=False)
        mine, team = database.scope("me", ("team",)), database.scope("team")
        for stores in (mine, team):
            await remember(stores, *TWO)
            await begin(stores)
        transactions = mine.dialogues._transactions  # type: ignore[attr-defined]
        try:
            return await (transactions.read if reads else transactions.write)(work)
        finally:
            for stores in (mine, team):
                await stores.housekeeping.aclose()
            await database.aclose()

    return lambda work, reads=False: run(working(work, reads=reads))


def test_a_write_touches_its_own_scope_alone(on_rows) -> None:
    def work(rows: Rows) -> tuple[int, int, int]:
        changed = rows.update(MEMORIES.table, {"weight": 9.0})
        there = rows.count(MEMORIES.table)
        return changed, there, rows.delete("sessions", is_("id", "s"))

    assert on_rows(work) == (2, 2, 1)


def test_reading_alone_sees_the_records_of_every_scope_that_is_read_and_its_own_talk(on_rows) -> None:
    assert on_rows(lambda rows: (rows.count(MEMORIES.table), rows.count("sessions")), True) == (4, 1)


def test_what_is_inserted_bears_the_scope(on_rows) -> None:
    def work(rows: Rows) -> list[object]:
        rows.insert("sessions", {"id": "t", "title": "", "created_at": "", "used_at": ""})
        return [row[0] for row in rows.select("sessions", ("scope",), is_("id", "t"))]

    assert on_rows(work) == ["me"]


@pytest.mark.parametrize(
    ("condition", "found"),
    [
        (is_("content", "a zebra"), ["a zebra"]),
        (is_not("content", "a zebra"), ["a giraffe"]),
        (is_("superseded_by", None), list(TWO)),
        (is_not("superseded_by", None), []),
        (any_of("content", ["a zebra", "an okapi"]), ["a zebra"]),
        (any_of("content", []), []),
        (above("weight", 1.0), []),
        (at_most("weight", 1.0), list(TWO)),
        (below("weight", 1.0), []),
    ],
)
def test_conditions_say_what_a_column_must_be(on_rows, condition: Condition, found: list[str]) -> None:
    def work(rows: Rows) -> list[object]:
        return [row[0] for row in rows.select(MEMORIES.table, ("content",), condition, order=("id",))]

    assert on_rows(work) == found


def test_rows_come_in_the_order_asked_and_no_more_than_asked(on_rows) -> None:
    def work(rows: Rows) -> list[object]:
        return [row[0] for row in rows.select(MEMORIES.table, ("content",), order=("-content",), limit=1)]

    assert on_rows(work) == ["a zebra"]


def test_a_row_that_is_there_is_not_inserted_again(on_rows) -> None:
    def work(rows: Rows) -> tuple[int, bool, int]:
        pair = {"newer": 2, "older": 1, "why": "near", "at": AT.isoformat()}
        first = rows.insert("undecided_pairs", pair, if_absent=True)
        again = rows.insert("undecided_pairs", {**pair, "why": "other"}, if_absent=True)
        return again, first >= 0, rows.count("undecided_pairs", is_("why", "near"))

    assert on_rows(work) == (0, True, 1)


@pytest.mark.parametrize(
    ("table", "column"),
    [*((each.table, "id") for each in RECORD_TYPES), ("rounds", "id"), ("dialogue_buffer", "round_id")],
)
def test_rows_are_found_by_their_numbers_without_a_walk_through_their_scope(on_rows, table: str, column: str) -> None:
    """A turn would pay for all that was ever said and remembered, and others wait for it (`benchmarks/backup.py`)."""

    def work(rows: Rows) -> list[str]:
        assert isinstance(rows, SQLiteRows)
        which = select(table, ("id",), 1, ((column, "any of"), ("id", "is not")), (), False)
        return [plan for *_, plan in rows.connection.execute(f"EXPLAIN QUERY PLAN {which}", ("me", "[1, 2]", 0))]

    search, *_ = on_rows(work)
    assert search.startswith(f"SEARCH {table} USING ")
    assert "scope=?" not in search


def test_rounds_are_read_by_their_numbers_without_a_walk_through_their_scope(on_rows) -> None:
    def work(rows: Rows) -> list[str]:
        assert isinstance(rows, SQLiteRows)
        statements_made: list[str] = []
        rows.connection.exec_trace = lambda _cursor, statement, _values: not statements_made.append(statement)
        read_rounds(rows, [1, 2])
        rows.connection.exec_trace = None
        [which] = statements_made
        return [plan for *_, plan in rows.connection.execute(f"EXPLAIN QUERY PLAN {which}", ("[1, 2]", "me"))]

    assert "SEARCH r USING INTEGER PRIMARY KEY (rowid=?)" in on_rows(work)
