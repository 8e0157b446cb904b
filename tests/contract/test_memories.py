"""Long-term memories: made, said again, confirmed, listed, changed together, refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from fakes.records import AT, header, later, remember

from orca_core.model.episodes import Episode
from orca_core.model.errors import InvalidInput, NotFound
from orca_core.model.knowledge import Knowledge
from orca_core.model.memories import (
    Added,
    ConfirmedBy,
    Memory,
    MemoryType,
    NewMemory,
    Origin,
    OriginKind,
    State,
)
from orca_core.model.operations import Actor, OperationHeader
from orca_core.model.record_types import EPISODE, KNOWLEDGE
from orca_core.model.views import MemoryQuery, MemorySort
from orca_core.operations.stores import Stores
from orca_core.rules.memory import memory_curation, said_again
from orca_core.rules.memory.memory_curation import criteria
from orca_core.rules.work.episode_updates import expired_fields


async def add(stores: Stores, content: str, **fields: object):
    return await stores.memories.add(NewMemory(content, **fields), header())  # type: ignore[arg-type]


async def listed(stores: Stores, word: str = "all", **query: object) -> list[str]:
    page = await stores.memories.page(MemoryQuery(criteria(word, 5.0), **query))  # type: ignore[arg-type]
    return [memory.content for memory in page.records]


async def set_fields(stores: Stores, memory_id: int, **fields: object) -> None:
    await stores.memories.change_all([memory_id], header("edit"), memory_curation.each(lambda memory: fields))


async def test_a_memory_comes_back_as_it_was_stored(opened) -> None:
    origin = Origin(OriginKind.EXTRACTION, "s", (3, 4), "verbatim", "model")
    new = NewMemory(
        "用户用 neovim",
        MemoryType.PREFERENCE,
        ("技术", "偏好"),
        0.85,
        True,
        origin,
        State.CANDIDATE,
        "unread",
    )
    async with opened() as stores:
        added = await stores.memories.add(new, header())
    async with opened() as stores:
        [memory] = await stores.memories.get([added.memory.id])

    assert memory == added.memory
    assert (memory.content, memory.type, memory.tags, memory.confidence) == (new.content, new.type, new.tags, 0.85)
    assert (memory.origin, memory.pinned, memory.state, memory.held_because) == (
        origin,
        True,
        State.CANDIDATE,
        "unread",
    )
    assert (memory.weight, memory.seen, memory.created_at) == (1.0, 1, AT)


async def test_what_is_said_again_is_confirmed_not_doubled(stores) -> None:
    first = await add(stores, "same words", confidence=0.7)
    second = await add(stores, "same words", confidence=0.9)

    assert second.outcome is Added.CONFIRMED
    assert second.memory.id == first.memory.id
    assert (second.memory.confidence, second.memory.seen) == (0.9, 2)


async def test_lists_are_filtered_sorted_and_paged(stores) -> None:
    ids = await remember(stores, "aa", "bb", "cc", "dd")
    await set_fields(stores, ids[0], weight=6.0, tags=["x"])
    await set_fields(stores, ids[1], weight=3.0, tags=["x", "y"], type="preference")
    await set_fields(stores, ids[2], state="archived", archived_because="hand")
    await set_fields(stores, ids[3], pinned=True)

    assert await listed(stores) == ["dd", "aa", "bb", "cc"]
    assert await listed(stores, "live") == ["dd", "aa", "bb"]
    assert await listed(stores, "core") == ["aa"]
    assert await listed(stores, "active") == ["dd", "bb"]
    assert await listed(stores, "archived") == ["cc"]
    assert await listed(stores, tags=("x",)) == ["aa", "bb"]
    assert await listed(stores, tags=("x", "y")) == ["bb"]
    assert await listed(stores, types=(MemoryType.PREFERENCE,)) == ["bb"]
    assert await listed(stores, pinned=True) == ["dd"]
    assert "dd" not in await listed(stores, pinned=False)
    assert await listed(stores, sort=MemorySort.ID, limit=2, offset=1) == ["bb", "cc"]
    assert await listed(stores, sort=MemorySort.NEW) == ["dd", "cc", "bb", "aa"]
    page = await stores.memories.page(MemoryQuery(criteria("all", 5.0), limit=0))
    assert (page.records, page.total) == ((), 4)


async def test_a_missing_memory_is_named(stores) -> None:
    ids = await remember(stores, "aa")
    with pytest.raises(NotFound, match="no memory 99"):
        await stores.memories.get([*ids, 99])
    with pytest.raises(NotFound):
        await stores.memories.change_all([*ids, 99], header("pin"), memory_curation.each(memory_curation.pin))
    assert not (await stores.memories.get(ids))[0].pinned


async def test_two_memories_never_say_the_same(stores) -> None:
    ids = await remember(stores, "aa", "bb")
    with pytest.raises(InvalidInput, match=f"memory {ids[0]} says just that"):
        await set_fields(stores, ids[1], content="aa")


HAND, TYPED = ConfirmedBy.HAND, ConfirmedBy.TYPED
LEARNT = Origin(OriginKind.EXTRACTION, "s", (1,))


async def confirmed_by(stores: Stores) -> ConfirmedBy | None:
    [memory] = await stores.memories.get([1])
    return memory.confirmed_by


async def learnt(stores: Stores, state: State = State.LIVE) -> None:
    by_machine = OperationHeader(Actor.EXTRACTION, "extract", AT)
    held = None if state is State.LIVE else "unread"
    await stores.memories.add(NewMemory("vim", origin=LEARNT, state=state, held_because=held), by_machine)


CHANGES = [
    ("edit", State.LIVE, memory_curation.each(memory_curation.edit(content="neovim", max_weight=10)), TYPED),
    ("accept", State.CANDIDATE, memory_curation.accept({1: "vim"}), None),
]


@pytest.mark.parametrize(("action", "state", "decide", "was"), CHANGES, ids=[each[0] for each in CHANGES])
async def test_undo_gives_back_what_it_lived_on(
    stores, action: str, state: State, decide: memory_curation.Decide, was: ConfirmedBy | None
) -> None:
    await learnt(stores, state)
    assert await confirmed_by(stores) is was

    await stores.memories.change_all([1], header(action), decide)
    assert await confirmed_by(stores) is HAND
    await stores.history.undo(None, later(1))
    assert await confirmed_by(stores) is was
    await stores.history.redo(None, later(2))
    assert await confirmed_by(stores) is HAND


def edited(**fields: Any) -> memory_curation.Decide:
    return memory_curation.each(memory_curation.edit(**fields, max_weight=10))


TWICE = {
    "the same field": (edited(content="neovim"), edited(content="emacs")),
    "another field": (edited(content="neovim"), edited(tags=["x"])),
    "its type": (edited(type_word="project"), edited(content="neovim")),
}


@pytest.mark.parametrize(("first", "second"), TWICE.values(), ids=TWICE)
@pytest.mark.parametrize("taken_back_first", [0, 1])
async def test_a_memory_lives_on_a_hand_until_the_last_of_its_words_is_taken_back(
    stores, first: memory_curation.Decide, second: memory_curation.Decide, taken_back_first: int
) -> None:
    await learnt(stores)
    changed = [await stores.memories.change_all([1], header("edit"), each) for each in (first, second)]
    operations = [each.operation for each in changed]

    one, other = operations[taken_back_first], operations[1 - taken_back_first]
    await stores.history.undo(one, later(1))
    assert await confirmed_by(stores) is HAND
    await stores.history.undo(other, later(2))
    assert await confirmed_by(stores) is TYPED
    await stores.history.redo(None, later(3))
    assert await confirmed_by(stores) is HAND


async def changed(stores: Stores, fields: Mapping[int, Mapping[str, Any]], continues: int | None = None) -> int | None:
    def decide(_memories: list[Memory]) -> Mapping[int, Mapping[str, Any]]:
        return fields

    done = await stores.memories.change_all(list(fields), header("edit", later()), decide, continues=continues)
    return done.operation


async def test_what_two_slices_change_of_a_record_is_one_change(opened: Any) -> None:
    async with opened() as stores:
        ids = await remember(stores, "I have two bikes", "I have a boat")
        operation = await changed(stores, {each: {"weight": 2.0} for each in ids})
        assert await changed(stores, {ids[0]: {"weight": 3.0, "used": 1}, ids[1]: {"used": 2}}, operation) == operation

        changes = [(change.before, change.after) for change in await stores.history.changes_of([operation])]

    assert changes == [
        ({"weight": 1.0, "used": 0}, {"weight": 3.0, "used": 1}),
        ({"weight": 1.0, "used": 0}, {"weight": 2.0, "used": 2}),
    ]


LONG_AGO, HELD = later(10), {"state": State.CANDIDATE, "held_because": "url"}
EXPIRE = header(said_again.EXPIRE, later(99), Actor.CLEAN)


async def test_what_waited_too_long_expires_in_one_operation_of_its_scope(opened) -> None:
    async with opened() as stores, opened("work") as work:
        old = await remember(stores, "a giraffe", "a zebra", **HELD)
        [live] = await remember(stores, "an okapi")
        [touched] = await remember(stores, "a gnu", **HELD)
        await stores.memories.change_all([touched], header("edit", later(50)), lambda _: {touched: {"confidence": 0.5}})
        [other] = await remember(work, "an eland", **HELD)

        changed = await stores.upkeep.expire_candidates(LONG_AGO, EXPIRE, expired_fields)

        assert [memory.id for memory in changed.records] == old
        states = [each.state for each in await stores.memories.get([*old, live, touched])]
        assert states == [State.REJECTED, State.REJECTED, State.LIVE, State.CANDIDATE]
        assert (await work.memories.get([other]))[0].state is State.CANDIDATE
        [latest, *_] = await stores.history.operations(9)
        assert (latest.id, latest.header.action, latest.header.actor) == (changed.operation, "expire", Actor.CLEAN)


async def test_an_expiry_that_was_taken_back_is_new_in_the_inbox(stores) -> None:
    [old] = await remember(stores, "a giraffe", **HELD)
    changed = await stores.upkeep.expire_candidates(LONG_AGO, EXPIRE, expired_fields)
    await stores.history.undo(changed.operation, later(100))
    [back] = await stores.memories.get([old])
    assert (back.state, back.held_because, said_again.waits_since(back)) == (State.CANDIDATE, "url", later(100))
    assert (await stores.upkeep.expire_candidates(later(99), EXPIRE, expired_fields)).operation is None


async def test_candidates_of_every_kind_expire_in_one_operation(stores) -> None:
    await remember(stores, "a giraffe", **HELD)
    episode = Episode(0, "u", "nginx", "nginx", AT, AT, AT, state=State.CANDIDATE, held_because="not_typed")
    await stores.records[EPISODE].add(episode, header())
    known = Knowledge(0, "u", "nginx", "nginx", "restart it", AT, AT, state=State.CANDIDATE)
    await stores.records[KNOWLEDGE].add(known, header())

    changed = await stores.upkeep.expire_candidates(LONG_AGO, EXPIRE, expired_fields)

    assert [(type(each).__name__, each.state, each.held_because) for each in changed.records] == [
        ("Memory", State.REJECTED, "expired: url"),
        ("Episode", State.REJECTED, "expired: not_typed"),
        ("Knowledge", State.REJECTED, "expired"),
    ]
    assert len(await stores.history.changes_of([changed.operation])) == 3
    undone = await stores.history.undo(changed.operation, later(100))
    assert len(undone.refs) == 3
    [back] = await stores.records[EPISODE].get([1])
    assert (back.state, back.held_because) == (State.CANDIDATE, "not_typed")
