"""Undo and redo: what they take, restore, name and refuse; what operations tell of themselves."""

from __future__ import annotations

import pytest
from fakes.records import AT, begin, chat, header, later, remember
from fakes.slices import cut_before, slices_of

from orca_core.model.errors import InvalidInput, NotFound
from orca_core.model.memories import NewMemory, State, Use
from orca_core.model.operations import Actor
from orca_core.model.record_types import MEMORY
from orca_core.operations.stores import Stores
from orca_core.rules.memory import memory_curation


async def set_fields(stores: Stores, memory_id: int, **fields: object) -> None:
    await stores.memories.change_all([memory_id], header("edit"), memory_curation.each(lambda memory: fields))


async def test_history_tells_every_field_before_and_after(stores) -> None:
    [memory_id] = await remember(stores, "aa")
    await stores.memories.change_all([memory_id], header("pin", later()), memory_curation.each(memory_curation.pin))
    made, pinned = await stores.memories.history(memory_id)

    assert (made.action, made.before, made.after["content"]) == ("add", None, "aa")
    assert (pinned.action, pinned.actor, pinned.before, pinned.after) == (
        "pin", Actor.USER, {"pinned": False}, {"pinned": True},
    )  # fmt: skip
    assert pinned.at == later()


async def test_undo_and_redo_work_after_a_restart(opened) -> None:
    async with opened() as stores:
        [memory_id] = await remember(stores, "aa")
        await set_fields(stores, memory_id, content="bb", weight=4.0)
    async with opened() as stores:
        await stores.history.undo(None, later())
        [undone] = await stores.memories.get([memory_id])
    async with opened() as stores:
        await stores.history.redo(None, later())
        [redone] = await stores.memories.get([memory_id])

    assert (undone.content, undone.weight) == ("aa", 1.0)
    assert (redone.content, redone.weight) == ("bb", 4.0)


async def test_an_undo_of_much_is_told_by_how_much_it_changed(stores) -> None:
    made = [NewMemory(f"I use tool {number}").born(f"u{number}", AT, None) for number in range(20)]
    await stores.memories.make_all(MEMORY, made, header("import"))
    with slices_of(3):
        undone = await stores.history.undo(None, later())
        assert await stores.history.carry_on() == 0
        with cut_before(2):
            await stores.history.redo(None, later(2))
        assert [each.header.action for each in await stores.history.under_way()] == ["redo"]
    assert (undone.changed, len(undone.refs), len(undone.memories)) == (20, 20, 20)
    assert {memory.state for memory in undone.memories} == {State.ARCHIVED}


async def test_an_undo_leaves_what_came_later_and_names_it(stores) -> None:
    [memory_id] = await remember(stores, "aa")
    await set_fields(stores, memory_id, weight=2.0, confidence=0.5)
    edited = (await stores.history.operations(1))[0].id
    await set_fields(stores, memory_id, weight=3.0)
    undone = await stores.history.undo(edited, later())
    [memory] = await stores.memories.get([memory_id])

    assert (memory.weight, memory.confidence) == (3.0, 1.0)
    assert [(each.field, each.found) for each in undone.conflicts] == [("weight", 3.0)]


@pytest.mark.parametrize("machine", [Actor.EXTRACTION, Actor.CLEAN])
async def test_a_bare_undo_takes_my_latest_act_and_offers_what_a_machine_did_since(stores, machine: Actor) -> None:
    [memory_id] = await remember(stores, "aa")
    await set_fields(stores, memory_id, confidence=0.5)
    await chat(stores, uses={memory_id: Use.USED})
    learnt = header("extract", actor=machine)
    await stores.memories.change_all([memory_id], learnt, lambda _: {memory_id: {"seen": 2}})
    await stores.memories.add(NewMemory("bb"), learnt)
    by_machine = (await stores.history.operations(1))[0].id
    first = await stores.history.undo(None, later())
    named = await stores.history.undo(by_machine, later())
    second = await stores.history.undo(None, later())

    assert (first.undid.header.action, first.offered and first.offered.id) == ("edit", by_machine)
    assert (named.undid.header.actor, named.offered) == (machine, None)
    assert (second.undid.header.action, second.offered and second.offered.id) == ("add", by_machine - 1)
    assert (await stores.memories.get([memory_id]))[0].state is State.ARCHIVED


async def test_where_only_machines_did_something_a_bare_undo_names_the_latest(stores) -> None:
    await stores.memories.add(NewMemory("aa"), header("extract", actor=Actor.EXTRACTION))

    with pytest.raises(NotFound, match="nothing of yours to take back — orca memory undo 1 takes back .*extract"):
        await stores.history.undo(None, later())
    assert (await stores.memories.get([1]))[0].state is State.LIVE
    await stores.history.undo(1, later())
    with pytest.raises(NotFound, match="nothing to take back"):
        await stores.history.undo(None, later())
    await stores.history.redo(None, later())
    assert (await stores.memories.get([1]))[0].state is State.LIVE


async def test_a_bare_redo_takes_back_my_undo_alone(stores) -> None:
    [memory_id] = await remember(stores, "aa")
    await chat(stores, uses={memory_id: Use.USED})
    await stores.history.undo(None, later())
    await begin(stores, replaces=1)  # a turn takes its weights back, which is no undo of mine

    assert (await stores.history.redo(None, later())).undid.header.action == "undo"
    assert (await stores.memories.get([memory_id]))[0].state is State.LIVE
    with pytest.raises(NotFound, match="nothing to take back"):
        await stores.history.redo(None, later())


async def test_taking_back_an_undo_or_a_redo_by_name_keeps_count_of_what_stands(stores) -> None:
    [memory_id] = await remember(stores, "aa")
    await set_fields(stores, memory_id, weight=2.0)
    edit = (await stores.history.operations(1))[0].id
    taken_back = edit
    seen = []
    for _ in range(3):
        taken_back = (await stores.history.undo(taken_back, later())).operation
        by_id = {each.id: each.undone_by for each in await stores.history.operations(9)}
        seen.append(((await stores.memories.get([memory_id]))[0].weight, by_id[edit] is not None))

    assert seen == [(1.0, True), (2.0, False), (1.0, True)]
    assert (await stores.history.redo(None, later())).undid.id == taken_back
    assert (await stores.memories.get([memory_id]))[0].weight == 2.0
    assert (await stores.history.undo(None, later())).undid.id == edit


async def test_only_an_undo_can_be_redone(stores) -> None:
    await remember(stores, "aa")
    undone = await stores.history.undo(None, later())
    redone = await stores.history.redo(undone.operation, later())
    for named, why in ((1, "no undo"), (redone.operation, "no undo"), (undone.operation, "already")):
        with pytest.raises(InvalidInput, match=why):
            await stores.history.redo(named, later())


async def test_what_can_not_be_undone_says_so(stores) -> None:
    with pytest.raises(NotFound, match="nothing to take back"):
        await stores.history.undo(None, AT)
    with pytest.raises(NotFound, match="no operation 99"):
        await stores.history.undo(99, AT)
    [memory_id] = await remember(stores, "aa")
    await stores.history.undo(1, AT)
    with pytest.raises(InvalidInput, match="already"):
        await stores.history.undo(1, AT)
    await stores.memories.delete([memory_id], header("delete"))
    deleted = (await stores.history.operations(1))[0].id
    with pytest.raises(InvalidInput, match="for good"):
        await stores.history.undo(deleted, AT)


async def test_an_act_of_which_nothing_is_left_is_passed_over_and_the_delete_named(stores) -> None:
    kept, gone = await remember(stores, "I live in Oslo", "I like cats")
    await stores.memories.change_all([kept], header("pin"), memory_curation.each(memory_curation.pin))
    await stores.memories.change_all([gone], header("pin"), memory_curation.each(memory_curation.pin))
    empty = (await stores.history.operations(1))[0].id
    await stores.memories.delete([gone], header("delete"))

    undone = await stores.history.undo(None, later())

    assert [memory.id for memory in undone.memories] == [kept]
    assert [each.operation.id for each in undone.passed_over] == [empty + 1]
    [memory] = await stores.memories.get([kept])
    assert not memory.pinned


@pytest.mark.parametrize("size", [0, 1])
async def test_a_merge_brought_again_puts_nothing_away_for_what_was_deleted(stores, size: int) -> None:
    kept, other = await remember(stores, "Lin drinks coffee", "Lin drinks coffee every morning")
    merge = memory_curation.merge(kept, content=None, max_weight=10)
    await stores.memories.change_all([kept, other], header("merge", later(1)), merge)
    await stores.history.undo(None, later(2))
    await stores.memories.delete([kept], header("delete", later(3)))

    with slices_of(size):
        redone = await stores.history.redo(None, later(4))

    [memory] = await stores.memories.get([other])
    assert (memory.state, memory.superseded_by) == (State.LIVE, None)
    assert [(each.ref.id, each.field, each.found) for each in redone.conflicts] == [(other, "state", "live")]


async def test_a_restore_taken_back_puts_nothing_away_for_what_was_deleted(stores) -> None:
    kept, other = await remember(stores, "Lin drinks coffee", "Lin drinks coffee every morning")
    merge = memory_curation.merge(kept, content=None, max_weight=10)
    await stores.memories.change_all([kept, other], header("merge", later(1)), merge)
    back = memory_curation.each(lambda memory: memory_curation.restore(memory, archive_threshold=0.3))
    restored = await stores.memories.change_all([other], header("restore", later(2)), back)
    await stores.memories.delete([kept], header("delete", later(3)))

    await stores.history.undo(restored.operation, later(4))

    [memory] = await stores.memories.get([other])
    assert memory.state is State.LIVE
