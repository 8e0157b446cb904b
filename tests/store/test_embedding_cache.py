"""The cache of embedded texts stays within its size."""

from __future__ import annotations

from pathlib import Path

import pytest

from orca_core.store.sqlite.index import vector_store
from orca_core.store.sqlite.store import open_stores


async def test_what_was_used_longest_ago_leaves_a_full_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector_store, "MAX_CACHED", 4)
    monkeypatch.setattr(vector_store, "TRIMMED_AT_ONCE", 2)

    stores = await open_stores(tmp_path / "orca.db", scope="me", must_exist=False)
    await stores.vectors.cache("m", {text: [1.0, 0.0] for text in ("old", "older")})
    await stores.housekeeping._scope._database.raw(
        lambda c: c.execute("UPDATE embedding_cache SET used_at = '2020'").get
    )
    await stores.vectors.cache("m", {text: [0.0, 1.0] for text in ("new", "newer", "newest")})
    kept = await stores.vectors.cached("m", ["old", "older", "new", "newer", "newest"])
    await stores.housekeeping.aclose()

    assert set(kept) == {"new", "newer", "newest"}
