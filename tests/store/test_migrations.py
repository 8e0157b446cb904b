"""From the databases of before to this one: whole, after a verified backup, or not at all."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

import apsw
import msgspec
import pytest
from fakes.asking import asked
from fakes.clocks import StillClock
from fakes.older_homes import connected, of_schema_16, of_the_first_orca
from fakes.scripted_model import ScriptedModel, says

from orca_core.llm.cached_embedder import CachedEmbedder
from orca_core.llm.local_embedder import LocalEmbedder
from orca_core.model.errors import SchemaTooOld, StoreDamaged
from orca_core.model.learning import RunResult, Verification
from orca_core.model.memories import MemoryType, OriginKind
from orca_core.model.views import MemoryQuery, MemorySort
from orca_core.operations.columns import role_from_column, to_json
from orca_core.orca import Orca
from orca_core.rules.memory.memory_curation import criteria
from orca_core.settings import Settings
from orca_core.store.sqlite.schema import first_orca, migrations
from orca_core.store.sqlite.schema.migrations import tokens_of
from orca_core.store.sqlite.store import open_stores


def test_old_reasons_become_the_verifiers(tmp_path: Path) -> None:
    connection = apsw.Connection(str(tmp_path / "orca.db"))
    for _ in connection.execute(files(migrations.__package__).joinpath("schema.sql").read_text(encoding="utf-8")):
        pass
    reasons = ["weak_evidence", "conditional", "second_reader", "expired: weak_evidence", "secret", None]
    for number, reason in enumerate(reasons, start=1):
        connection.execute(
            "INSERT INTO long_term_memories (id, uid, scope, content, type, confidence, state, held_because, created_at,"
            " updated_at, origin_kind, tokens) VALUES (?1, ?1, 'me', 'text ' || ?1, 'fact', 1, 'candidate', ?2, '', '', 'user', '')",
            (number, reason),
        )
    connection.execute("INSERT INTO operations (id, scope, actor, action, at) VALUES (1, 'me', 'user', 'accept', '')")
    change = ('{"held_because":"second_reader","state":"candidate"}', '{"held_because":null,"state":"live"}')
    connection.execute("INSERT INTO memory_history VALUES (1, 1, 'memory', 3, ?, ?)", change)
    connection.execute("PRAGMA user_version = 18").fetchall()

    migrations.make_tables(connection)

    now = [row[0] for row in connection.execute("SELECT held_because FROM long_term_memories ORDER BY id")]
    assert now == ["unread", "unread", "not_said", "expired: unread", "secret", None]
    assert [*connection.execute("SELECT before, after FROM memory_history")] == [
        ('{"held_because":"not_said","state":"candidate"}', change[1])
    ]
    assert migrations.version_of(connection) == migrations.NEWEST
    connection.close()


def test_runs_tell_of_the_verifier_by_its_name(old: Path) -> None:
    connection = connected(old)
    went = {"asked": 3, "doubted": 1, "unanswered": 0, "failure": None, "error": ""}
    for run, told in ((1, {"stored": [5], "second_reading": went}), (2, {"stored": [], "second_reading": None})):
        connection.execute("UPDATE extraction_runs SET result = ? WHERE id = ?", (json.dumps(told), run))
    old_roles = [str(role) for (role,) in connection.execute("SELECT role FROM subagent_messages ORDER BY id")]

    migrations.make_tables(connection)

    results = [
        result for (result,) in connection.execute("SELECT result FROM extraction_runs WHERE id < 3 ORDER BY id")
    ]
    first, second = (msgspec.json.decode(str(result), type=RunResult) for result in results)
    assert (first.stored, first.verification) == ((5,), Verification(3, refused=1))
    assert (second.stored, second.verification) == ((), None)
    roles = [str(role) for (role,) in connection.execute("SELECT role FROM subagent_messages ORDER BY id")]
    assert [role_from_column(each) for each in roles] == [
        (each.removeprefix("second_reading "), each.startswith("second_reading ")) for each in old_roles
    ]
    assert ("assistant", True) in map(role_from_column, roles)
    assert not connection.execute("SELECT 1 FROM extraction_runs WHERE result LIKE '%doubted%'").fetchall()
    connection.close()


def test_cues_go_with_all_that_tells_of_them(old: Path) -> None:
    """Also out of the history of memories, and out of the file."""
    connection = connected(old)
    connection.execute("PRAGMA secure_delete = ON").fetchall()
    for number, actor, action, other in (
        (101, "cues", "cues", None),
        (102, "user", "undo", 101),
        (103, "user", "edit", None),
        (104, "user", "cues", None),
    ):
        connection.execute(
            "INSERT INTO operations (id, scope, actor, action, at, undoes) VALUES (?, 'me', ?, ?, '', ?)",
            (number, actor, action, other),
        )
    connection.execute("UPDATE operations SET undone_by = 102 WHERE id = 101")
    none, some = '{"cues":[],"cues_by":null}', '{"cues":["giraffes at large"],"cues_by":"agent"}'
    for number, before, after in (
        (101, none, some),
        (102, some, none),
        (103, '{"content":"a","cues":["giraffes at large"]}', '{"content":"b","cues":[]}'),
        (104, none, some),
    ):
        connection.execute(
            "INSERT INTO memory_history (operation, memory_id, before, after) VALUES (?, 1, ?, ?)",
            (number, before, after),
        )
    dropped = [{"content": "giraffes at large", "reason": "cue_too_long"}, {"content": "b", "reason": "too_long"}]
    connection.execute(
        "UPDATE extraction_runs SET result = json_set(result, '$.dropped', json(?)) WHERE id = 1",
        (json.dumps(dropped),),
    )
    connection.execute("INSERT INTO memory_cues VALUES (900, 'me', 1, 'giraffes at large', 'giraff larg', 1)")
    connection.execute("INSERT INTO cue_text (rowid, tokens) VALUES (900, 'giraff larg')")
    connection.execute("UPDATE long_term_memories SET cues = '[\"giraffes at large\"]', cues_by = 'user' WHERE id = 1")
    connection.execute("INSERT INTO vectors VALUES ('cue', 900, 'm', x'00')")

    migrations.make_tables(connection)

    tables = {str(name) for (name,) in connection.execute("SELECT name FROM sqlite_schema")}
    assert not {name for name in tables if "cue" in name}
    assert connection.execute("SELECT count(*) FROM vectors WHERE kind = 'cue'").get == 0
    changes = connection.execute("SELECT operation, before, after FROM memory_history WHERE operation > 100").fetchall()
    assert changes == [(103, '{"content":"a"}', '{"content":"b"}')]
    assert connection.execute("SELECT id FROM operations WHERE id > 100").fetchall() == [(103,)]
    told = json.loads(str(connection.execute("SELECT result FROM extraction_runs WHERE id = 1").get))
    assert told["dropped"] == [{"content": "b", "reason": "too_long"}]
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    connection.close()
    assert b"giraff" not in old.read_bytes()


@pytest.fixture
def v1(tmp_path: Path) -> Path:
    return of_the_first_orca(tmp_path / "orca.db")


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A home of the last schema before `schema.sql`, with records of every kind."""
    return of_schema_16(tmp_path / "orca.db")


@pytest.fixture
def open_orca(old: Path) -> Callable[..., AbstractAsyncContextManager[Orca]]:
    @asynccontextmanager
    async def opened() -> AsyncIterator[Orca]:
        stores = await open_stores(old, scope="me", must_exist=True)
        orca = Orca(
            Settings(profile="me"),
            stores,
            model=ScriptedModel,
            agent=lambda: ScriptedModel(says('{"facts": []}')),
            embedder=lambda: CachedEmbedder(LocalEmbedder(), stores.vectors),
            clock=StillClock(),
        )
        try:
            yield orca
        finally:
            await orca.aclose()

    return opened


def rows(path: Path) -> dict[str, list[dict[str, Any]]]:
    """All rows of all tables but the cache, which no backup keeps, in their order."""
    connection = connected(path)
    names = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'embedding_cache'")
    found = {}
    for (name,) in names.fetchall():
        there = connection.execute(f'SELECT * FROM "{name}"')
        columns = [column[0] for column in there.description] if (first := there.fetchone()) else []
        every = [] if first is None else [first, *there.fetchall()]
        found[str(name)] = sorted((dict(zip(columns, row, strict=True)) for row in every), key=repr)
    connection.close()
    return found


def without_cues(home: dict[str, list[dict[str, Any]]]) -> dict[str, list[dict[str, Any]]]:
    """What is in a home of schema 16 when the cues of its memories are gone, and the verifier has its name."""
    kept = {name: found for name, found in home.items() if "cue" not in name}
    for name in ("vectors", "word_counts"):
        kept[name] = [row for row in home[name] if row["kind"] != "cue"]
    kept["vector_changes"] = [row for row in home["vector_changes"] if row["kind"] != "cue"]
    meta = [row for row in home["meta"] if not row["key"].endswith("cue") and not row["key"].startswith("word_counts")]
    kept["meta"] = sorted([*meta, {"key": "wipe_pending", "value": "1"}], key=repr)
    kept["sqlite_sequence"] = [row for row in home["sqlite_sequence"] if row["name"] != "memory_cues"]
    kept["long_term_memories"] = [_without(row) for row in home["long_term_memories"]]
    kept["memory_history"] = sorted(
        ({**row, **{side: _without_in(row[side]) for side in ("before", "after")}} for row in home["memory_history"]),
        key=repr,
    )
    named = (
        {**row, "role": row["role"].replace("second_reading", "verification")} for row in home["subagent_messages"]
    )
    kept["subagent_messages"] = sorted(named, key=repr)
    return kept


def _without(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if name not in ("cues", "cues_by")}


def _without_in(said: str | None) -> str | None:
    return None if said is None else to_json(_without(json.loads(said)))


async def test_every_memory_of_the_first_orca_is_there(v1: Path) -> None:
    stores = await open_stores(v1, scope="me", must_exist=True)
    page = await stores.memories.page(MemoryQuery(criteria("all", 5.0), sort=MemorySort.ID))
    memories = {memory.id: memory for memory in page.records}

    assert list(memories) == [3, 8, 12]
    assert (memories[3].content, memories[3].type, memories[3].confidence, memories[3].seen) == (
        "用户用 neovim", MemoryType.PREFERENCE, 0.9, 2,
    )  # fmt: skip
    assert memories[3].created_at.isoformat() == "2025-03-01T08:00:00+00:00"
    assert (memories[8].type, memories[8].confidence) == (MemoryType.FACT, 1.0)
    assert memories[8].created_at.year == 2025
    assert {memory.weight for memory in page.records} == {1.0}
    assert {memory.origin.kind for memory in page.records} == {OriginKind.IMPORT}
    assert [hit.ref.id for hit in await asked(stores).by_tokens(["neovim"], 5)] == [3]


async def test_conversations_come_over_as_rounds(v1: Path) -> None:
    stores = await open_stores(v1, scope="me", must_exist=True)
    session = await stores.sessions.session("one")
    rounds = await stores.sessions.rounds("one")
    alone = await stores.sessions.rounds("two")

    assert session.title == "部署笔记"
    assert [(each.user, each.assistant, each.state.value) for each in rounds] == [
        ("你好", "你好！", "done"),
        ("docker 连不上", "", "interrupted"),
    ]
    assert await stores.messages.backlog() == 4
    assert [(each.user, each.assistant) for each in alone] == [("", "an answer without a question")]


async def test_a_verified_backup_is_made_first(v1: Path) -> None:
    stores = await open_stores(v1, scope="me", must_exist=True)
    await stores.upkeep.aclose()
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
        run(open_stores(v1, scope="me", must_exist=True))

    assert list((v1.parent / "backups").iterdir()) == []
    assert migrations.version_of(apsw.Connection(str(v1))) == 0


def test_a_migration_that_fails_leaves_the_old_database(run, v1: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(connection: apsw.Connection) -> None:
        first_orca.set_aside(connection)
        raise RuntimeError("in the middle")

    monkeypatch.setattr(migrations, "STEPS", (fails,))
    with pytest.raises(RuntimeError):
        run(open_stores(v1, scope="me", must_exist=True))

    old = apsw.Connection(str(v1))
    assert old.execute("SELECT count(*) FROM long_term_memories").get == 5
    assert migrations.version_of(old) == 0


async def test_a_home_of_the_last_schema_is_upgraded_in_place(open_orca, old: Path) -> None:
    before = rows(old)
    async with open_orca():
        pass

    assert migrations.version_of(connected(old)) == migrations.NEWEST
    assert rows(old) == without_cues(before) | {"tool_support": []}
    assert connected(old).execute("PRAGMA integrity_check").get == "ok"
    assert connected(old).execute("PRAGMA foreign_key_check").fetchall() == []
    [backup] = (old.parent / "backups").iterdir()
    assert backup.name == "orca-schema-16.db"
    assert backup.stat().st_mode & 0o777 == 0o600
    assert migrations.version_of(connected(backup)) == migrations.LAST_BEFORE
    assert rows(backup) == before


def test_its_tables_are_those_that_are_made_now(run, old: Path, tmp_path: Path) -> None:
    new = tmp_path / "new.db"
    migrations.check_shape(connected(old), old)
    run(stores_closed(new, must_exist=False))
    run(stores_closed(old))
    migrations.check_shape(connected(old), old)

    columns = "SELECT m.name, x.* FROM sqlite_schema m, pragma_table_xinfo(m.name) x WHERE m.name NOT LIKE 'vec%'"
    indexes = "SELECT m.name, i.name, i.origin, i.partial, x.* FROM sqlite_schema m, pragma_index_list(m.name) i,"
    indexes += " pragma_index_xinfo(i.name) x WHERE m.name NOT LIKE 'vec%'"
    for query in (columns, indexes):
        made, there = (sorted(map(repr, connected(path).execute(query))) for path in (new, old))
        assert made
        assert there == made


@pytest.mark.parametrize("version", [1, 9, 15])
def test_an_older_development_schema_is_refused_untouched(run, old: Path, version: int) -> None:
    connected(old).execute(f"PRAGMA user_version = {version}").fetchall()
    as_it_was = old.read_bytes()

    with pytest.raises(SchemaTooOld) as refused:
        run(stores_closed(old))

    assert str(refused.value) == (
        f"{old}: made by an Orca in development (schema {version}; schema 16 and newer are upgraded) — open it once with"
        " the Orca of the commit tagged schema-16, which upgrades it, then with this one; nothing was changed"
    )
    assert old.read_bytes() == as_it_was
    assert not (old.parent / "backups").exists()


@pytest.mark.parametrize("version", [0, -1])
def test_a_schema_without_a_number_is_damage(run, old: Path, version: int) -> None:
    connected(old).execute(f"PRAGMA user_version = {version}").fetchall()
    with pytest.raises(StoreDamaged, match=f"its schema is number {version}"):
        run(stores_closed(old))


def test_what_a_crash_left_of_a_backup_is_swept_away(run, old: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as died:
        died.wait()
    folder = old.parent / "backups"
    folder.mkdir()
    left = [folder / f".orca.db.{died.pid}.part{end}" for end in ("", "-journal")]
    another = folder / f".orca.db.{os.getppid()}.part"  # of a process that runs
    for path in (*left, another):
        path.write_text("half a copy")

    run(stores_closed(old))

    assert sorted(path.name for path in folder.iterdir()) == [another.name, "orca-schema-16.db"]


async def stores_closed(path: Path, *, must_exist: bool = True) -> None:
    """Open and close it."""
    stores = await open_stores(path, scope="me", must_exist=must_exist)
    await stores.upkeep.aclose()


TABLE = "CREATE TABLE a (id INTEGER PRIMARY KEY, b TEXT NOT NULL DEFAULT '') STRICT"
WORDS = """CREATE VIRTUAL TABLE w USING fts5 (t, content='', tokenize="unicode61 tokenchars '_'")"""


@pytest.mark.parametrize(
    ("sql", "what", "by"),
    [
        (TABLE, "INTEGER", "TEXT"),
        (TABLE, "PRIMARY KEY", ""),
        (TABLE, "NOT NULL", ""),
        (TABLE, "DEFAULT ''", "DEFAULT ' '"),
        (TABLE, "DEFAULT ''", "DEFAULT '--'"),
        (TABLE, "DEFAULT ''", "DEFAULT (load_extension('x'))"),
        (TABLE, "STRICT", ""),
        (TABLE, "b TEXT", "c TEXT"),
        (TABLE, ") STRICT", ", CHECK (b <> '/* */')) STRICT"),
        (WORDS, "content='', ", ""),
        (WORDS, "unicode61 ", "unicode61  remove_diacritics 0 "),
        (WORDS, "tokenchars '_'", "tokenchars '-'"),
    ],
)
def test_what_makes_another_table_is_seen(sql: str, what: str, by: str) -> None:
    assert tokens_of(sql) != tokens_of(sql.replace(what, by))
