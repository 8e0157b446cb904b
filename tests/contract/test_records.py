"""Records of a further kind: made, read, changed and deleted as memories are."""

from __future__ import annotations

import pytest
from fakes.asking import asked
from fakes.notes import AT, NOTE, NOTES, Note
from fakes.records import header, later, remember
from msgspec.structs import replace

from orca_core.model.episodes import Episode
from orca_core.model.errors import InvalidInput, NotFound
from orca_core.model.memories import State
from orca_core.model.records import EPISODE, TASK
from orca_core.model.tasks import Task
from orca_core.model.views import RecordQuery
from orca_core.rules.memory import undo_rules

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
        assert await asked(work).by_tokens(["milk"], 5, kind=NOTE) == []
        with pytest.raises(NotFound):
            await work.records[NOTE].delete([1], header("delete"))
        with pytest.raises(NotFound):
            await work.records[NOTE].change(1, {"stars": 1}, header("edit"))


async def test_a_change_is_an_operation_that_can_be_taken_back(opened) -> None:
    async with opened() as stores:
        made = await stores.records[NOTE].add(MILK, header())
        changed = await stores.records[NOTE].change(1, {"stars": 5, "due": None}, header("edit", later()))
        assert changed == replace(made, stars=5, due=None)

        await stores.history.undo(None, later(2), undo_rules.plan)
        assert await stores.records[NOTE].get([1]) == [made]
        await stores.history.redo(None, later(3), undo_rules.plan)
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
        assert [hit.ref.id for hit in await asked(stores).by_vector("m", [1.0, 0.0], 5, kind=NOTE)] == [1]

        assert await stores.records[NOTE].delete([1], header("delete"))

        assert await asked(stores).by_vector("m", [1.0, 0.0], 5, kind=NOTE) == []
        assert await asked(stores).by_tokens(["milk"], 5, kind=NOTE) == []
        with pytest.raises(NotFound):
            await stores.records[NOTE].history(1)
        with pytest.raises(InvalidInput):
            [delete, *_] = await stores.history.operations(1)
            await stores.history.undo(delete.id, later(), undo_rules.plan)
        assert (await stores.records[NOTE].add(Note(0, "buy bread", created_at=AT), header())).id == 2


async def test_a_deleted_memory_leaves_the_history_of_a_record_of_its_number(opened) -> None:
    async with opened() as stores:
        await stores.records[NOTE].add(MILK, header())
        await stores.records[NOTE].change(1, {"stars": 5}, header("edit"))
        assert await remember(stores, "a memory of the same number") == [1]

        await stores.memories.delete([1], header("delete"))

        made, edited = await stores.records[NOTE].history(1)
        assert (made.action, edited.action) == ("add", "edit")
        await stores.history.undo(edited.operation, later(), undo_rules.plan)
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
            await mine.history.undo(made.id, later(), undo_rules.plan)


async def test_several_records_are_changed_in_one_operation_on_what_they_are_by_then(opened) -> None:
    async with opened() as stores:
        await stores.records[NOTE].add(MILK, header())
        await stores.records[NOTE].add(Note(0, "nothing else"), header())

        changed = await stores.records[NOTE].change_all(
            [2, 1, 1],
            header("edit"),
            lambda notes: {each.id: {"stars": each.stars + 3} for each in notes if each.stars},
        )
        nothing = await stores.records[NOTE].change_all([1, 2], header("edit"), lambda _: {})

        assert [(each.id, each.stars) for each in changed.records] == [(2, 0), (1, 5)]
        assert [change.operation for change in await stores.records[NOTE].history(1)][-1] == changed.operation
        assert nothing.operation is None
        with pytest.raises(NotFound):
            await stores.records[NOTE].change_all([1, 9], header("edit"), lambda _: {1: {"stars": 9}})


async def test_a_page_of_records_holds_what_was_asked_for_in_its_order(opened) -> None:
    async with opened() as stores:
        for text, stars in (("buy oat milk", 2), ("buy bread", 1), ("call the mill", 2), ("50% milk_shake", 0)):
            await stores.records[NOTE].add(Note(0, text, stars), header())
        page = stores.records[NOTE].page

        assert [each.id for each in (await page(RecordQuery())).records] == [4, 3, 2, 1]
        assert [each.id for each in (await page(RecordQuery(order=("-stars", "id")))).records] == [1, 3, 2, 4]
        found = await page(RecordQuery(where={"stars": (1, 2)}, text="milk", limit=1))
        assert ([each.id for each in found.records], found.total) == ([1], 1)
        assert [each.id for each in (await page(RecordQuery(text="0% milk_"))).records] == [4]
        second = await page(RecordQuery(order=("id",), limit=2, offset=1))
        assert ([each.id for each in second.records], second.total) == ([2, 3], 4)
        assert (await page(RecordQuery(limit=0))).total == 4


async def test_what_is_worked_on_is_of_its_own_profile_alone(opened) -> None:
    task = Task(0, "u", "s", "mend the proxy", AT, AT, context={"host": "web-1"})
    async with opened("team") as team, opened("me", "team") as mine:
        made = await team.records[TASK].add(task, header())

        assert (await team.records[TASK].page(RecordQuery())).records == (made,)
        assert made == replace(task, id=1)
        assert (await mine.records[TASK].page(RecordQuery())).total == 0
        assert await mine.records[TASK].get([1], missing_ok=True) == []


async def test_a_record_that_is_brought_back_is_as_old_as_that(opened) -> None:
    episode = Episode(0, "u", "nginx 502", "nginx 502", AT, AT, AT)
    async with opened() as stores:
        episodes = stores.records[EPISODE]
        made = await episodes.add(episode, header())
        faded = {"state": "archived", "archived_because": "faded"}
        await episodes.change(made.id, faded, header("fade", later(1)))
        assert [hit.ref.id for hit in await asked(stores).by_tokens(["nginx"], 5, kind=EPISODE)] == []

        await stores.history.undo(None, later(2), undo_rules.plan)

        [back] = await episodes.get([made.id])
        assert (back.state, back.aged_from, back.created_at) == (State.LIVE, later(2), AT)
        await stores.history.redo(None, later(3), undo_rules.plan)
        [faded_again] = await episodes.get([made.id])
        assert (faded_again.state, faded_again.aged_from) == (State.ARCHIVED, AT)
