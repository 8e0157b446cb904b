"""From schema 3 to this one: receipts are cut into pieces, and show what they showed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import pytest
from fakes.records import header

from orca_core.domain.recall import Item, Receipt
from orca_core.domain.stores import Stores
from orca_core.journal_rules import JOURNAL_RULES
from orca_core.storage.sqlite.engine.connection import load_vectors
from orca_core.storage.sqlite.schema import migrations
from orca_core.storage.sqlite.schema.old_receipts import receipt_from_json
from orca_core.storage.sqlite.store import open_stores

V3 = (Path(__file__).parent / "fixtures" / "v3.sql").read_text(encoding="utf-8")
SECRET = "用户的密码提示是 quokka"
UNCUT = ("fork", 2)
Run = Callable[..., Any]


def opened(path: Path) -> apsw.Connection:
    connection = apsw.Connection(str(path))
    load_vectors(connection)
    return connection


@pytest.fixture
def v3(tmp_path: Path) -> Path:
    path = tmp_path / "orca.db"
    connection = opened(path)
    connection.execute("PRAGMA journal_mode=WAL").fetchall()
    for _ in connection.execute(V3):
        pass
    connection.close()
    return path


def migrated(run: Run, path: Path, look: Callable[[Stores], Any] | None = None) -> None:
    async def scenario() -> None:
        stores = await open_stores(path, scope="me", must_exist=True, rules=JOURNAL_RULES)
        try:
            if look is not None:
                await look(stores)
        finally:
            await stores.housekeeping.aclose()

    run(scenario())


def tables(path: Path) -> dict[str, list[Any]]:
    """The rows of every table that the fixture fills."""
    connection = opened(path)
    names = [
        str(row[0])
        for row in connection.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'"
            " AND name NOT LIKE 'long\\_term\\_text\\_%' ESCAPE '\\' AND name NOT LIKE 'vec\\_%' ESCAPE '\\'"
            " AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
            " AND name <> 'unindexed_messages'"
        )
    ]
    return {name: connection.execute(f"SELECT * FROM {name} ORDER BY 1, 2").fetchall() for name in names}


def old_receipts(path: Path) -> dict[tuple[str, int], Receipt]:
    """The receipts of live rounds as the old Orca kept them."""
    rows = opened(path).execute(
        "SELECT r.session_id, r.number, t.body FROM turn_receipts t JOIN rounds r ON r.id = t.round_id"
        " WHERE r.scope = 'me' AND r.replaced_by IS NULL"
    )
    return {(str(session), int(str(number))): receipt_from_json(str(body)) for session, number, body in rows}


def without(text: str, items: tuple[Item, ...]) -> list[str]:
    return ["" if item.content == text else item.content for item in items]


def test_the_fixture_has_rows_in_every_table(v3: Path) -> None:
    assert [name for name, rows in tables(v3).items() if not rows] == []
    assert migrations.version_of(opened(v3)) == 3


def test_every_row_comes_along(run, v3: Path) -> None:
    before = tables(v3)
    migrated(run, v3)
    after = tables(v3)

    same = before.keys() - {"meta", "turn_receipts", "receipt_refs", "memory_history", "memory_usage_log", "vectors"}
    columns = [row[1] for row in opened(v3).execute("PRAGMA table_info(long_term_memories)")]
    words = columns.index(
        "tokens"
    )  # made anew; behind all others come the cues, what it lives on, and where it was before
    for rows, end in ((before, None), (after, -7)):
        rows["long_term_memories"] = [row[:words] + row[words + 1 : end] for row in rows["long_term_memories"]]
    # What runs and sessions have of work and acts, and operations of being under way.
    for name, gained in (("extraction_runs", 3), ("sessions", 1), ("operations", 1)):
        after[name] = [row[:-gained] for row in after[name]]
    assert {name: after[name] for name in same} == {name: before[name] for name in same}
    assert [(*row[:2], *row[3:]) for row in after["memory_history"]] == before["memory_history"]
    assert [(*row[:2], *row[3:]) for row in after["memory_usage_log"]] == before["memory_usage_log"]
    assert {row[2] for row in after["memory_history"]} == {"memory"}
    assert sorted(row[1:] for row in after["vectors"]) == sorted(row[1:] for row in before["vectors"])
    assert {row[0] for row in after["vectors"]} == {"memory", "summary"}
    assert opened(v3).execute("PRAGMA foreign_key_check").fetchall() == []
    assert opened(v3).execute("PRAGMA integrity_check").get == "ok"


def test_a_receipt_shows_what_it_showed_but_for_what_waits_to_be_wiped(run, v3: Path) -> None:
    before = old_receipts(v3)

    async def compare(stores: Stores) -> None:
        for (session_id, number), old in before.items():
            new = await stores.receipts.receipt(session_id, number)
            assert new.references == old.references
            assert new.weights == old.weights
            assert [item.content for item in new.injection.considered] == without(SECRET, old.injection.considered)
            assert [(i.ref, i.parts, i.reason, i.type, i.created_at) for i in new.injection.considered] == [
                (i.ref, i.parts, i.reason, i.type, i.created_at) for i in old.injection.considered
            ]
            assert new.injection.block == old.injection.block.replace(SECRET, "[deleted]")

    migrated(run, v3, compare)
    assert len(before) == 8


def test_nothing_of_what_waits_to_be_wiped_is_left(run, v3: Path) -> None:
    async def quiet(stores: Stores) -> None:
        assert await stores.housekeeping.idle()

    migrated(run, v3, quiet)

    assert SECRET.encode() not in v3.read_bytes()


def test_no_word_of_what_waits_to_be_wiped_is_indexed_again(run, v3: Path) -> None:
    async def quiet(stores: Stores) -> None:
        assert await stores.housekeeping.idle()

    migrated(run, v3, quiet)

    words = "SELECT count(*) FROM long_term_vocabulary WHERE term LIKE '%quokka%'"
    assert opened(v3).execute(words).get == 0


@pytest.mark.parametrize("memory_id", [1, 3])
def test_a_block_of_no_known_form_goes_with_any_of_its_memories(run, v3: Path, memory_id: int) -> None:
    async def delete(stores: Stores) -> None:
        assert (await stores.receipts.receipt(*UNCUT)).injection.block.startswith("Notes of another form")
        await stores.memories.delete([memory_id], header("delete"))
        assert (await stores.receipts.receipt(*UNCUT)).injection.block == "[deleted]"

    migrated(run, v3, delete)

    assert b"another form" not in v3.read_bytes()


def test_rounds_give_the_texts_of_old_receipts_back(run, v3: Path) -> None:
    async def delete(stores: Stores) -> None:
        for session in await stores.dialogues.sessions():
            await stores.sessions.delete(session.id, header("delete"))
        assert await stores.housekeeping.idle()

    migrated(run, v3, delete)

    left = opened(v3).execute("SELECT count(*), min(held_by) FROM receipt_texts").fetchall()
    assert left == [(0, None)]


def test_what_a_crash_left_of_a_backup_is_swept_away(run, v3: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as died:
        died.wait()
    folder = v3.parent / "backups"
    folder.mkdir()
    left = [folder / f".orca.db.{died.pid}.part{end}" for end in ("", "-journal")]
    another = folder / f".orca.db.{os.getppid()}.part"  # of a process that runs
    for path in (*left, another):
        path.write_text(SECRET)

    migrated(run, v3)

    assert sorted(path.name for path in folder.iterdir()) == [another.name, "orca-schema-3.db"]
