"""What a search fills in of candidates: the words of each, and what stands beside it in its conversation."""

from __future__ import annotations

from fakes.asking import asked, asked_around
from fakes.records import header, remember

from orca_core.model.memories import Origin, OriginKind
from orca_core.model.recall import Neighbours
from orca_core.model.records import MEMORY
from orca_core.operations.stores import Stores
from orca_core.rules.memory import memory_curation


async def said(stores: Stores, *memories: tuple[str, str | None, int]) -> list[int]:
    """Memories from a conversation and a round of it; their ids."""
    return [
        (await remember(stores, content, origin=Origin(OriginKind.EXTRACTION, session, (number,) if number else ())))[0]
        for content, session, number in memories
    ]


async def test_neighbours_are_of_one_conversation_in_the_order_of_its_rounds(opened) -> None:
    async with opened() as stores:
        last, other, first, second, alone = await said(
            stores, ("aa", "s", 3), ("bb", "t", 1), ("cc", "s", 1), ("dd", "s", 2), ("ee", None, 0)
        )
        found = await asked_around(stores).neighbours([last, other, alone, 999])

        assert found[last] == Neighbours(before=second, after=None, before_that=first)
        assert found[second] == Neighbours(before=first, after=last)
        assert found[other] == Neighbours()
        assert found.keys() == {last, second, other}
        assert await asked_around(stores).neighbours([]) == {}


async def test_what_lives_no_longer_is_no_neighbour(opened) -> None:
    away = {"state": "archived", "archived_because": "hand"}
    async with opened() as stores:
        first, second, third = await said(stores, ("aa", "s", 1), ("bb", "s", 1), ("cc", "s", 1))
        await stores.memories.change([second], header("archive"), memory_curation.each(lambda memory: away))

        assert (await asked_around(stores).neighbours([third]))[third] == Neighbours(before=first)
        everything = await asked_around(stores).neighbours([third], live_only=False)
        assert everything[third] == Neighbours(before=second, before_that=first)


async def test_of_a_long_conversation_only_what_stands_around_is_read(opened) -> None:
    async with opened() as stores:
        ids = await said(stores, *((f"memory {number}", "s", 9 - number // 3) for number in range(24)))
        in_order = sorted(ids, key=lambda each: (9 - ids.index(each) // 3, each))
        beside = {
            each: Neighbours(
                before=in_order[at - 1] if at else None,
                after=in_order[at + 1] if at + 1 < len(in_order) else None,
                before_that=in_order[at - 2] if at > 1 else None,
            )
            for at, each in enumerate(in_order)
        }
        for at, each in enumerate(in_order):
            near = in_order[max(0, at - 1) : at + 2]
            assert await asked_around(stores).neighbours([each]) == {one: beside[one] for one in near}
        assert await asked_around(stores).neighbours(ids) == beside


async def test_neighbours_and_words_of_another_scope_are_never_seen(opened) -> None:
    async with opened("me") as mine, opened("work") as work:
        [secret] = await said(mine, ("my neovim secret", "s", 1))
        [own] = await said(work, ("their emacs", "s", 2))

        assert (await asked_around(work).neighbours([own, secret])) == {own: Neighbours()}
        assert (await asked(work).words_of(MEMORY, [own, secret])).keys() == {own}


async def test_the_words_of_records_are_those_they_are_found_by(opened) -> None:
    async with opened() as stores:
        [one] = await remember(stores, "postgres 固定在 16")
        words = await asked(stores).words_of(MEMORY, [one, 999])

        assert words.keys() == {one}
        assert {"postgr", "固定", "16"} <= set(words[one])
        assert await asked(stores).words_of(MEMORY, []) == {}
