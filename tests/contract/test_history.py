"""History, undo and redo."""

from __future__ import annotations

import pytest
from fakes.records import AT, begin, chat, header, later, remember
from fakes.slices import cut_before, slices_of

from orca_core.model.errors import InvalidInput, NotFound
from orca_core.model.memories import ArchivedBecause, NewMemory, State, Use
from orca_core.model.operations import Actor
from orca_core.model.records import MEMORY
from orca_core.model.views import MemoryQuery
from orca_core.operations.stores import Stores
from orca_core.rules.memory import memory_curation, undo_rules
from orca_core.rules.memory.memory_curation import criteria


async def add(stores: Stores, content: str, **fields: object):
    return await stores.memories.add(NewMemory(content, **fields), header())  # type: ignore[arg-type]


async def listed(stores: Stores, word: str = "all", **query: object) -> list[str]:
    page = await stores.memories.page(MemoryQuery(criteria(word, 5.0), **query))  # type: ignore[arg-type]
    return [memory.content for memory in page.memories]


async def set_fields(stores: Stores, memory_id: int, **fields: object) -> None:
    await stores.memories.change([memory_id], header("edit"), memory_curation.each(lambda memory: fields))


async def test_history_tells_every_field_before_and_after(opened) -> None:
    async with opened() as stores:
        [memory_id] = await remember(stores, "aa")
        await stores.memories.change([memory_id], header("pin", later()), memory_curation.each(memory_curation.pin))
        made, pinned = await stores.history.history(memory_id)

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
        await stores.history.undo(None, later(), undo_rules.plan)
        [undone] = await stores.memories.get([memory_id])
    async with opened() as stores:
        await stores.history.redo(None, later(), undo_rules.plan)
        [redone] = await stores.memories.get([memory_id])

    assert (undone.content, undone.weight) == ("aa", 1.0)
    assert (redone.content, redone.weight) == ("bb", 4.0)


async def test_an_undo_of_much_is_told_by_how_much_it_changed(opened) -> None:
    async with opened() as stores:
        made = [NewMemory(f"I use tool {number}").born(f"u{number}", AT, None) for number in range(20)]
        await stores.memories.make_all(MEMORY, made, header("import"))
        with slices_of(3):
            undone = await stores.history.undo(None, later(), undo_rules.plan)
            assert await stores.history.carry_on(undo_rules.plan) == 0
            with cut_before(2):
                await stores.history.redo(None, later(2), undo_rules.plan)
            assert [each.header.action for each in await stores.history.under_way()] == ["redo"]
        assert (undone.changed, len(undone.refs), len(undone.memories)) == (20, 20, 20)
        assert {memory.state for memory in undone.memories} == {State.ARCHIVED}


async def test_undo_goes_back_step_by_step_and_redo_forward(opened) -> None:
    async with opened() as stores:
        [memory_id] = await remember(stores, "aa")
        for weight in (2.0, 3.0, 4.0):
            await set_fields(stores, memory_id, weight=weight)
        seen = []
        for step in ("undo", "undo", "redo", "redo", "undo"):
            await getattr(stores.history, step)(None, later(), undo_rules.plan)
            seen.append((await stores.memories.get([memory_id]))[0].weight)

        assert seen == [3.0, 2.0, 3.0, 4.0, 3.0]


async def test_an_undo_leaves_what_came_later_and_names_it(opened) -> None:
    async with opened() as stores:
        [memory_id] = await remember(stores, "aa")
        await set_fields(stores, memory_id, weight=2.0, confidence=0.5)
        edited = (await stores.history.operations(1))[0].id
        await set_fields(stores, memory_id, weight=3.0)
        undone = await stores.history.undo(edited, later(), undo_rules.plan)
        [memory] = await stores.memories.get([memory_id])

        assert (memory.weight, memory.confidence) == (3.0, 1.0)
        assert [(each.field, each.found) for each in undone.conflicts] == [("weight", 3.0)]


async def test_an_undone_memory_is_archived_and_redone_alive(opened) -> None:
    async with opened() as stores:
        [memory_id] = await remember(stores, "aa")
        await stores.history.undo(None, later(), undo_rules.plan)
        [gone] = await stores.memories.get([memory_id])
        await stores.history.redo(None, later(), undo_rules.plan)
        [back] = await stores.memories.get([memory_id])

        assert (gone.state, gone.archived_because) == (State.ARCHIVED, ArchivedBecause.UNDONE)
        assert back.state is State.LIVE


async def test_undo_passes_over_a_turns_weights_but_can_name_them(opened) -> None:
    async with opened() as stores:
        [memory_id] = await remember(stores, "aa")
        await chat(stores, uses={memory_id: Use.USED})
        weights = (await stores.history.operations(1))[0]
        assert weights.header.action == "weights"
        await stores.history.undo(weights.id, later(), undo_rules.plan)
        assert (await stores.memories.get([memory_id]))[0].weight == 1.0
        undone = await stores.history.undo(None, later(), undo_rules.plan)
        assert undone.undid.header.action == "add"


@pytest.mark.parametrize("machine", [Actor.EXTRACTION, Actor.CLEAN])
async def test_a_bare_undo_takes_my_latest_act_and_offers_what_a_machine_did_since(opened, machine: Actor) -> None:
    async with opened() as stores:
        [memory_id] = await remember(stores, "aa")
        await set_fields(stores, memory_id, confidence=0.5)
        await chat(stores, uses={memory_id: Use.USED})
        learnt = header("extract", actor=machine)
        await stores.memories.change([memory_id], learnt, lambda _: {memory_id: {"seen": 2}})
        await stores.memories.add(NewMemory("bb"), learnt)
        by_machine = (await stores.history.operations(1))[0].id
        first = await stores.history.undo(None, later(), undo_rules.plan)
        named = await stores.history.undo(by_machine, later(), undo_rules.plan)
        second = await stores.history.undo(None, later(), undo_rules.plan)

        assert (first.undid.header.action, first.offered and first.offered.id) == ("edit", by_machine)
        assert (named.undid.header.actor, named.offered) == (machine, None)
        assert (second.undid.header.action, second.offered and second.offered.id) == ("add", by_machine - 1)
        assert (await stores.memories.get([memory_id]))[0].state is State.ARCHIVED


async def test_an_import_is_my_own_act(opened) -> None:
    async with opened() as stores:
        await stores.memories.add(NewMemory("aa"), header("import", actor=Actor.IMPORT))

        assert (await stores.history.undo(None, later(), undo_rules.plan)).undid.header.action == "import"


async def test_where_only_machines_did_something_a_bare_undo_names_the_latest(opened) -> None:
    async with opened() as stores:
        await stores.memories.add(NewMemory("aa"), header("extract", actor=Actor.EXTRACTION))

        with pytest.raises(NotFound, match="nothing of yours to take back — orca memory undo 1 takes back .*extract"):
            await stores.history.undo(None, later(), undo_rules.plan)
        assert (await stores.memories.get([1]))[0].state is State.LIVE
        await stores.history.undo(1, later(), undo_rules.plan)
        with pytest.raises(NotFound, match="nothing to take back"):
            await stores.history.undo(None, later(), undo_rules.plan)
        await stores.history.redo(None, later(), undo_rules.plan)
        assert (await stores.memories.get([1]))[0].state is State.LIVE


async def test_a_bare_redo_takes_back_my_undo_alone(opened) -> None:
    async with opened() as stores:
        [memory_id] = await remember(stores, "aa")
        await chat(stores, uses={memory_id: Use.USED})
        await stores.history.undo(None, later(), undo_rules.plan)
        await begin(stores, replaces=1)  # a turn takes its weights back, which is no undo of mine

        assert (await stores.history.redo(None, later(), undo_rules.plan)).undid.header.action == "undo"
        assert (await stores.memories.get([memory_id]))[0].state is State.LIVE
        with pytest.raises(NotFound, match="nothing to take back"):
            await stores.history.redo(None, later(), undo_rules.plan)


async def test_taking_back_an_undo_or_a_redo_by_name_keeps_count_of_what_stands(opened) -> None:
    async with opened() as stores:
        [memory_id] = await remember(stores, "aa")
        await set_fields(stores, memory_id, weight=2.0)
        edit = (await stores.history.operations(1))[0].id
        taken_back = edit
        seen = []
        for _ in range(3):
            taken_back = (await stores.history.undo(taken_back, later(), undo_rules.plan)).operation
            by_id = {each.id: each.undone_by for each in await stores.history.operations(9)}
            seen.append(((await stores.memories.get([memory_id]))[0].weight, by_id[edit] is not None))

        assert seen == [(1.0, True), (2.0, False), (1.0, True)]
        assert (await stores.history.redo(None, later(), undo_rules.plan)).undid.id == taken_back
        assert (await stores.memories.get([memory_id]))[0].weight == 2.0
        assert (await stores.history.undo(None, later(), undo_rules.plan)).undid.id == edit


async def test_only_an_undo_can_be_redone(opened) -> None:
    async with opened() as stores:
        await remember(stores, "aa")
        undone = await stores.history.undo(None, later(), undo_rules.plan)
        redone = await stores.history.redo(undone.operation, later(), undo_rules.plan)
        for named, why in ((1, "no undo"), (redone.operation, "no undo"), (undone.operation, "already")):
            with pytest.raises(InvalidInput, match=why):
                await stores.history.redo(named, later(), undo_rules.plan)


async def test_what_can_not_be_undone_says_so(opened) -> None:
    async with opened() as stores:
        with pytest.raises(NotFound, match="nothing to take back"):
            await stores.history.undo(None, AT, undo_rules.plan)
        with pytest.raises(NotFound, match="no operation 99"):
            await stores.history.undo(99, AT, undo_rules.plan)
        [memory_id] = await remember(stores, "aa")
        await stores.history.undo(1, AT, undo_rules.plan)
        with pytest.raises(InvalidInput, match="already"):
            await stores.history.undo(1, AT, undo_rules.plan)
        await stores.memories.delete([memory_id], header("delete"))
        deleted = (await stores.history.operations(1))[0].id
        with pytest.raises(InvalidInput, match="for good"):
            await stores.history.undo(deleted, AT, undo_rules.plan)
