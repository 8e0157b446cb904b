"""Records of any kind: made, read, listed, changed, deleted; forgotten in slices."""

from __future__ import annotations

import pytest
from fakes.asking import asked
from fakes.notes import NOTE, NOTES, Note
from fakes.records import AT, chat, header, later, remember
from msgspec.structs import replace

from orca_core.model.episodes import Episode
from orca_core.model.errors import InvalidInput, NotFound
from orca_core.model.memories import ArchivedBecause, State
from orca_core.model.operations import Actor, OperationHeader
from orca_core.model.record_types import EPISODE
from orca_core.model.tasks import Outcome, Trigger
from orca_core.model.views import RecordQuery
from orca_core.operations.stores import Stores
from orca_core.rules.work.retention import age_of

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


async def test_a_deleted_memory_leaves_the_history_of_a_record_of_its_number(stores) -> None:
    await stores.records[NOTE].add(MILK, header())
    await stores.records[NOTE].change(1, {"stars": 5}, header("edit"))
    assert await remember(stores, "a memory of the same number") == [1]

    await stores.memories.delete([1], header("delete"))

    made, edited = await stores.records[NOTE].history(1)
    assert (made.action, edited.action) == ("add", "edit")
    await stores.history.undo(edited.operation, later())
    assert (await stores.records[NOTE].get([1]))[0].stars == 2


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


async def test_several_records_are_changed_in_one_operation_on_what_they_are_by_then(stores) -> None:
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


async def test_the_ages_are_those_of_the_live_episodes_of_this_scope(opened) -> None:
    async with opened("team") as team, opened("me", "team") as mine:
        await team.records[EPISODE].add(replace(PROXY, uid="u0"), header())
        live = await mine.records[EPISODE].add(replace(PROXY, access_count=3, consolidated_into=4), header())
        await mine.records[EPISODE].add(replace(PROXY, uid="u2", state=State.CANDIDATE), header())
        await mine.records[EPISODE].add(replace(PROXY, uid="u3", state=State.ARCHIVED), header())

        assert await mine.retention.ages() == [age_of(live)]


async def test_slices_of_one_operation_are_taken_back_as_one(stores) -> None:
    episodes = stores.records[EPISODE]
    for number in range(4):
        await episodes.add(replace(PROXY, uid=f"u{number}"), header())

    def put_away(some):
        return {each.id: {"state": "archived"} for each in some}

    nothing = await episodes.change_all([1], header("fade"), lambda _: {})
    first = await episodes.change_all([1, 2], header("fade"), put_away, continues=nothing.operation)
    second = await episodes.change_all([3, 4], header("fade"), put_away, continues=first.operation)
    assert (nothing.operation, second.operation) == (None, first.operation)
    assert await stores.retention.ages() == []

    undone = await stores.history.undo(first.operation, later())

    assert [ref.id for ref in undone.refs] == [1, 2, 3, 4]
    assert [each.id for each in await stores.retention.ages()] == [1, 2, 3, 4]


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
THRESHOLD = 0.3


async def weigh(stores: Stores, memory: int, weight: float) -> None:
    await stores.memories.change([memory], header("edit"), lambda some: {memory: {"weight": weight}})


def put_away(memories):  # type: ignore[no-untyped-def]
    return {each.id: {"state": "archived", "archived_because": "weight"} for each in memories}


async def test_when_it_was_done_is_kept_for_each_scope(opened) -> None:
    async with opened("me") as mine, opened("team") as team:
        assert await mine.retention.cleaned_at() is None
        await mine.retention.note_cleaned(AT)
        await mine.retention.note_cleaned(later())
        assert await team.retention.cleaned_at() is None
    async with opened("me") as again:
        assert await again.retention.cleaned_at() == later()


async def test_what_sank_in_this_scope_is_named_but_for_what_is_pinned(opened) -> None:
    async with opened("team") as team, opened("me", "team") as mine:
        [theirs] = await remember(team, "a wren")
        await weigh(team, theirs, 0.1)
        light, pinned, just, archived = await remember(mine, "an owl", "a crow", "a swift", "a kite")
        for number in (light, pinned, archived):
            await weigh(mine, number, 0.1)
        await weigh(mine, just, THRESHOLD)
        await mine.memories.change([pinned], header("pin"), lambda _some: {pinned: {"pinned": True}})
        await mine.memories.change([archived], header("archive"), put_away)

        assert list(await mine.retention.sunk(THRESHOLD)) == [light]


async def test_slices_of_one_cleaning_are_taken_back_as_one_and_left_alone_then(stores) -> None:
    numbers = await remember(stores, "an owl", "a crow", "a swift")
    first = await stores.memories.change(numbers[:1], CLEAN, put_away)
    second = await stores.memories.change(numbers[1:2], CLEAN, put_away, continues=first.operation)
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


async def test_upkeep_was_done_when_it_was_noted_or_all_was_cleaned(opened) -> None:
    async with opened("me") as mine, opened("team") as team:
        assert await mine.retention.upkeep_at() is None
        await mine.retention.note_cleaned(AT)
        assert await mine.retention.upkeep_at() == AT
        await mine.retention.note_upkeep(later())
        assert (await mine.retention.upkeep_at(), await mine.retention.cleaned_at()) == (later(), AT)
        assert await team.retention.upkeep_at() is None


async def test_summaries_that_are_older_are_counted(opened) -> None:
    async with opened() as stores, opened("team") as team:
        for each in (stores, team):
            await chat(each)

        assert await stores.retention.expired(AT) == 0
        assert await stores.retention.expired(later(60)) == 1


async def test_texts_of_live_memories_come_by_number_some_at_once(opened) -> None:
    async with opened("team") as team, opened("me", "team") as mine:
        await remember(team, "a wren")
        numbers = await remember(mine, "an owl", "a crow", "a swift", "a kite")
        await mine.memories.change([numbers[1]], header("archive"), put_away)

        first = await mine.retention.texts(0, 2)
        rest = await mine.retention.texts(first[-1].id, 2)

        assert [each.content for each in (*first, *rest)] == ["an owl", "a swift", "a kite"]
        assert list(await mine.retention.texts(rest[-1].id, 2)) == []
