"""From schema 5 to this one: the words of what was stored are made anew."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest
from fakes.asking import asked, asked_around
from fakes.older_schemas import WITHOUT_COUNTS
from fakes.records import AT, chat, remember

from orca_core.domain.memories import Origin, OriginKind
from orca_core.journal_rules import JOURNAL_RULES
from orca_core.rules.text.terms import query_terms
from orca_core.storage.sqlite.engine.connection import load_vectors
from orca_core.storage.sqlite.store import open_stores

OF_WORK = "tasks task_steps episodes_vocabulary episodes_text episodes knowledge_vocabulary knowledge_text knowledge run_records"
OF_GROWTH = "actions supports tool_calls guides_vocabulary guides_text guides"
"""What later steps made."""


def as_of_schema_5(path: Path, hurt: str = "") -> None:
    """Write the words as they were written then: in the script of the text."""
    connection = apsw.Connection(str(path))
    load_vectors(connection)
    connection.execute("UPDATE long_term_memories SET tokens = '資 料 庫 資料 料庫'")
    connection.execute("UPDATE short_term_memories SET tokens = '資 料 庫 資料 料庫'")
    connection.execute("INSERT INTO long_term_text (long_term_text) VALUES ('delete-all')")
    if hurt:
        connection.execute("DROP INDEX memories_of_session")
        connection.execute(f"UPDATE long_term_memories SET {hurt} WHERE id = 1")
    for statement in WITHOUT_COUNTS:
        connection.execute(statement)
    for trigger in ("vector_came", "vector_went"):
        connection.execute(f"DROP TRIGGER {trigger}")
    for index in ("history_of_knowledge", "run_of_acts", "operations_under_way"):
        connection.execute(f"DROP INDEX {index}")
    for table in (*OF_WORK.split(), *OF_GROWTH.split(), "word_counts", "vector_changes"):
        connection.execute(f"DROP TABLE {table}")
    for table, column in (
        ("extraction_runs", "target"),
        ("extraction_runs", "episodes"),
        ("sessions", "episodes_through"),
        ("extraction_runs", "acts"),
        ("long_term_memories", "confirmed_by"),
        ("long_term_memories", "searched"),
        ("long_term_memories", "searched_at"),
        ("long_term_memories", "elsewhere_program"),
        ("long_term_memories", "elsewhere_chat"),
        ("operations", "under_way"),
    ):
        connection.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
    connection.execute("PRAGMA user_version = 5").fetchall()
    connection.close()


async def test_what_was_stored_is_found_in_either_script_and_by_its_day(tmp_path: Path) -> None:
    path = tmp_path / "orca.db"
    stores = await open_stores(path, scope="me", must_exist=False, rules=JOURNAL_RULES)
    await chat(stores)
    origin = Origin(OriginKind.EXTRACTION, session_id="s", rounds=(1,))
    [number] = await remember(stores, "資料庫用 PostgreSQL", origin=origin)
    await stores.housekeeping.aclose()
    as_of_schema_5(path)

    stores = await open_stores(path, scope="me", must_exist=True, rules=JOURNAL_RULES)
    for question in ("资料库", "資料庫", f"{AT.month}月{AT.day}日"):
        found = await asked(stores).by_tokens(query_terms(question).tokens, 5)
        assert [hit.ref.id for hit in found] == [number], question
    [summary] = await stores.search.short_term("s", AT, 30, 5)
    assert summary.tokens == frozenset({"资", "料", "库", "资料", "料库"})
    await stores.housekeeping.aclose()


@pytest.mark.parametrize(
    "hurt",
    [
        "origin_rounds = 'oops'",
        "origin_rounds = '{}'",
        "origin_rounds = '5'",
        "created_at = 'yesterday'",
        "created_at = '', updated_at = ''",
    ],
)
async def test_a_damaged_memory_does_not_keep_the_others_from_being_found(tmp_path: Path, hurt: str) -> None:
    path = tmp_path / "orca.db"
    stores = await open_stores(path, scope="me", must_exist=False, rules=JOURNAL_RULES)
    origin = Origin(OriginKind.EXTRACTION, session_id="s", rounds=(1,))
    ids = await remember(stores, "資料庫用 PostgreSQL", "資料庫在倉庫", origin=origin)
    await stores.housekeeping.aclose()
    as_of_schema_5(path, hurt)

    stores = await open_stores(path, scope="me", must_exist=True, rules=JOURNAL_RULES)
    found = await asked(stores).by_tokens(query_terms("资料库").tokens, 5)
    assert {hit.ref.id for hit in found} == set(ids)
    await asked_around(stores).neighbours(ids)
    assert len(await stores.memories.get(ids)) == 2
    await stores.housekeeping.aclose()
