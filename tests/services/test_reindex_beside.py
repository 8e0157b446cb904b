"""While one Orca makes the indexes anew, another on the same home finds, saves and answers; what was broken off is
made to its end in the background."""

from __future__ import annotations

import pytest
from fakes.turns import turn

from orca_core.model.events import Done, Injected
from orca_core.model.operations import Reached
from orca_core.orca import Orca
from orca_core.services.upkeep import RECORDS, VECTORS
from orca_core.store.sqlite.engine import database
from orca_core.store.sqlite.index import vector_index

TEXTS = [f"用户在第 {number} 台服务器上用 postgres" for number in range(30)]


class CutError(Exception):
    pass


class CutAt:
    """Breaks off when it is told for the second time of a stage."""

    def __init__(self, stage: str) -> None:
        self._stage = stage
        self._told = 0

    def __call__(self, reached: Reached) -> None:
        self._told += reached.stage == self._stage
        if self._told == 2:
            raise CutError


async def filled(engine: Orca) -> None:
    for text in TEXTS:
        await engine.memories.add(text)
    await engine.worker.tidy()


async def found(engine: Orca, text: str) -> list[str]:
    return [hit.memory.content for hit in (await engine.search.find(text, 50)).hits]


@pytest.mark.parametrize("stage", [RECORDS, VECTORS])
async def test_another_orca_goes_on_while_one_indexes_anew(
    open_engine, monkeypatch: pytest.MonkeyPatch, stage: str
) -> None:
    monkeypatch.setattr(vector_index, "A_SLICE", 10)
    monkeypatch.setattr(database, "FIRST", 5)
    monkeypatch.setattr(database, "next_size", lambda size, _worked_s: size)
    async with open_engine() as theirs, open_engine() as mine:
        await filled(theirs)
        with pytest.raises(CutError):
            await theirs.doctor.reindex(CutAt(stage))

        hits = await found(mine, "postgres 服务器")
        assert hits if stage == RECORDS else set(hits) == set(TEXTS)
        await mine.memories.add("用户养了一只猫，名叫 Postgres")
        events = await turn(mine, "我的 postgres 在哪台服务器上？")
        assert [type(each) for each in events if isinstance(each, Injected | Done)] == [Injected, Done]
        assert await found(mine, "猫") == ["用户养了一只猫，名叫 Postgres"]

        await mine.worker.tidy()
        assert set(TEXTS) < set(await found(mine, "postgres 服务器"))
        assert [each.state for each in (await mine.doctor.examine()).checks if each.name == "search index"] == ["ok"]
