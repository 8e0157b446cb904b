"""Records of a further kind: made, read, changed and deleted as memories are."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fakes.notes import AT, NOTE, NOTES, Note
from fakes.records import header, later, remember

from orca_core.domain.errors import InvalidInput, NotFound
from orca_core.rules.keeping import undo

MILK = Note(0, "buy oat milk", 2, True, later(), ("shop", "牛奶"))


async def test_a_record_comes_back_as_it_was_made(opened) -> None:
    async with opened() as stores:
        made = await stores.records[NOTE].add(MILK, header())
        plain = await stores.records[NOTE].add(Note(0, "nothing else"), header())

        assert made == replace(MILK, id=1)
        assert await stores.records[NOTE].get([2, 1]) == [plain, made]
        assert await stores.records[NOTE].get([1, 9], missing_ok=True) == [made]
        with pytest.raises(NotFound):
            await stores.records[NOTE].get([1, 9])


async def test_every_record_is_listed_page_by_page(opened) -> None:
    async with opened() as stores:
        for number in range(7):
            await stores.records[NOTE].add(Note(0, f"note {number}"), header())

        assert [note.id async for note in stores.records[NOTE].all()] == [1, 2, 3, 4, 5, 6, 7]


async def test_another_profile_has_its_own(opened) -> None:
    async with opened("me") as mine, opened("work") as work:
        await mine.records[NOTE].add(MILK, header())

        assert await work.records[NOTE].get([1], missing_ok=True) == []
        assert await work.search.by_tokens(["milk"], 5, kind=NOTE) == []
        with pytest.raises(NotFound):
            await work.records[NOTE].delete([1], header("delete"))
        with pytest.raises(NotFound):
            await work.records[NOTE].change(1, {"stars": 1}, header("edit"))


async def test_a_change_is_an_operation_that_can_be_taken_back(opened) -> None:
    async with opened() as stores:
        made = await stores.records[NOTE].add(MILK, header())
        changed = await stores.records[NOTE].change(1, {"stars": 5, "due": None}, header("edit", later()))
        assert changed == replace(made, stars=5, due=None)

        await stores.history.undo(None, later(2), undo.plan)
        assert await stores.records[NOTE].get([1]) == [made]
        await stores.history.redo(None, later(3), undo.plan)
        assert await stores.records[NOTE].get([1]) == [changed]

        changes = await stores.records[NOTE].history(1)
        assert [(each.ref, each.action) for each in changes] == [
            (NOTES.ref(made), action) for action in ("add", "edit", "undo", "redo")
        ]


async def test_what_changes_nothing_leaves_no_operation(opened) -> None:
    async with opened() as stores:
        await stores.records[NOTE].add(MILK, header())
        await stores.records[NOTE].change(1, {"stars": 2}, header("edit"))

        assert [operation.header.action for operation in await stores.history.operations(5)] == ["add"]


async def test_a_deleted_record_is_nowhere_and_its_number_is_not_used_again(opened) -> None:
    async with opened() as stores:
        await stores.records[NOTE].add(MILK, header())
        await stores.vectors.put("m", [(NOTES.ref(replace(MILK, id=1)), MILK.text, [1.0, 0.0])])
        assert [hit.ref.id for hit in await stores.search.by_vector("m", [1.0, 0.0], 5, kind=NOTE)] == [1]

        assert await stores.records[NOTE].delete([1], header("delete"))

        assert await stores.search.by_vector("m", [1.0, 0.0], 5, kind=NOTE) == []
        assert await stores.search.by_tokens(["milk"], 5, kind=NOTE) == []
        with pytest.raises(NotFound):
            await stores.records[NOTE].history(1)
        with pytest.raises(InvalidInput):
            [delete, *_] = await stores.history.operations(1)
            await stores.history.undo(delete.id, later(), undo.plan)
        assert (await stores.records[NOTE].add(Note(0, "buy bread", created_at=AT), header())).id == 2


async def test_a_deleted_memory_leaves_the_history_of_a_record_of_its_number(opened) -> None:
    async with opened() as stores:
        await stores.records[NOTE].add(MILK, header())
        await stores.records[NOTE].change(1, {"stars": 5}, header("edit"))
        assert await remember(stores, "a memory of the same number") == [1]

        await stores.memories.delete([1], header("delete"))

        made, edited = await stores.records[NOTE].history(1)
        assert (made.action, edited.action) == ("add", "edit")
        await stores.history.undo(edited.operation, later(), undo.plan)
        assert (await stores.records[NOTE].get([1]))[0].stars == 2


async def test_a_record_that_is_named_twice_is_deleted_once(opened) -> None:
    async with opened() as stores:
        await stores.records[NOTE].add(MILK, header())

        assert await stores.records[NOTE].delete([1, 1], header("delete"))

        assert await stores.records[NOTE].get([1], missing_ok=True) == []


async def test_a_record_of_another_scope_is_read_with_its_history_and_never_written(opened) -> None:
    async with opened("team") as team, opened("me", "team") as mine:
        await team.records[NOTE].add(MILK, header())

        assert [change.action for change in await mine.records[NOTE].history(1)] == ["add"]
        with pytest.raises(NotFound):
            await mine.records[NOTE].change(1, {"stars": 1}, header("edit"))
        with pytest.raises(NotFound):
            await mine.records[NOTE].delete([1], header("delete"))
        [made] = await team.history.operations(5)
        with pytest.raises(NotFound):
            await mine.history.undo(made.id, later(), undo.plan)
