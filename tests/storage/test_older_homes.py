"""A home of an older Orca, opened by this one: work begins, everything old is as it was, and no old chat is read for
what was done in it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import apsw
import pytest
from fakes.clocks import StillClock
from fakes.scripted_model import ScriptedModel, says
from fakes.turns import turn

from orca_core.compose import compose
from orca_core.domain.queries import ListQuery
from orca_core.embeddings.cached import CachedEmbedder
from orca_core.embeddings.local import LocalEmbedder
from orca_core.engine import Engine
from orca_core.flows.shared.lazy import Lazy
from orca_core.journal_rules import JOURNAL_RULES
from orca_core.settings import Settings
from orca_core.storage.sqlite.engine.connection import load_vectors
from orca_core.storage.sqlite.schema import migrations
from orca_core.storage.sqlite.store import open_stores

FIXTURES = Path(__file__).parent / "fixtures"
VERSIONS = sorted(path.stem for path in FIXTURES.glob("v*.sql") if int(path.stem[1:]) < 8)
"""Those that knew no work."""
DAY_S = 86_400.0


def connected(path: Path) -> apsw.Connection:
    connection = apsw.Connection(str(path))
    load_vectors(connection)
    return connection


@pytest.fixture(params=VERSIONS)
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The database of an older version."""
    path = tmp_path / "orca.db"
    connection = connected(path)
    connection.execute("PRAGMA journal_mode=WAL").fetchall()
    for _ in connection.execute((FIXTURES / f"{request.param}.sql").read_text("utf-8")):
        pass
    connection.close()
    return path


@pytest.fixture
def open_old(old: Path) -> Callable[..., object]:
    @asynccontextmanager
    async def opened(agent: ScriptedModel | None = None) -> AsyncIterator[Engine]:
        stores = await open_stores(old, scope="me", must_exist=True, rules=JOURNAL_RULES)
        engine = compose(
            Settings(profile="me"),
            stores,
            model=Lazy(ScriptedModel),
            agent=Lazy(lambda: agent or ScriptedModel(says('{"facts": []}'))),
            embedder=Lazy(lambda: CachedEmbedder(LocalEmbedder(), stores.vectors)),
            clock=StillClock(),
        )
        try:
            yield engine
        finally:
            await engine.aclose()

    return opened


async def test_work_begins_in_it_and_what_was_there_stays(open_old) -> None:
    async with open_old() as engine:
        before = (await engine.memories.page(ListQuery("all"))).memories
        chats = await engine.sessions.list()
        assert before
        assert chats

        task = await engine.work.tasks.start(chats[0].id, "mend the proxy", target="nginx")
        await engine.work.tasks.add_step(task.task.id, "read the log", status="completed")
        ended = await engine.work.tasks.complete(task.task.id, "success", "works now")
        assert ended.episode is not None
        await engine.worker.tidy()

        stats = await engine.memories.stats()
        assert stats.of_work["episode"]["active"] == stats.of_work["task"]["completed"] == 1
        assert (await engine.work.forgetting.preview()).forgotten == ()
        undone = await engine.history.undo()
        assert {ref.kind.name for ref in undone.refs} >= {"task", "episode"}
        assert (await engine.memories.page(ListQuery("all"))).memories == before


async def test_the_doctor_finds_its_index_in_step(open_old) -> None:
    async with open_old() as engine:
        await engine.worker.tidy()
        checks = {each.name: each for each in (await engine.doctor.examine()).checks}

        for name in ("search index", "tasks", "episodes", "knowledge", "tools", "reading of work"):
            assert checks[name].state == "ok", checks[name].detail
        assert checks["database"].state == "ok"


async def test_no_old_chat_is_read_for_what_was_done_in_it(open_old, old: Path) -> None:
    async with open_old() as engine:
        await turn(engine, "what now?", session_id="a new chat")
        await engine.worker.learn_now()
        await engine.worker.drain()

    rows = connected(old).execute(
        "SELECT s.id, s.episodes_through, coalesce(max(r.number), 0) FROM sessions s"
        " LEFT JOIN rounds r ON r.scope = s.scope AND r.session_id = s.id WHERE s.scope = 'me' GROUP BY s.rowid"
    )
    through = {session: (seen, last) for session, seen, last in rows}
    del through["a new chat"]
    assert through
    assert all(seen == last for seen, last in through.values())
    runs = connected(old).execute("SELECT session_id FROM extraction_runs WHERE kind = 'episodes'")
    assert not through.keys() & {session for (session,) in runs}


async def test_it_is_backed_up_before_anything_is_changed(open_old, old: Path) -> None:
    version = migrations.version_of(connected(old))
    before = tables(old)

    async with open_old() as engine:
        await engine.memories.add("added today")

    [backup] = (old.parent / "backups").iterdir()
    assert migrations.version_of(connected(backup)) == version < migrations.NEWEST
    assert tables(backup) == before
    assert "episodes" not in before


def tables(path: Path) -> dict[str, int]:
    """How many rows each table has, but for the cache, which no backup keeps."""
    connection = connected(path)
    names = [
        str(name)
        for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
        if name != "embedding_cache"
    ]
    counted = {name: connection.execute(f"SELECT count(*) FROM {name}").get for name in names}
    connection.close()
    return {name: int(str(count)) for name, count in counted.items()}
