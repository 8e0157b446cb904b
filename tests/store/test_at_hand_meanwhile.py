"""What changes while vectors are being read into memory, or before they are read further."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from fakes.at_hand import AtHand, asked_in
from fakes.looks import meanwhile

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


async def asked_for(at_hand: AtHand, model: str) -> None:
    for _ in range(2):
        assert at_hand.found(model=model) is None
    at_hand.held.bring()
