"""What a search by words touches and finds is counted in its own profile."""

from __future__ import annotations

import pytest
from fakes.asking import asked
from fakes.records import header, remember

from orca_core.model.recall import Which
from orca_core.rules.memory import memory_curation
from orca_core.store.sqlite.index import word_index


async def test_a_large_profile_beside_it_takes_no_word_from_a_small_one(opened) -> None:
    """Words that are common elsewhere are rare here."""
    async with opened("work") as work, opened("me") as mine:
        await remember(work, *(f"giraffe number {number}" for number in range(30)), "a zebra")
        [wanted] = await remember(mine, "the giraffe is mine")

        hits = await asked(mine).by_tokens(["zebra", "giraff"], 5)
        assert [hit.ref.id for hit in hits] == [wanted]
        assert (await asked(mine).statistics(["zebra", "giraff"])).frequencies == {"zebra": 0, "giraff": 1}


async def test_many_that_live_no_longer_hide_none_that_lives(opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_index, "SPARES", (1, 2))
    away = {"state": "archived", "archived_because": "hand"}
    async with opened() as stores:
        [wanted] = await remember(stores, "of all the animals in the zoo she likes the tall giraffe most")
        archived = await remember(stores, *(f"giraffe {number}" for number in range(9)))
        await stores.memories.change(archived, header("archive"), memory_curation.each(lambda memory: away))

        assert [hit.ref.id for hit in await asked(stores).by_tokens(["giraff"], 3)] == [wanted]
        assert len(await asked(stores).by_tokens(["giraff"], 20, which=Which.ALL)) == 10
