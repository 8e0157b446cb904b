"""Long-term memories: made, said again, listed, changed, deleted; and their history."""

from __future__ import annotations

import pytest
from fakes.records import AT, header, later, remember

from orca_core.model.episodes import Episode
from orca_core.model.errors import InvalidInput, NotFound, StorageError
from orca_core.model.memories import (
    Added,
    Elsewhere,
    MemoryType,
    NewMemory,
    Origin,
    OriginKind,
    State,
)
from orca_core.model.records import EPISODE
from orca_core.model.views import MemoryQuery, MemorySort, RecordQuery
from orca_core.operations.stores import Stores
from orca_core.rules.memory import memory_curation
from orca_core.rules.memory.memory_curation import criteria


async def add(stores: Stores, content: str, **fields: object):
    return await stores.memories.add(NewMemory(content, **fields), header())  # type: ignore[arg-type]


async def listed(stores: Stores, word: str = "all", **query: object) -> list[str]:
    page = await stores.memories.page(MemoryQuery(criteria(word, 5.0), **query))  # type: ignore[arg-type]
    return [memory.content for memory in page.memories]


async def set_fields(stores: Stores, memory_id: int, **fields: object) -> None:
    await stores.memories.change([memory_id], header("edit"), memory_curation.each(lambda memory: fields))


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


async def test_what_is_said_again_is_confirmed_not_doubled(opened) -> None:
    async with opened() as stores:
        first = await add(stores, "same words", confidence=0.7)
        second = await add(stores, "same words", confidence=0.9)

        assert second.outcome is Added.CONFIRMED
        assert second.memory.id == first.memory.id
        assert (second.memory.confidence, second.memory.seen) == (0.9, 2)


@pytest.mark.parametrize(
    ("because", "kind", "outcome", "state"),
    [
        ("weight", OriginKind.EXTRACTION, Added.RESTORED, State.LIVE),
        ("superseded", OriginKind.EXTRACTION, Added.RESTORED, State.LIVE),
        ("hand", OriginKind.EXTRACTION, Added.DROPPED, State.ARCHIVED),
        ("undone", OriginKind.EXTRACTION, Added.DROPPED, State.ARCHIVED),
        ("hand", OriginKind.USER, Added.RESTORED, State.LIVE),
    ],
)
async def test_what_was_archived_and_is_said_again(opened, because, kind, outcome, state) -> None:
    async with opened() as stores:
        [memory_id] = await remember(stores, "same words")
        await set_fields(stores, memory_id, state="archived", archived_because=because, weight=0.1)
        again = await add(stores, "same words", origin=Origin(kind))

        assert (again.outcome, again.memory.state) == (outcome, state)
        assert again.memory.weight == (1.0 if state is State.LIVE else 0.1)


async def test_lists_are_filtered_sorted_and_paged(opened) -> None:
    async with opened() as stores:
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
        assert (page.memories, page.total) == ((), 4)


async def test_a_missing_memory_is_named(opened) -> None:
    async with opened() as stores:
        ids = await remember(stores, "aa")
        with pytest.raises(NotFound, match="no memory 99"):
            await stores.memories.get([*ids, 99])
        with pytest.raises(NotFound):
            await stores.memories.change([*ids, 99], header("pin"), memory_curation.each(memory_curation.pin))
        assert not (await stores.memories.get(ids))[0].pinned


async def test_a_change_that_changes_nothing_is_no_operation(opened) -> None:
    async with opened() as stores:
        ids = await remember(stores, "aa")
        changed = await stores.memories.change(ids, header("unpin"), memory_curation.each(memory_curation.unpin))

        assert changed.operation is None
        assert [memory.id for memory in changed.records] == ids
        assert len(await stores.history.operations(10)) == 1


async def test_two_memories_never_say_the_same(opened) -> None:
    async with opened() as stores:
        ids = await remember(stores, "aa", "bb")
        with pytest.raises(InvalidInput, match=f"memory {ids[0]} says just that"):
            await set_fields(stores, ids[1], content="aa")


async def test_counts_are_by_state_and_type(opened) -> None:
    async with opened() as stores:
        ids = await remember(stores, "aa", "bb")
        await set_fields(stores, ids[0], state="archived", archived_because="hand", type="event")

        assert await stores.memories.counts() == {
            "state": {"archived": 1, "live": 1},
            "type": {"event": 1, "fact": 1},
        }


async def test_many_memories_come_in_at_once_each_with_its_own_day(opened) -> None:
    texts = (
        "the database listens on port 5432",
        "the database listens on port 5433",
        "the database listens on port 5432",
    )
    batch = [(NewMemory(text), header(at=later(minutes))) for minutes, text in enumerate(texts)]
    async with opened() as stores:
        first, second, again = await stores.memories.store_all(batch)

        assert (first.memory.created_at, second.memory.created_at) == (AT, later(1))
        assert (again.memory.id, again.outcome) == (first.memory.id, Added.CONFIRMED)
        assert len({first.operation, second.operation, again.operation}) == 3
        assert await stores.memories.undecided() == []


async def test_of_many_memories_none_is_stored_where_one_can_not_be(opened) -> None:
    broken = NewMemory("a second one", confidence=7.0)
    async with opened() as stores:
        with pytest.raises(StorageError):
            await stores.memories.store_all([(NewMemory("the first one"), header()), (broken, header())])

        assert await listed(stores) == []


async def test_records_of_another_kind_come_in_at_once_in_one_operation(opened) -> None:
    episodes = [Episode(0, f"u{number}", "nginx", "nginx", AT, AT, AT) for number in range(2)]
    async with opened() as stores:
        made = await stores.memories.make_all(EPISODE, episodes, header("import"))

        assert await stores.records[EPISODE].get([1, 2]) == made
        assert len(await stores.history.operations(9)) == 1


async def test_of_many_records_none_is_stored_where_one_can_not_be(opened) -> None:
    twins = [Episode(0, "u", "nginx", "nginx", AT, AT, AT)] * 2
    async with opened() as stores:
        with pytest.raises(StorageError):
            await stores.memories.make_all(EPISODE, twins, header("import"))

        assert (await stores.records[EPISODE].page(RecordQuery())).total == 0


async def test_imported_memories_are_listed_by_their_program_their_chat_and_their_operation(opened) -> None:
    async with opened() as stores:
        await add(stores, "likes tea", elsewhere=Elsewhere("chatgpt", "Moving to Rome"))
        second = await add(stores, "likes coffee", elsewhere=Elsewhere("claude", "100% Roman"))
        await add(stores, "likes milk")

        assert await listed(stores, program="chatgpt") == ["likes tea"]
        assert await listed(stores, chat="rom mov") == ["likes tea"]
        assert await listed(stores, chat="100%") == ["likes coffee"]
        assert await listed(stores, chat="rom", sort=MemorySort.ID) == ["likes tea", "likes coffee"]
        assert await listed(stores, operation=second.operation) == ["likes coffee"]
        assert await listed(stores, operation=second.operation, text="tea") == []
        assert second.memory.elsewhere == Elsewhere("claude", "100% Roman")
