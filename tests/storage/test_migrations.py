"""From the first Orca's database to this one: whole, after a verified backup, or not at all."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest
from fakes.asking import asked

from orca_core.domain.errors import StoreDamaged
from orca_core.domain.memories import MemoryType, OriginKind
from orca_core.domain.queries import MemoryQuery, MemorySort
from orca_core.journal_rules import JOURNAL_RULES
from orca_core.rules.keeping.status import criteria
from orca_core.storage.sqlite.schema import legacy, migrations
from orca_core.storage.sqlite.store import open_stores

V1 = (Path(__file__).parent / "fixtures" / "v1.sql").read_text(encoding="utf-8")


@pytest.fixture
def v1(tmp_path: Path) -> Path:
    path = tmp_path / "orca.db"
    connection = apsw.Connection(str(path))
    for _ in connection.execute(V1):
        pass
    connection.close()
    return path


async def test_every_memory_of_the_first_orca_is_there(v1: Path) -> None:
    stores = await open_stores(v1, scope="me", must_exist=True, rules=JOURNAL_RULES)
    page = await stores.memories.page(MemoryQuery(criteria("all", 5.0), sort=MemorySort.ID))
    memories = {memory.id: memory for memory in page.memories}

    assert list(memories) == [3, 8, 12]
    assert (memories[3].content, memories[3].type, memories[3].confidence, memories[3].seen) == (
        "用户用 neovim", MemoryType.PREFERENCE, 0.9, 2,
    )  # fmt: skip
    assert memories[3].created_at.isoformat() == "2025-03-01T08:00:00+00:00"
    assert (memories[8].type, memories[8].confidence) == (MemoryType.FACT, 1.0)
    assert memories[8].created_at.year == 2025
    assert {memory.weight for memory in page.memories} == {1.0}
    assert {memory.origin.kind for memory in page.memories} == {OriginKind.IMPORT}
    assert [hit.ref.id for hit in await asked(stores).by_tokens(["neovim"], 5)] == [3]
    await stores.housekeeping.aclose()


async def test_what_can_not_be_a_memory_is_kept_with_its_reason(v1: Path) -> None:
    stores = await open_stores(v1, scope="me", must_exist=True, rules=JOURNAL_RULES)
    await stores.housekeeping.aclose()
    rejected = apsw.Connection(str(v1)).execute("SELECT content, reason FROM v1_rejected").fetchall()
    assert [content for content, _ in rejected] == ["x", "ls"]
    assert all(reason for _, reason in rejected)


async def test_conversations_come_over_as_rounds(v1: Path) -> None:
    stores = await open_stores(v1, scope="me", must_exist=True, rules=JOURNAL_RULES)
    session = await stores.dialogues.session("one")
    rounds = await stores.dialogues.rounds("one")
    alone = await stores.dialogues.rounds("two")

    assert session.title == "部署笔记"
    assert [(each.user, each.assistant, each.state.value) for each in rounds] == [
        ("你好", "你好！", "done"),
        ("docker 连不上", "", "interrupted"),
    ]
    assert [(each.user, each.assistant) for each in alone] == [("", "an answer without a question")]
    await stores.housekeeping.aclose()


async def test_a_verified_backup_is_made_first(v1: Path) -> None:
    stores = await open_stores(v1, scope="me", must_exist=True, rules=JOURNAL_RULES)
    await stores.housekeeping.aclose()
    [backup] = (v1.parent / "backups").iterdir()
    old = apsw.Connection(str(backup), flags=apsw.SQLITE_OPEN_READONLY)

    assert backup.stat().st_mode & 0o777 == 0o600
    assert backup.parent.stat().st_mode & 0o777 == 0o700
    assert old.execute("SELECT count(*) FROM long_term_memories").get == 5


def test_a_backup_that_does_not_check_is_none(run, v1: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def spoils(copy: Path) -> None:
        connection = apsw.Connection(str(copy))
        connection.execute("CREATE TABLE odd (n); INSERT INTO odd VALUES (NULL); PRAGMA writable_schema = ON")
        connection.execute("UPDATE sqlite_schema SET sql = 'CREATE TABLE odd (n NOT NULL)' WHERE name = 'odd'")
        connection.close()

    monkeypatch.setattr(migrations, "_empty_cache", spoils)
    with pytest.raises(StoreDamaged, match="its backup does not check"):
        run(open_stores(v1, scope="me", must_exist=True, rules=JOURNAL_RULES))

    assert list((v1.parent / "backups").iterdir()) == []
    assert migrations.version_of(apsw.Connection(str(v1))) == 0


def test_a_migration_that_fails_leaves_the_old_database(run, v1: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(connection: apsw.Connection) -> None:
        legacy.set_aside(connection)
        raise RuntimeError("in the middle")

    monkeypatch.setattr(migrations, "STEPS", (fails,))
    with pytest.raises(RuntimeError):
        run(open_stores(v1, scope="me", must_exist=True, rules=JOURNAL_RULES))

    old = apsw.Connection(str(v1))
    assert old.execute("SELECT count(*) FROM long_term_memories").get == 5
    assert migrations.version_of(old) == 0


async def test_opening_twice_migrates_once(v1: Path) -> None:
    for _ in range(2):
        stores = await open_stores(v1, scope="me", must_exist=True, rules=JOURNAL_RULES)
        await stores.housekeeping.aclose()
    assert len(list((v1.parent / "backups").iterdir())) == 1
