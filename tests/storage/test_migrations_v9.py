"""From schema 9 to this one: marks follow from sources, and what was read counts as read."""

from __future__ import annotations

from pathlib import Path

import apsw
from fakes.older_schemas import WITHOUT_COUNTS
from fakes.records import header
from fakes.teaching import consolidated, made, marks, worked

from orca_core.domain.refs import EPISODE
from orca_core.domain.stores import Stores
from orca_core.journal_rules import JOURNAL_RULES
from orca_core.storage.sqlite.engine.connection import load_vectors
from orca_core.storage.sqlite.store import open_stores


async def opened(path: Path) -> Stores:
    return await open_stores(path, scope="me", must_exist=False, rules=JOURNAL_RULES)


def as_of_schema_9(path: Path, *changes: str) -> None:
    connection = apsw.Connection(str(path))
    load_vectors(connection)
    for change in (
        *changes,
        "ALTER TABLE episodes DROP COLUMN says",
        "ALTER TABLE episodes DROP COLUMN read_as",
        "ALTER TABLE long_term_memories DROP COLUMN elsewhere_program",
        "ALTER TABLE long_term_memories DROP COLUMN elsewhere_chat",
        *WITHOUT_COUNTS,
        "DROP INDEX operations_under_way",
        "ALTER TABLE operations DROP COLUMN under_way",
        "DROP TABLE word_counts",
        "DROP TRIGGER vector_came",
        "DROP TRIGGER vector_went",
        "DROP TABLE vector_changes",
        "PRAGMA user_version = 9",
    ):
        connection.execute(change).fetchall()
    connection.close()


async def test_marks_are_mended_and_nothing_is_read_twice(tmp_path: Path) -> None:
    path = tmp_path / "orca.db"
    stores = await opened(path)
    await worked(stores, "a", "b", "c")
    await made(stores)
    await worked(stores, "d", "e", "f", target="payments")
    await made(stores)
    await worked(stores, "g")
    await stores.housekeeping.aclose()
    as_of_schema_9(
        path,
        "UPDATE knowledge SET state = 'archived', archived_because = 'undone' WHERE id = 2",
        "UPDATE episodes SET consolidated_into = NULL WHERE id = 1",
        "UPDATE episodes SET consolidated_into = 9 WHERE id = 7",
    )

    stores = await opened(path)

    assert await marks(stores) == {1: 1, 2: 1, 3: 1, 4: None, 5: None, 6: None, 7: None}
    waiting = {each.target: (each.waiting, each.unread) for each in await stores.knowledge.targets()}
    assert waiting == {"orders": (1, 1), "payments": (3, 0)}
    assert (await made(stores)).knowledge is not None
    assert await consolidated(stores) is None
    await stores.records[EPISODE].change(1, {"outcome_summary": "otherwise"}, header("edit"))
    assert (await made(stores)).knowledge is not None
    assert await consolidated(stores) is None
    await stores.housekeeping.aclose()
