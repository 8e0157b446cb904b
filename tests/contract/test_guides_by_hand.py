"""One guide of a tool lives, whichever way a hand brings one to life; what is pinned stays."""

from __future__ import annotations

import pytest
from contract.test_guides import called, ended, lives, written
from fakes.records import header, later

from orca_core.model.errors import InvalidInput
from orca_core.model.memories import State
from orca_core.model.records import GUIDE
from orca_core.model.tools import DueGuides, GuideBatch, JudgedGuide
from orca_core.operations.stores import Stores
from orca_core.rules.memory import undo_rules
from orca_core.rules.work import work_curation

PIN = {"pinned": True}
WAITS = "not_in_calls"


async def one_that_waits(stores: Stores) -> None:
    """Guide 1 lives, guide 2 of the same tool waits."""
    await called(stores)
    await written(stores)
    await called(stores, prefix="d")
    await written(stores, "See https://x.example.", held=WAITS, at=later(30))


async def accept(stores: Stores, *ids: int) -> None:
    await stores.guides.accept(ids, header("accept", later(50)), work_curation.accept(GUIDE, None))


async def restore(stores: Stores, *ids: int) -> None:
    await stores.guides.accept(ids, header("restore", later(50)), work_curation.restore(GUIDE))


async def states(stores: Stores, *ids: int) -> list[State]:
    return [each.state for each in await stores.records[GUIDE].get(ids)]


async def claimed_by_hand(stores: Stores) -> GuideBatch:
    batch = await stores.guides.claim(DueGuides(later(1000), 5, 300.0, tool="web_search"))
    assert batch is not None
    return batch


async def test_one_that_is_accepted_takes_the_place_of_what_lived(opened) -> None:
    async with opened() as stores:
        await one_that_waits(stores)
        await accept(stores, 2)
        assert await lives(stores) == [2]
        await stores.history.undo(None, later(60), undo_rules.plan)
        assert await states(stores, 1, 2) == [State.LIVE, State.CANDIDATE]


async def test_none_takes_the_place_of_a_pinned_one_and_nothing_changes(opened) -> None:
    async with opened() as stores:
        await one_that_waits(stores)
        await stores.records[GUIDE].change(1, PIN, header("pin", later(40)))
        with pytest.raises(InvalidInput, match="guide g1 of web_search is pinned"):
            await accept(stores, 2)
        assert await states(stores, 1, 2) == [State.LIVE, State.CANDIDATE]

        await stores.records[GUIDE].change(1, {"pinned": False}, header("unpin", later(45)))
        await accept(stores, 2)
        assert await lives(stores) == [2]


async def test_one_that_is_restored_takes_the_place_of_what_lives(opened) -> None:
    async with opened() as stores:
        await one_that_waits(stores)
        await stores.records[GUIDE].change(1, {"state": State.ARCHIVED.value}, header("archive", later(35)))
        await called(stores, prefix="e")
        await stores.guides.finish(await claimed_by_hand(stores), JudgedGuide("Another.", "m"), ended(later(36)))
        await restore(stores, 1)
        live = [each.id for each in await stores.guides.of_tools(["web_search"])]
        assert live == [1]


async def test_a_pinned_one_stays_where_another_is_restored(opened) -> None:
    async with opened() as stores:
        await one_that_waits(stores)
        await accept(stores, 2)
        await stores.records[GUIDE].change(2, PIN, header("pin", later(55)))
        with pytest.raises(InvalidInput, match="g2 of web_search is pinned"):
            await restore(stores, 1)
        assert await lives(stores) == [2]


async def test_of_two_that_are_accepted_at_once_one_lives(opened) -> None:
    async with opened() as stores:
        await one_that_waits(stores)
        await stores.records[GUIDE].change(1, {"state": "candidate", "held_because": WAITS}, header("x", later(40)))
        await accept(stores, 1, 2)
        assert await lives(stores) == [2]
