"""What takes long tells how far it is."""

from __future__ import annotations

import pytest

from orca_core.model.operations import Reached

pytestmark = pytest.mark.long


async def test_upkeep_tells_how_far_it_is_to_its_end(open_engine) -> None:
    async with open_engine() as engine:
        for number in range(120):
            await engine.memories.add(f"the tea number {number} is green")
        await engine.worker.tidy()
        told: list[Reached] = []
        await engine.doctor.reindex(told.append)
        assert {each.stage for each in told} == {"records", "vectors"}
        for stage in ("records", "vectors"):
            done = [each.done for each in told if each.stage == stage]
            assert done == sorted(done)
            assert done[0] < 100 <= done[-1]
        told.clear()
        await engine.doctor.examine(tell=told.append)
        shares = [each.share for each in told]
        assert shares == sorted(shares)
        assert {"database", "secrets", "duplicates"} <= {each.stage for each in told}
        assert max(shares) < 1
        told.clear()
        await engine.cleanup.preview(told.append)
        assert told[-1] == Reached("reading", 120, 120)
