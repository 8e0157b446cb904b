"""What changed since: the operations after a number, oldest first, and whether another process wrote."""

from __future__ import annotations

from fakes.exchange import a_memory, brought, document
from fakes.records import chat, header, remember


async def test_operations_are_told_after_a_number(opened) -> None:
    async with opened() as stores:
        assert await stores.history.last_operation() == 0
        assert await stores.history.operations_after(0, 9) == []
        [first] = await remember(stores, "a giraffe")
        before = await stores.history.last_operation()
        await remember(stores, "a zebra")
        await stores.memories.change(
            [first], header("pin"), lambda found: {each.id: {"pinned": True} for each in found}
        )

        newer = await stores.history.operations_after(before, 9)
        assert [each.header.action for each in newer] == ["add", "pin"]
        assert [each.id for each in await stores.history.operations_after(before, 1)] == [newer[0].id]
        assert await stores.history.last_operation() == newer[-1].id


async def test_each_scope_has_its_own(opened) -> None:
    async with opened() as stores, opened("work") as work:
        await remember(stores, "a giraffe")
        assert await work.history.operations_after(0, 9) == []
        assert await work.history.last_operation() == 0


async def test_only_the_writes_of_others_are_foreign(opened) -> None:
    async with opened() as mine, opened() as theirs:
        quiet = await mine.history.foreign_writes()
        await remember(mine, "a giraffe")
        await chat(mine)
        assert await mine.history.foreign_writes() == quiet
        await chat(theirs, "other")
        assert await mine.history.foreign_writes() != quiet


async def test_of_an_operation_that_did_much_the_beginning_is_told(opened) -> None:
    async with opened() as stores:
        given = document(*(a_memory(f"I use tool {number}") for number in range(5)))
        came = await brought(stores, given)
        assert came.operation is not None
        [pinned] = (await stores.memories.change([2], header("pin"), lambda _: {2: {"pinned": True}})).records
        [pin] = await stores.history.operations_after(came.operation, 5)

        told = await stores.history.changes_of([came.operation, pin.id], 2)

        assert [(each.operation, each.ref.id) for each in told] == [
            (came.operation, 1),
            (came.operation, 2),
            (pin.id, 2),
        ]
        assert len(await stores.history.changes_of([came.operation])) == 5
        assert pinned.pinned
