"""Which memories an act supports: as far as both stand."""

from __future__ import annotations

from fakes.acts_read import claimed, finish, only, recorded, shown
from fakes.records import later

from orca_core.rules.memory import undo_rules


async def test_an_act_speaks_for_what_was_read_out_of_it(opened) -> None:
    async with opened() as stores:
        liked, other = await recorded(stores, "LIKE", 1), await recorded(stores, "LIKE", 2)
        await finish(stores, await claimed(stores), shown(liked))

        assert await stores.actions.speaks_for([liked, other]) == {liked: ((await only(stores)).id,)}
        assert await stores.actions.speaks_for([]) == {}


async def test_an_act_that_was_taken_back_speaks_for_nothing_until_it_stands_again(opened) -> None:
    async with opened() as stores:
        liked = await recorded(stores, "LIKE", 1)
        await finish(stores, await claimed(stores), shown(liked))

        await recorded(stores, "CANCEL_LIKE", 1)
        assert await stores.actions.speaks_for([liked]) == {}

        await stores.history.undo(None, later(5), undo_rules.plan)
        assert list(await stores.actions.speaks_for([liked])) == [liked]


async def test_a_support_that_was_undone_is_none(opened) -> None:
    async with opened() as stores:
        liked = await recorded(stores, "LIKE", 1)
        await finish(stores, await claimed(stores), shown(liked))
        [made] = [each.id for each in await stores.history.operations(10) if each.header.action == "acts"]

        await stores.history.undo(made, later(5), undo_rules.plan)

        assert await stores.actions.speaks_for([liked]) == {}
