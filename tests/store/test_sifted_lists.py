"""A slice of a filtered list is found by the index of texts."""

from __future__ import annotations

from pathlib import Path

from fakes.records import remember
from fakes.steps import plan_of

from orca_core.model.memories import State
from orca_core.model.views import MemoryQuery, StatusCriteria, TextPlace
from orca_core.store.sqlite.engine.connection import connect
from orca_core.store.sqlite.memories.sifting import among_texts
from orca_core.store.sqlite.store import open_stores


async def test_a_slice_reads_its_piece_of_the_texts_alone(tmp_path: Path) -> None:
    stores = await open_stores(tmp_path / "orca.db", scope="me", must_exist=False)
    await remember(stores, *(f"postgres runs {number}" for number in range(20)))
    await stores.housekeeping.aclose()
    connection = connect(tmp_path / "orca.db")
    query, at = MemoryQuery(StatusCriteria((State.LIVE,)), text="pstg"), TextPlace("me", "postgres")
    plan = plan_of(connection, lambda: among_texts(connection, ("me", "team"), query, at, 5))
    assert plan.walks == []
    pieces = [step for step in plan.steps if "content>?" in step]
    assert len(pieces) == 2
    assert all("COVERING INDEX" in step for step in pieces)
    connection.close()
