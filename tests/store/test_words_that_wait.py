"""Words that are indexed anew: in slices, by whoever comes to it, and whatever happens to the records meanwhile."""

from __future__ import annotations

from pathlib import Path

import pytest
from fakes.asking import asked
from fakes.deleting import opened
from fakes.exchange import a_memory, brought, document
from fakes.records import header, later

from orca_core.model.records import MEMORY
from orca_core.rules.memory import memory_curation, undo_rules
from orca_core.store.protocols import Stores
from orca_core.store.sqlite.upkeep.maintenance import SQLiteIndexCare

MEMORIES = 150
"""More than the background indexes in one transaction."""


async def left_to_the_background(*_given: object) -> None:
    return


async def imported(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Stores:
    """As an indexing leaves it that is killed when it has begun."""
    monkeypatch.setattr(SQLiteIndexCare, "_fill", left_to_the_background)
    stores = await opened(folder)
    memories = (a_memory(f"giraffe {number}") for number in range(MEMORIES))
    await brought(stores, document(*memories))
    await stores.indexes.mend(MEMORY)
    return stores


async def found(stores: Stores, word: str) -> int:
    return len(await asked(stores).by_tokens([word], 1000))


async def test_what_happens_to_records_meanwhile_is_indexed_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stores = await imported(tmp_path, monkeypatch)
    await stores.memories.change(
        [7], header("edit", later()), memory_curation.each(lambda _memory: {"content": "a zebra"})
    )
    await stores.memories.delete([8], header("delete", later()))
    await stores.indexes.count_words(1)
    await stores.memories.change(
        [9], header("edit", later()), memory_curation.each(lambda _memory: {"content": "a zebu"})
    )
    await stores.memories.change(
        [140], header("edit", later()), memory_curation.each(lambda _memory: {"content": "a lion"})
    )
    await stores.history.undo(None, later(2), undo_rules.plan)
    while await stores.indexes.count_words(1):
        continue

    assert [await found(stores, word) for word in ("giraff", "zebra", "zebu", "lion")] == [MEMORIES - 3, 1, 1, 0]
    assert [each for each in await stores.indexes.states() if not each.is_in_step] == []
    assert (await stores.housekeeping.health()).integrity == "ok"
