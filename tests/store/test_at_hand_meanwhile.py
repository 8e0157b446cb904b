"""What changes while vectors are being read into memory, or before they are read further."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from fakes.at_hand import AtHand, asked_in
from fakes.looks import meanwhile

from orca_core.store.sqlite.engine.connection import SideConnection, connect
from orca_core.store.sqlite.index import vector_cache


async def test_what_changes_between_two_slices_is_known_after_the_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vector_cache, "A_SLICE", 2)
    async with asked_in(tmp_path) as at_hand:
        ids = await at_hand.add(5)
        await at_hand.change(ids[0], state="archived")
        restore = meanwhile(lambda: at_hand.change(ids[0], state="live"))
        read, slices = vector_cache._next_slice, []

        def watched(*given: Any) -> int | None:
            slices.append(given[2])
            if len(slices) == 2:
                restore()
            return read(*given)

        monkeypatch.setattr(vector_cache, "_next_slice", watched)
        await at_hand.bring()

        assert len(slices) == 3
        assert sorted(at_hand.found() or []) == ids


async def test_what_was_missed_is_not_passed_over_by_who_reads_on_in_the_background(tmp_path: Path) -> None:
    async with asked_in(tmp_path) as at_hand:
        await at_hand.add(2)
        await at_hand.bring()
        await at_hand.add(3)
        connection = connect(at_hand.path)
        connection.execute("DELETE FROM vector_changes WHERE seq < (SELECT max(seq) FROM vector_changes)")
        connection.close()

        at_hand.held.wrote(vector_cache.FOLLOWED_AT)
        await at_hand.held.wait()
        assert at_hand.found() is None

        await at_hand.bring()
        assert at_hand.found() == await at_hand.truth()


async def asked_for(at_hand: AtHand, model: str) -> None:
    for _ in range(2):
        assert at_hand.found(model=model) is None
    at_hand.held.bring()


async def test_one_reads_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reading: list[SideConnection] = []
    most: list[int] = []

    class Counted(SideConnection):
        async def run(self, work: Any) -> Any:
            if self not in reading:
                reading.append(self)
            most.append(len(reading))
            return await super().run(work)

        async def aclose(self) -> None:
            await super().aclose()
            reading.remove(self)

    monkeypatch.setattr(vector_cache, "SideConnection", Counted)
    monkeypatch.setattr(vector_cache, "A_SLICE", 1)
    async with asked_in(tmp_path) as at_hand:
        ids = await at_hand.add(4)
        await at_hand.embed(ids[0], "other")
        again = meanwhile(lambda: asked_for(at_hand, "other"))
        read, calls = vector_cache._next_slice, []

        def watched(*given: Any) -> int | None:
            calls.append(given)
            if len(calls) == 1:
                again()
            return read(*given)

        monkeypatch.setattr(vector_cache, "_next_slice", watched)
        await at_hand.bring()
        await at_hand.bring("other")

    assert set(most) == {1}
