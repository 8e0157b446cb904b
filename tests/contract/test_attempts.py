"""Another attempt at a round that asked to remember something: it is remembered once, or taken back."""

from __future__ import annotations

import pytest
from fakes.records import EVOLVE, begin, chat, header, later, record, remember

from orca_core.model.memories import Added, ArchivedBecause, NewMemory, State, Use
from orca_core.operations.stores import Stores
from orca_core.rules.memory import memory_curation, undo_rules

EDITOR = NewMemory("I use neovim")


async def asked(stores: Stores, new: NewMemory | None, **fields: object):
    """A whole round that asks to remember."""
    started = await begin(stores, remember=new, **fields)
    await stores.sessions.finish_round(record(started), EVOLVE)
    return started


@pytest.mark.parametrize("times", [1, 3])
async def test_trying_again_remembers_once(opened, times: int) -> None:
    async with opened() as stores:
        first = await asked(stores, EDITOR)
        [before] = await stores.memories.get([first.remembered.memory.id])
        for _ in range(times):
            again = await asked(stores, EDITOR, replaces=1)
        [after] = await stores.memories.get([before.id])

        assert after == before
        assert after.seen == 1
        assert (again.remembered.outcome, again.remembered.memory.id) == (Added.CREATED, before.id)
        assert again.taken_back == ()


async def test_trying_again_confirms_once_what_was_known_before(opened) -> None:
    async with opened() as stores:
        [memory_id] = await remember(stores, EDITOR.content)
        first = await asked(stores, EDITOR)
        again = await asked(stores, EDITOR, replaces=1)

        assert (first.remembered.outcome, again.remembered.outcome) == (Added.CONFIRMED, Added.CONFIRMED)
        assert (await stores.memories.get([memory_id]))[0].seen == 2


async def test_asking_to_remember_something_else_takes_back_the_first(opened) -> None:
    async with opened() as stores:
        first = (await asked(stores, EDITOR)).remembered.memory.id
        again = await asked(stores, NewMemory("I use emacs"), replaces=1)
        gone, there = await stores.memories.get([first, again.remembered.memory.id])

        assert (gone.state, gone.archived_because, gone.seen) == (State.ARCHIVED, ArchivedBecause.UNDONE, 0)
        assert (there.state, there.seen) == (State.LIVE, 1)
        assert [memory.id for _, memory in again.taken_back] == [first]

        back = await asked(stores, EDITOR, replaces=1)
        gone, there = await stores.memories.get([again.remembered.memory.id, first])
        assert (gone.state, there.state, there.seen, there.weight) == (State.ARCHIVED, State.LIVE, 1, 1.0)
        assert back.remembered.memory.id == first


@pytest.mark.parametrize("times", [1, 2])
async def test_asking_for_nothing_takes_back_what_was_made_and_what_was_counted(opened, times: int) -> None:
    async with opened() as stores:
        [known] = await remember(stores, "I drink tea")
        made = (await asked(stores, EDITOR)).remembered.memory.id
        for _ in range(times):
            await asked(stores, None, replaces=1)
        assert (await stores.memories.get([made]))[0].state is State.ARCHIVED

        await asked(stores, NewMemory("I drink tea"), session_id="t")
        assert (await stores.memories.get([known]))[0].seen == 2
        await asked(stores, None, session_id="t", replaces=1)
        [now] = await stores.memories.get([known])
        assert (now.state, now.seen) == (State.LIVE, 1)


@pytest.mark.parametrize("fields", [{"pinned": True}, {"content": "I use neovim nightly"}, {"type": "preference"}])
async def test_what_a_person_pinned_or_changed_since_is_not_taken_back(opened, fields: dict[str, object]) -> None:
    async with opened() as stores:
        made = (await asked(stores, EDITOR)).remembered.memory.id
        await stores.memories.change([made], header("edit"), memory_curation.each(lambda _: fields))
        [before] = await stores.memories.get([made])
        await asked(stores, None, replaces=1)

        assert (await stores.memories.get([made])) == [before]


async def test_trying_again_keeps_what_a_hand_made_of_it(opened) -> None:
    async with opened() as stores:
        made = (await asked(stores, EDITOR)).remembered.memory.id
        edit = memory_curation.each(lambda _: {"content": "I use neovim nightly"})
        await stores.memories.change([made], header("edit"), edit)
        again = await asked(stores, EDITOR, replaces=1)

        assert (again.remembered.memory.id, again.remembered.memory.content) == (made, "I use neovim nightly")
        assert (await stores.memories.counts())["state"] == {"live": 1}


async def test_what_another_chat_asked_to_remember_too_stays(opened) -> None:
    async with opened() as stores:
        made = (await asked(stores, EDITOR)).remembered.memory.id
        await asked(stores, EDITOR, session_id="other")
        await asked(stores, None, replaces=1)
        [now] = await stores.memories.get([made])

        assert (now.state, now.seen) == (State.LIVE, 1)


@pytest.mark.parametrize("put_aside", [memory_curation.archive, memory_curation.never])
async def test_trying_again_counts_once_what_was_put_aside_meanwhile(opened, put_aside: memory_curation.OfOne) -> None:
    async with opened() as stores:
        made = (await asked(stores, EDITOR)).remembered.memory.id
        await stores.memories.change([made], header("x"), memory_curation.each(put_aside))
        again = await asked(stores, EDITOR, replaces=1)
        assert again.remembered.memory.seen == 1

        await asked(stores, None, replaces=1)
        [now] = await stores.memories.get([made])
        assert (now.state is State.LIVE, now.seen) == (False, 0)


async def test_what_was_undone_by_hand_meanwhile_is_remembered_anew(opened) -> None:
    async with opened() as stores:
        made = (await asked(stores, EDITOR)).remembered.memory.id
        await stores.history.undo(None, later(), undo_rules.plan)
        again = await asked(stores, EDITOR, replaces=1)
        [now] = await stores.memories.get([made])

        assert (again.remembered.outcome, now.state, now.seen) == (Added.RESTORED, State.LIVE, 1)


async def test_a_request_to_remember_from_before_its_attempt_was_noted_is_found_too(opened) -> None:
    async with opened() as stores:
        await asked(stores, EDITOR)
        await stores.sessions._transactions.write(  # as older versions left it
            lambda rows: rows.update("operations", {"round_id": None})
        )
        await asked(stores, EDITOR, replaces=1)

        assert (await stores.memories.get([1]))[0].seen == 1


async def test_an_undo_of_what_was_made_forgets_that_it_was_said(opened) -> None:
    async with opened() as stores:
        [memory_id] = await remember(stores, "aa")
        await stores.memories.add(NewMemory("aa"), header())
        await stores.history.undo(1, later(), undo_rules.plan)
        assert (await stores.memories.get([memory_id]))[0].seen == 1
        await stores.history.redo(None, later(), undo_rules.plan)
        assert (await stores.memories.get([memory_id]))[0].seen == 2


async def test_an_undo_never_takes_a_turns_weights_unasked(opened) -> None:
    async with opened() as stores:
        [memory_id] = await remember(stores, "aa")
        await stores.memories.change([memory_id], header("pin"), memory_curation.each(memory_curation.pin))
        await chat(stores, uses={memory_id: Use.USED})
        for expected in ("pin", "add"):
            undone = await stores.history.undo(None, later(), undo_rules.plan)
            [now] = await stores.memories.get([memory_id])
            assert (undone.undid.header.action, now.weight, now.used) == (expected, 1.5, 1)


async def test_an_undo_that_passes_over_a_delete_says_so(opened) -> None:
    async with opened() as stores:
        await remember(stores, "aa", "bb")
        await stores.memories.delete([2], header("delete"))
        deleted = (await stores.history.operations(1))[0].id
        undone = await stores.history.undo(None, later(), undo_rules.plan)

        assert [each.operation.id for each in undone.passed_over] == [deleted]
        await remember(stores, "cc")
        assert (await stores.history.undo(None, later(), undo_rules.plan)).passed_over == ()


async def test_a_receipt_keeps_what_became_of_each_memory(opened) -> None:
    async with opened() as stores:
        sunk, pinned, heavy = await remember(stores, "aa", "bb", "cc")
        for memory_id, fields in (
            (sunk, {"weight": 0.4}),
            (pinned, {"weight": 0.2, "pinned": True}),
            (heavy, {"weight": 4.9}),
        ):
            await stores.memories.change([memory_id], header("edit"), memory_curation.each(lambda _, f=fields: f))
        await chat(stores, uses={sunk: Use.UNUSED, pinned: Use.USED, heavy: Use.USED})
        receipt = await stores.receipts.receipt("s", 1)

        assert [(move.ref.id, move.status) for move in receipt.weights] == [
            (sunk, "archived"), (pinned, "active"), (heavy, "core"),
        ]  # fmt: skip


async def test_a_turn_tried_again_gives_back_its_share_beside_other_chats(opened) -> None:
    async with opened() as stores:
        used, set_by_hand = await remember(stores, "one memory", "two memory")
        uses = {used: Use.USED, set_by_hand: Use.USED}
        await chat(stores, "s", uses=uses)
        await chat(stores, "other", uses=uses)
        await stores.memories.change([set_by_hand], header("edit", later()), lambda _: {set_by_hand: {"weight": 4.0}})
        await begin(stores, replaces=1)
        memories = await stores.memories.get([used, set_by_hand])

        assert [(each.weight, each.used) for each in memories] == [(1.5, 1), (4.0, 1)]
