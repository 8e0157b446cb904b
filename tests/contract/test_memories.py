"""Long-term memories: made, said again, listed, changed, deleted; and their history."""

from __future__ import annotations

import pytest
from fakes.records import AT, EVOLVE, begin, chat, header, later, receipt, record, remember

from orca_core.domain.errors import InvalidInput, NotFound
from orca_core.domain.memories import (
    Actor,
    Added,
    ArchivedBecause,
    MemoryQuery,
    MemorySort,
    MemoryType,
    NewMemory,
    Origin,
    OriginKind,
    State,
    Use,
)
from orca_core.domain.stores import Stores
from orca_core.rules import curation, status, undo
from orca_core.rules.status import criteria


async def add(stores: Stores, content: str, **fields: object):
    return await stores.memories.add(NewMemory(content, **fields), header(), status.said_again)  # type: ignore[arg-type]


async def listed(stores: Stores, word: str = "all", **query: object) -> list[str]:
    page = await stores.memories.page(MemoryQuery(criteria(word, 5.0), **query))  # type: ignore[arg-type]
    return [memory.content for memory in page.memories]


async def set_fields(stores: Stores, memory_id: int, **fields: object) -> None:
    await stores.memories.change([memory_id], header("edit"), lambda memory: fields)


def test_a_memory_comes_back_as_it_was_stored(run, opened) -> None:
    async def scenario() -> None:
        origin = Origin(OriginKind.EXTRACTION, "s", (3, 4), "verbatim", "model")
        new = NewMemory(
            "用户用 neovim", MemoryType.PREFERENCE, ("技术", "偏好"), 0.85, True, origin, State.CANDIDATE, "weak_evidence"
        )
        async with opened() as stores:
            added = await stores.memories.add(new, header(), status.said_again)
        async with opened() as stores:
            [memory] = await stores.memories.get([added.memory.id])

        assert memory == added.memory
        assert (memory.content, memory.type, memory.tags, memory.confidence) == (new.content, new.type, new.tags, 0.85)
        assert (memory.origin, memory.pinned, memory.state, memory.held_because) == (origin, True, State.CANDIDATE, "weak_evidence")
        assert (memory.weight, memory.seen, memory.created_at) == (1.0, 1, AT)

    run(scenario())


def test_what_is_said_again_is_confirmed_not_doubled(run, opened) -> None:
    async def scenario() -> None:
        async with opened() as stores:
            first = await add(stores, "same words", confidence=0.7)
            second = await add(stores, "same words", confidence=0.9)

            assert second.outcome is Added.CONFIRMED
            assert second.memory.id == first.memory.id
            assert (second.memory.confidence, second.memory.seen) == (0.9, 2)

    run(scenario())


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
def test_what_was_archived_and_is_said_again(run, opened, because, kind, outcome, state) -> None:
    async def scenario() -> None:
        async with opened() as stores:
            [memory_id] = await remember(stores, "same words")
            await set_fields(stores, memory_id, state="archived", archived_because=because, weight=0.1)
            again = await add(stores, "same words", origin=Origin(kind))

            assert (again.outcome, again.memory.state) == (outcome, state)
            assert again.memory.weight == (1.0 if state is State.LIVE else 0.1)

    run(scenario())


def test_lists_are_filtered_sorted_and_paged(run, opened) -> None:
    async def scenario() -> None:
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
            assert await listed(stores, pinned_only=True) == ["dd"]
            assert await listed(stores, sort=MemorySort.ID, limit=2, offset=1) == ["bb", "cc"]
            assert await listed(stores, sort=MemorySort.NEW) == ["dd", "cc", "bb", "aa"]
            page = await stores.memories.page(MemoryQuery(criteria("all", 5.0), limit=0))
            assert (page.memories, page.total) == ((), 4)

    run(scenario())


def test_a_missing_memory_is_named(run, opened) -> None:
    async def scenario() -> None:
        async with opened() as stores:
            ids = await remember(stores, "aa")
            with pytest.raises(NotFound, match="no memory 99"):
                await stores.memories.get([*ids, 99])
            with pytest.raises(NotFound):
                await stores.memories.change([*ids, 99], header("pin"), curation.pin)
            assert not (await stores.memories.get(ids))[0].pinned

    run(scenario())


def test_a_change_that_changes_nothing_is_no_operation(run, opened) -> None:
    async def scenario() -> None:
        async with opened() as stores:
            ids = await remember(stores, "aa")
            changed = await stores.memories.change(ids, header("unpin"), curation.unpin)

            assert changed.operation is None
            assert [memory.id for memory in changed.memories] == ids
            assert len(await stores.history.operations(10)) == 1

    run(scenario())


def test_two_memories_never_say_the_same(run, opened) -> None:
    async def scenario() -> None:
        async with opened() as stores:
            ids = await remember(stores, "aa", "bb")
            with pytest.raises(InvalidInput, match=f"memory {ids[0]} says just that"):
                await set_fields(stores, ids[1], content="aa")

    run(scenario())


def test_history_tells_every_field_before_and_after(run, opened) -> None:
    async def scenario() -> None:
        async with opened() as stores:
            [memory_id] = await remember(stores, "aa")
            await stores.memories.change([memory_id], header("pin", later()), curation.pin)
            made, pinned = await stores.history.history(memory_id)

            assert (made.action, made.before, made.after["content"]) == ("add", None, "aa")
            assert (pinned.action, pinned.actor, pinned.before, pinned.after) == (
                "pin", Actor.USER, {"pinned": False}, {"pinned": True},
            )  # fmt: skip
            assert pinned.at == later()

    run(scenario())


def test_undo_and_redo_work_after_a_restart(run, opened) -> None:
    async def scenario() -> None:
        async with opened() as stores:
            [memory_id] = await remember(stores, "aa")
            await set_fields(stores, memory_id, content="bb", weight=4.0)
        async with opened() as stores:
            await stores.history.undo(None, later(), undo.plan)
            [undone] = await stores.memories.get([memory_id])
        async with opened() as stores:
            await stores.history.redo(None, later(), undo.plan)
            [redone] = await stores.memories.get([memory_id])

        assert (undone.content, undone.weight) == ("aa", 1.0)
        assert (redone.content, redone.weight) == ("bb", 4.0)

    run(scenario())


def test_undo_goes_back_step_by_step_and_redo_forward(run, opened) -> None:
    async def scenario() -> None:
        async with opened() as stores:
            [memory_id] = await remember(stores, "aa")
            for weight in (2.0, 3.0, 4.0):
                await set_fields(stores, memory_id, weight=weight)
            seen = []
            for step in ("undo", "undo", "redo", "redo", "undo"):
                await getattr(stores.history, step)(None, later(), undo.plan)
                seen.append((await stores.memories.get([memory_id]))[0].weight)

            assert seen == [3.0, 2.0, 3.0, 4.0, 3.0]

    run(scenario())


def test_an_undo_leaves_what_came_later_and_names_it(run, opened) -> None:
    async def scenario() -> None:
        async with opened() as stores:
            [memory_id] = await remember(stores, "aa")
            await set_fields(stores, memory_id, weight=2.0, confidence=0.5)
            edited = (await stores.history.operations(1))[0].id
            await set_fields(stores, memory_id, weight=3.0)
            undone = await stores.history.undo(edited, later(), undo.plan)
            [memory] = await stores.memories.get([memory_id])

            assert (memory.weight, memory.confidence) == (3.0, 1.0)
            assert [(each.field, each.found) for each in undone.conflicts] == [("weight", 3.0)]

    run(scenario())


def test_an_undone_memory_is_archived_and_redone_alive(run, opened) -> None:
    async def scenario() -> None:
        async with opened() as stores:
            [memory_id] = await remember(stores, "aa")
            await stores.history.undo(None, later(), undo.plan)
            [gone] = await stores.memories.get([memory_id])
            await stores.history.redo(None, later(), undo.plan)
            [back] = await stores.memories.get([memory_id])

            assert (gone.state, gone.archived_because) == (State.ARCHIVED, ArchivedBecause.UNDONE)
            assert back.state is State.LIVE

    run(scenario())


def test_undo_passes_over_a_turns_weights_but_can_name_them(run, opened) -> None:
    async def scenario() -> None:
        async with opened() as stores:
            [memory_id] = await remember(stores, "aa")
            await chat(stores, uses={memory_id: Use.USED})
            weights = (await stores.history.operations(1))[0]
            assert weights.header.action == "weights"
            await stores.history.undo(weights.id, later(), undo.plan)
            assert (await stores.memories.get([memory_id]))[0].weight == 1.0
            undone = await stores.history.undo(None, later(), undo.plan)
            assert undone.undid.header.action == "add"

    run(scenario())


def test_what_can_not_be_undone_says_so(run, opened) -> None:
    async def scenario() -> None:
        async with opened() as stores:
            with pytest.raises(NotFound, match="nothing to take back"):
                await stores.history.undo(None, AT, undo.plan)
            with pytest.raises(NotFound, match="no operation 99"):
                await stores.history.undo(99, AT, undo.plan)
            [memory_id] = await remember(stores, "aa")
            await stores.history.undo(1, AT, undo.plan)
            with pytest.raises(InvalidInput, match="already"):
                await stores.history.undo(1, AT, undo.plan)
            await stores.memories.delete([memory_id], header("delete"))
            deleted = (await stores.history.operations(1))[0].id
            with pytest.raises(InvalidInput, match="for good"):
                await stores.history.undo(deleted, AT, undo.plan)

    run(scenario())


def test_a_deleted_memory_is_gone_from_everywhere(run, opened) -> None:
    async def scenario() -> None:
        async with opened() as stores:
            [memory_id] = await remember(stores, "neovim 是我的编辑器")
            await stores.vectors.put("m", [("long", memory_id, "neovim 是我的编辑器", [1.0] * 8)])
            await stores.vectors.cache("m", {"neovim 是我的编辑器": [1.0] * 8})
            started = await begin(stores)
            kept = receipt(content="neovim 是我的编辑器", block='[{"text": "neovim 是我的编辑器"}]', ref=str(memory_id))
            await stores.dialogues.finish_round(record(started, receipt=kept), EVOLVE)
            deletion = await stores.memories.delete([memory_id], header("delete"))
            wiped = await stores.receipts.receipt("s", 1)

            assert deletion.ids == (memory_id,)
            assert deletion.finished
            assert await listed(stores) == []
            assert await stores.search.by_tokens(["neovim"], 5) == []
            assert await stores.search.by_vector("m", [1.0] * 8, 5) == []
            assert await stores.vectors.cached("m", ["neovim 是我的编辑器"]) == {}
            assert "neovim" not in wiped.injection.block + wiped.injection.injected[0].content
            with pytest.raises(NotFound):
                await stores.history.history(memory_id)

    run(scenario())


def test_a_number_is_never_used_again(run, opened) -> None:
    async def scenario() -> None:
        async with opened() as stores:
            [first] = await remember(stores, "aa")
            await stores.memories.delete([first], header("delete"))
        async with opened() as stores:
            assert await remember(stores, "bb") == [first + 1]

    run(scenario())


@pytest.mark.parametrize("with_messages", [False, True])
def test_the_messages_it_came_from_stay_unless_asked(run, opened, with_messages: bool) -> None:
    async def scenario() -> None:
        async with opened() as stores:
            started = await begin(stores, remember=NewMemory("aa"))
            await stores.dialogues.finish_round(record(started), EVOLVE)
            deletion = await stores.memories.delete([1], header("delete"), with_messages)

            assert deletion.messages == (() if with_messages else (("s", 1),))
            assert len(await stores.dialogues.rounds("s")) == (0 if with_messages else 1)

    run(scenario())


def test_counts_are_by_state_and_type(run, opened) -> None:
    async def scenario() -> None:
        async with opened() as stores:
            ids = await remember(stores, "aa", "bb")
            await set_fields(stores, ids[0], state="archived", archived_because="hand", type="event")

            assert await stores.memories.counts() == {
                "state": {"archived": 1, "live": 1},
                "type": {"event": 1, "fact": 1},
            }

    run(scenario())
