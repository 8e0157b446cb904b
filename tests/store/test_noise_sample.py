"""The vectors that tell the noise of a store are drawn from those that there are."""

from __future__ import annotations

from pathlib import Path

import pytest
from fakes.records import remember

from orca_core.model.records import memory_ref
from orca_core.store.sqlite.index import read_snapshot
from orca_core.store.sqlite.store import open_stores


async def test_the_noise_is_measured_where_few_have_a_vector(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read_snapshot, "RANDOM_SAMPLE", 4)
    stores = await open_stores(tmp_path / "orca.db", scope="me", must_exist=False)
    ids = await remember(stores, *(f"memory {number}" for number in range(30)))
    for at, vector in ((0, [1.0, 0.0]), (29, [0.0, 1.0])):
        await stores.vectors.put("m", [(memory_ref(ids[at]), f"memory {at}", vector)])

    assert await stores.search.random_cosines("m", 100, 5) == [0.0]
