"""Records of any kind: made, read, listed, changed, deleted; forgotten in slices."""

from __future__ import annotations

import pytest
from fakes.asking import asked
from fakes.notes import NOTE, NOTES, Note
from fakes.records import AT, header, later, remember
from msgspec.structs import replace

from orca_core.model.episodes import Episode
from orca_core.model.errors import InvalidInput, NotFound
from orca_core.model.memories import ArchivedBecause, State
from orca_core.model.operations import Actor, OperationHeader
from orca_core.model.record_types import EPISODE
from orca_core.model.tasks import Outcome, Trigger
from orca_core.model.views import RecordQuery

MILK = Note(0, "buy oat milk", 2, True, later(), ("shop", "牛奶"))


async def test_a_record_comes_back_as_it_was_made(stores) -> None:
    made = await stores.records[NOTE].add(MILK, header())
    plain = await stores.records[NOTE].add(Note(0, "nothing else"), header())

    assert made == replace(MILK, id=1)
    assert await stores.records[NOTE].get([2, 1]) == [plain, made]
    assert await stores.records[NOTE].get([1, 9], missing_ok=True) == [made]
    with pytest.raises(NotFound):
        await stores.records[NOTE].get([1, 9])


async def test_a_change_is_an_operation_that_can_be_taken_back(stores) -> None:
    made = await stores.records[NOTE].add(MILK, header())
    changed = await stores.records[NOTE].change(1, {"stars": 5, "due": None}, header("edit", later()))
    assert changed == replace(made, stars=5, due=None)

    await stores.history.undo(None, later(2))
    assert await stores.records[NOTE].get([1]) == [made]
    await stores.history.redo(None, later(3))
    assert await stores.records[NOTE].get([1]) == [changed]

    changes = await stores.records[NOTE].history(1)
    assert [(each.ref, each.action) for each in changes] == [
        (NOTES.ref(made), action) for action in ("add", "edit", "undo", "redo")
    ]


async def test_a_deleted_record_is_nowhere_and_its_number_is_not_used_again(stores) -> None:
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
        await stores.history.undo(delete.id, later())
    assert (await stores.records[NOTE].add(Note(0, "buy bread", created_at=AT), header())).id == 2


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
            await mine.history.undo(made.id, later())


async def test_a_page_of_records_holds_what_was_asked_for_in_its_order(stores) -> None:
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


PROXY = Episode(
    0, "u1", "nginx 502", "nginx 502", AT, AT, AT, Trigger.ALERT, "nginx", ("a", "b"), Outcome.SUCCESS, pinned=True
)


async def test_what_faded_is_named_once_its_time_is_over_the_first_first(opened) -> None:
    faded = replace(PROXY, state=State.ARCHIVED, archived_because=ArchivedBecause.FADED, archived_at=later(2))
    async with opened("team") as team, opened("me", "team") as mine:
        await team.records[EPISODE].add(replace(faded, uid="u0"), header())
        for number, fields in enumerate(
            ({}, {"archived_at": later(1)}, {"archived_because": ArchivedBecause.HAND}, {"archived_at": later(3)})
        ):
            await mine.records[EPISODE].add(replace(faded, uid=f"u{number + 1}", **fields), header())

        assert await mine.retention.faded_until(later(2)) == [3, 2]
        assert await mine.retention.faded_until(AT) == []


async def test_only_what_is_still_faded_is_deleted_and_its_words_with_it(stores) -> None:
    faded = replace(PROXY, state=State.ARCHIVED, archived_because=ArchivedBecause.FADED, archived_at=AT)
    episodes = stores.records[EPISODE]
    for number in range(3):
        await episodes.add(replace(faded, uid=f"u{number}"), header())
    await episodes.change(2, {"state": "live", "archived_because": None}, header("restore"))

    assert await stores.retention.delete_faded([1, 2, 3, 99], header("delete")) == [1, 3]
    assert await stores.retention.delete_faded([1, 2, 3], header("delete")) == []

    assert await stores.upkeep.idle()
    assert [each.id for each in (await episodes.page(RecordQuery())).records] == [2]
    assert all(each.is_in_step for each in await stores.upkeep.states())
    assert [each.header.action for each in await stores.history.operations(9)].count("delete") == 1


CLEAN = OperationHeader(Actor.CLEAN, "clean", AT)


def put_away(memories):  # type: ignore[no-untyped-def]
    return {each.id: {"state": "archived", "archived_because": "weight"} for each in memories}


async def test_slices_of_one_cleaning_are_taken_back_as_one_and_left_alone_then(stores) -> None:
    numbers = await remember(stores, "an owl", "a crow", "a swift")
    first = await stores.memories.change_all(numbers[:1], CLEAN, put_away)
    second = await stores.memories.change_all(numbers[1:2], CLEAN, put_away, continues=first.operation)
    assert second.operation == first.operation
    assert await stores.retention.left_alone() == frozenset()

    undone = await stores.history.undo(first.operation, later())

    assert [each.id for each in undone.memories] == numbers[:2]
    assert await stores.retention.left_alone() == frozenset(numbers[:2])
    await stores.history.redo(undone.operation, later(2))
    assert await stores.retention.left_alone() == frozenset()
    assert [each.state for each in await stores.memories.get(numbers)] == [
        State.ARCHIVED,
        State.ARCHIVED,
        State.LIVE,
    ]
