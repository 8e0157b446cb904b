"""A look sees a scope at one moment, and nothing of other scopes."""

from __future__ import annotations

import pytest
from fakes.asking import asked_around
from fakes.looks import meanwhile
from fakes.records import remember

from orca_core.model.errors import InvalidInput
from orca_core.model.memories import MEMORIES
from orca_core.store.ports import Rows


async def test_what_is_remembered_while_a_look_lasts_is_seen_by_the_next(opened) -> None:
    async with opened() as stores:
        [first] = await remember(stores, "a giraffe")
        another = meanwhile(lambda: remember(stores, "one more giraffe"))

        def look(snapshot: Rows) -> tuple[int, int, int]:
            before = len(snapshot.words.by_tokens(["giraff"], 5))
            another()
            records = snapshot.lists.get(MEMORIES, [first, first + 1])
            return before, len(snapshot.words.by_tokens(["giraff"], 5)), len(records)

        assert await stores.search.at_once(look) == (1, 1, 1)
        assert await stores.search.at_once(look) == (2, 2, 2)


async def test_records_come_in_the_order_asked_and_those_of_other_scopes_do_not(opened) -> None:
    async with opened("me") as mine, opened("work") as work, opened("both", "me") as both:
        first, second = await remember(mine, "one", "two")
        [secret] = await remember(work, "three")

        found = await asked_around(both).get(MEMORIES, [second, secret, 999, first])
        assert [each.id for each in found] == [second, first]
        assert await asked_around(mine).get(MEMORIES, []) == []


async def test_what_a_look_raises_comes_to_who_asked(opened) -> None:
    def look(_: Rows) -> None:
        raise InvalidInput(template="nothing to look for")

    async with opened() as stores:
        with pytest.raises(InvalidInput, match="nothing to look for"):
            await stores.search.at_once(look)
        assert await stores.search.at_once(lambda snapshot: snapshot.lists.get(MEMORIES, [1])) == []
