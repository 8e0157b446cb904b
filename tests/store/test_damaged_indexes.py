"""An index that is damaged or out of step, while all that is stored is whole, is told from a damaged database, and mended."""

from __future__ import annotations

import asyncio
from pathlib import Path

import apsw
import pytest
from fakes.asking import asked
from fakes.records import AT, header
from msgspec.structs import replace

from orca_core.model.episodes import Episode
from orca_core.model.errors import IndexDamaged
from orca_core.model.record_types import EPISODE, Kind
from orca_core.operations.stores import Stores
from orca_core.store.ports import IndexState
from orca_core.store.sqlite.engine.connection import load_vectors
from orca_core.store.sqlite.store import open_stores

MODEL = "m"
MANY = 30

WORDS = [
    "UPDATE episodes_text_data SET block = randomblob(40) WHERE id > 10",
    "DELETE FROM episodes_text_data",
    "DROP TABLE episodes_text_data",
    "DROP TABLE episodes_text_docsize",
    "DROP TABLE episodes_text_idx",
    "DELETE FROM episodes_text_config",
    "DROP TABLE episodes_text_config",
    "DROP TABLE episodes_text",
]
VECTORS = [
    "UPDATE vec_episodes_vector_chunks00 SET vectors = x'00'",
    "DELETE FROM vec_episodes_vector_chunks00",
    "DELETE FROM vec_episodes_chunks",
    "UPDATE vec_episodes_chunks SET validity = zeroblob(1)",
    "UPDATE vec_episodes_chunks SET rowids = zeroblob(1)",
    "DROP TABLE vec_episodes_chunks",
    "DROP TABLE vec_episodes_rowids",
    "DROP TABLE vec_episodes_vector_chunks00",
    "DROP TABLE vec_episodes",
]


async def opened(path: Path) -> Stores:
    return await open_stores(path, scope="me", must_exist=False)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    asyncio.run(filled(tmp_path / "orca.db"))
    return tmp_path / "orca.db"


async def filled(path: Path) -> None:
    stores = await opened(path)
    for number in range(MANY):
        await stores.records[EPISODE].add(Episode(0, f"u{number}", f"nginx {number}", "nginx", AT, AT, AT), header())
    waiting = await stores.vectors.unembedded(MODEL, MANY)
    await stores.vectors.put(MODEL, [(each.ref, each.text, [1.0, 0.5]) for each in waiting])
    await stores.vectors.refresh_index(MODEL)
    await stores.upkeep.aclose()


def hurt(path: Path, statement: str) -> None:
    connection = apsw.Connection(str(path))
    load_vectors(connection)
    connection.execute(statement)
    connection.close()


@pytest.mark.long
@pytest.mark.parametrize("damage", [*WORDS, *VECTORS])
async def test_a_damaged_index_is_told_from_a_damaged_database_and_made_anew(path: Path, damage: str) -> None:
    hurt(path, damage)
    stores = await opened(path)

    [found] = [each for each in await stores.upkeep.states() if each.is_damaged]
    assert (found.kind, found.damaged) == (EPISODE, "vec_episodes" if damage in VECTORS else "episodes_text")
    await stores.upkeep.health()

    await stores.upkeep.mend(EPISODE)
    await stores.vectors.refresh_index(MODEL)
    assert all(each.is_in_step for each in await stores.upkeep.states())
    assert (await stores.upkeep.health()).integrity == "ok"
    assert len(await asked(stores).by_tokens(["nginx"], MANY, kind=EPISODE)) == MANY
    assert len(await asked(stores).by_vector(MODEL, [1.0, 0.5], MANY, kind=EPISODE)) == MANY
    await stores.records[EPISODE].add(Episode(0, "later", "nginx later", "nginx", AT, AT, AT), header())
    assert len(await asked(stores).by_tokens(["later"], MANY, kind=EPISODE)) == 1


async def test_a_search_and_a_write_say_that_it_is_the_index(path: Path) -> None:
    for damage in (WORDS[0], VECTORS[0]):
        hurt(path, damage)
    stores = await opened(path)

    with pytest.raises(IndexDamaged, match="orca memory reindex"):
        await asked(stores).by_tokens(["nginx"], 9, kind=EPISODE)
    with pytest.raises(IndexDamaged, match="orca memory reindex"):
        await asked(stores).by_vector(MODEL, [1.0, 0.5], 9, kind=EPISODE)
    with pytest.raises(IndexDamaged, match="orca memory reindex"):
        await stores.records[EPISODE].add(Episode(0, "later", "nginx later", "nginx", AT, AT, AT), header())


@pytest.mark.parametrize("part", ["data", "docsize", "config"])
async def test_the_index_of_messages_is_examined_and_made_anew_as_well(path: Path, part: str) -> None:
    stores = await opened(path)
    hurt(path, f"DROP TABLE message_text_{part}")

    assert (await stores.messages.examine()).is_damaged
    await stores.upkeep.health()
    await stores.messages.rebuild()
    await stores.messages.catch_up()
    assert (await stores.messages.examine()).is_in_step


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

    [state] = [each for each in await stores.upkeep.states() if not each.is_in_step]
    assert replace(state, numbers={}) == IndexState(EPISODE, **expected)
    await stores.upkeep.mend(Kind("episode", "e"))
    await stores.vectors.refresh_index(MODEL)
    assert all(each.is_in_step for each in await stores.upkeep.states())
    live = [each.id for each in await stores.retention.ages()]
    assert sorted(hit.ref.id for hit in await asked(stores).by_tokens(["nginx"], 9, kind=EPISODE)) == sorted(live)
