"""An index that something else has put out of step is noticed, and mended."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest
from fakes.asking import asked
from fakes.records import AT, header
from msgspec.structs import replace

from orca_core.model.episodes import Episode
from orca_core.model.records import EPISODE, Kind
from orca_core.store.protocols import Stores
from orca_core.store.protocols.index import IndexState
from orca_core.store.sqlite.engine.connection import load_vectors
from orca_core.store.sqlite.store import open_stores

MODEL = "m"


async def two_episodes(stores: Stores) -> None:
    for number in range(2):
        await stores.records[EPISODE].add(Episode(0, f"u{number}", f"nginx {number}", "nginx", AT, AT, AT), header())
    waiting = await stores.vectors.unembedded(MODEL, 9)
    await stores.vectors.put(MODEL, [(each.ref, each.text, [1.0, 0.5]) for each in waiting])
    await stores.vectors.refresh_index(MODEL)


@pytest.mark.parametrize(
    ("hurt", "expected"),
    [
        ("DELETE FROM episodes WHERE id = 1", {"orphan_words": 1, "orphan_vectors": 1, "stale": 1}),
        ("INSERT INTO episodes_text (episodes_text) VALUES ('delete-all')", {"without_words": 2}),
        ("UPDATE episodes SET state = 'archived' WHERE id = 1", {"stale": 1}),
        ("DELETE FROM vec_episodes WHERE id = 2", {"stale": 1}),
        (
            "INSERT INTO vectors (kind, id, model, vector) VALUES ('episode', 9, 'm', x'00003c00')",
            {"orphan_vectors": 1},
        ),
    ],
)
async def test_it_is_counted_and_mended(tmp_path: Path, hurt: str, expected: dict[str, int]) -> None:
    path = tmp_path / "orca.db"
    stores = await open_stores(path, scope="me", must_exist=False)
    await two_episodes(stores)
    connection = apsw.Connection(str(path))
    load_vectors(connection)
    connection.execute(hurt)
    connection.close()

    [state] = [each for each in await stores.indexes.states() if not each.is_in_step]
    assert replace(state, numbers={}, word_counts=0, looked_at=0) == IndexState(EPISODE, **expected)
    await stores.indexes.mend(Kind("episode", "e"))
    await stores.vectors.refresh_index(MODEL)
    assert all(each.is_in_step for each in await stores.indexes.states())
    live = [each.id for each in await stores.fading.ages()]
    assert sorted(hit.ref.id for hit in await asked(stores).by_tokens(["nginx"], 9, kind=EPISODE)) == sorted(live)


async def test_vectors_of_what_is_gone_are_dropped_alone(tmp_path: Path) -> None:
    path = tmp_path / "orca.db"
    stores = await open_stores(path, scope="me", must_exist=False)
    await two_episodes(stores)
    connection = apsw.Connection(str(path))
    for kind in ("episode", "memory", "summary"):
        connection.execute("INSERT INTO vectors (kind, id, model, vector) VALUES (?, 99, 'm', x'00003c00')", (kind,))
    connection.close()

    assert await stores.indexes.drop_orphan_vectors() == 3
    assert await stores.indexes.drop_orphan_vectors() == 0
    assert await stores.vectors.progress(MODEL) == (2, 2)
    assert all(each.is_in_step for each in await stores.indexes.states())
