"""From schema 2 to this one: every row comes along, but for what should never have been readable."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import apsw
import pytest
from fakes.asking import asked
from fakes.records import AT, header, later

from orca_core.domain.queries import MemoryQuery, MemorySort
from orca_core.domain.stores import Stores
from orca_core.journal_rules import JOURNAL_RULES
from orca_core.rules.keeping.status import criteria
from orca_core.storage.sqlite.engine.connection import load_vectors
from orca_core.storage.sqlite.schema import migrations
from orca_core.storage.sqlite.store import open_stores

V2 = (Path(__file__).parent / "fixtures" / "v2.sql").read_text(encoding="utf-8")
PRIVATE = "a private question that was cached"
KEPT_WHOLE = (
    "sessions",
    "rounds",
    "main_messages",
    "short_term_memories",
    "long_term_memories",
    "memory_usage_log",
    "operations",
    "memory_history",
    "extraction_runs",
    "dialogue_buffer",
    "subagent_messages",
    "undecided_pairs",
)
Run = Callable[..., Any]


@pytest.fixture
def v2(tmp_path: Path) -> Path:
    path = tmp_path / "orca.db"
    connection = opened(path)
    connection.execute("PRAGMA journal_mode=WAL").fetchall()
    for _ in connection.execute(V2):
        pass
    connection.close()
    return path


def opened(path: Path) -> apsw.Connection:
    connection = apsw.Connection(str(path))
    load_vectors(connection)
    return connection


def rows_of(path: Path, columns: dict[str, list[str]] | None = None) -> dict[str, tuple[list[str], list[Any]]]:
    """Every table's columns and rows; only the columns given, where any are."""
    connection = opened(path)
    found = {}
    for table in KEPT_WHOLE:
        names = (columns or {}).get(table) or [str(row[1]) for row in connection.execute(f"PRAGMA table_info({table})")]
        found[table] = (names, connection.execute(f"SELECT {', '.join(names)} FROM {table} ORDER BY 1, 2").fetchall())
    connection.close()
    return found


def migrated(run: Run, path: Path, look: Callable[[Stores], Any] | None = None) -> None:
    async def scenario() -> None:
        stores = await open_stores(path, scope="me", must_exist=True, rules=JOURNAL_RULES)
        try:
            if look is not None:
                await look(stores)
        finally:
            await stores.housekeeping.aclose()

    run(scenario())


def test_the_fixture_has_rows_in_every_table(v2: Path) -> None:
    assert [table for table, (_, rows) in rows_of(v2).items() if not rows] == []
    assert migrations.version_of(opened(v2)) == 2


def test_every_row_comes_along(run, v2: Path) -> None:
    before = rows_of(v2)
    migrated(run, v2)

    assert rows_of(v2, {table: columns for table, (columns, _) in before.items()}) == before
    assert opened(v2).execute("PRAGMA foreign_key_check").fetchall() == []
    assert opened(v2).execute("PRAGMA integrity_check").get == "ok"


def test_the_readable_cache_is_wiped_from_the_file_its_journal_and_the_backup(run, v2: Path) -> None:
    async def quiet(stores: Stores) -> None:
        assert await stores.housekeeping.idle()
        assert await stores.vectors.cached("m@16", [PRIVATE]) == {}

    assert PRIVATE.encode() in v2.read_bytes()
    migrated(run, v2, quiet)

    files = [path for path in v2.parent.rglob("*") if path.is_file()]
    assert len(files) >= 2
    assert [path.name for path in files if PRIVATE.encode() in path.read_bytes()] == []


def test_a_verified_backup_is_made_first(run, v2: Path) -> None:
    before = rows_of(v2)
    migrated(run, v2)

    [backup] = (v2.parent / "backups").iterdir()
    assert backup.name == "orca-schema-2.db"
    assert backup.stat().st_mode & 0o777 == 0o600
    assert rows_of(backup) == before


def test_words_and_vectors_are_found_as_before(run, v2: Path) -> None:
    async def search(stores: Stores) -> None:
        assert [hit.ref.id for hit in await asked(stores).by_tokens(["postgre", "5433"], 5)] == [2]
        assert (await asked(stores).statistics(["go", "printer"])).frequencies == {"go": 1, "printer": 0}
        assert {hit.ref.id for hit in await asked(stores).by_vector("m@16", [1.0] * 16, 5)} == {1, 2, 3}
        page = await stores.memories.page(MemoryQuery(criteria("all", 5.0), sort=MemorySort.ID))
        assert [memory.id for memory in page.memories] == [1, 2, 3, 5, 6]

    migrated(run, v2, search)


def test_vectors_of_summaries_that_are_no_more_are_gone(run, v2: Path) -> None:
    migrated(run, v2)

    connection = opened(v2)
    kept = connection.execute("SELECT id FROM vectors WHERE kind = 'summary' ORDER BY id").fetchall()
    assert [row[0] for row in kept] == [3, 5, 6]


def test_only_a_title_that_the_first_question_did_not_give_is_a_name(run, v2: Path) -> None:
    migrated(run, v2)

    rows = opened(v2).execute("SELECT id, scope FROM sessions WHERE is_named ORDER BY id")
    assert list(rows) == [("two", "me")]


def test_a_summary_that_made_way_leaves_old_receipts_with_its_chat(run, v2: Path) -> None:
    async def delete(stores: Stores) -> None:
        shown = (await stores.receipts.receipt("two", 1)).injection
        assert [str(item.ref) for item in shown.injected] == ["m1", "s1", "m2"]
        assert "起不来" in shown.block
        assert await stores.sessions.delete("one", header("delete"))
        await stores.sessions.delete("fork", header("delete"))
        emptied = (await stores.receipts.receipt("two", 1)).injection
        assert "起不来" not in emptied.block
        assert [item.content for item in emptied.injected] == ["用户用 Go", "", "postgres 固定在 16，端口 5433"]

    migrated(run, v2, delete)


def test_exchanges_of_old_runs_go_with_a_memory_that_they_found_or_were_shown(run, v2: Path) -> None:
    for memory_id in (1, 5):
        fresh = v2.with_name(f"{memory_id}.db")
        fresh.write_bytes(v2.read_bytes())

        async def delete(stores: Stores, memory_id: int = memory_id) -> None:
            assert len((await stores.runs.run(1))[1]) == 2
            await stores.memories.delete([memory_id], header("delete"))
            assert (await stores.runs.run(1))[1] == []

        migrated(run, fresh, delete)


def test_rounds_that_a_fork_brought_along_are_known_as_copies(run, v2: Path) -> None:
    migrated(run, v2)

    copied = opened(v2).execute("SELECT session_id, number, said_in FROM rounds WHERE said_in IS NOT NULL").fetchall()
    assert copied == [("fork", 1, "one"), ("fork", 2, "one")]


def test_old_summaries_expire(run, v2: Path) -> None:
    async def expire(stores: Stores) -> None:
        assert await stores.housekeeping.expire_short_term(AT + timedelta(days=31), 30) == 3
        assert await stores.search.short_term("one", later(), 30, 5) == []

    migrated(run, v2, expire)
