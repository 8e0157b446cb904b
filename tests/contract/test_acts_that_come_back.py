"""Acts that an undo or redo brings back: none on an attempt that was replaced, and no two that can't stand together."""

from __future__ import annotations

import pytest
from fakes.acts_read import claimed, finish, only, recorded, shown
from fakes.records import begin, chat, header, later

from orca_core.model.feedback import Action, ActionType
from orca_core.model.memories import ArchivedBecause, State
from orca_core.operations.stores import Stores
from orca_core.rules.feedback.signals import MARKS, action_type, checked
from orca_core.rules.memory import undo_rules

LIKE, DISLIKE = ActionType.LIKE, ActionType.DISLIKE


async def latest(stores: Stores, action: str) -> int:
    return next(each.id for each in await stores.history.operations(20) if each.header.action == action)


async def liked(stores: Stores) -> None:
    """A like that a run has read."""
    await chat(stores)
    act = await recorded(stores)
    await finish(stores, await claimed(stores), shown(act))


async def says_nothing(stores: Stores) -> bool:
    memory = await only(stores)
    is_gone = (memory.state, memory.archived_because) == (State.ARCHIVED, ArchivedBecause.WITHDRAWN)
    return is_gone and not await stores.supports.of([1]) and not await stores.actions.standing("s", MARKS)


async def test_a_like_that_is_redone_on_a_replaced_attempt_is_silent(opened) -> None:
    async with opened() as stores:
        await liked(stores)
        await stores.history.undo(await latest(stores, "like"), later(3), undo_rules.plan)
        await begin(stores, replaces=1, at=later(5))
        await stores.history.redo(None, later(6), undo_rules.plan)

        assert await says_nothing(stores)


async def test_a_like_whose_cancel_is_undone_on_a_replaced_attempt_is_silent(opened) -> None:
    async with opened() as stores:
        await liked(stores)
        await recorded(stores, "CANCEL_LIKE")
        await begin(stores, replaces=1, at=later(5))
        await stores.history.undo(await latest(stores, "cancel_like"), later(6), undo_rules.plan)

        assert await says_nothing(stores)


@pytest.mark.parametrize("is_recorded_before_its_round", [True, False])
async def test_no_undo_of_the_withdrawal_makes_a_replaced_attempt_speak(
    opened, is_recorded_before_its_round: bool
) -> None:
    async with opened() as stores:
        if is_recorded_before_its_round:
            act = await recorded(stores)
            await finish(stores, await claimed(stores), shown(act))
            await chat(stores)
        else:
            await liked(stores)
        await begin(stores, replaces=1, at=later(5))
        taken_back = await latest(stores, "take back")
        for minute in (6, 8):
            await stores.history.undo(taken_back, later(minute), undo_rules.plan)
            assert await says_nothing(stores)
            await stores.history.redo(None, later(minute + 1), undo_rules.plan)
            assert await says_nothing(stores)


async def marks(stores: Stores) -> list[ActionType]:
    return [each.type for each in await stores.actions.standing("s", (LIKE, DISLIKE))]


async def on_the_answer(stores: Stores, word: str) -> int | None:
    made = checked(Action(0, "", action_type(word), "s", later(), message="m"))
    return (await stores.actions.record(made, header(word.lower()))).operation


async def test_a_like_does_not_come_back_beside_a_newer_dislike(opened) -> None:
    async with opened() as stores:
        await on_the_answer(stores, "LIKE")
        cancel = await on_the_answer(stores, "CANCEL_LIKE")
        await on_the_answer(stores, "DISLIKE")
        await stores.history.undo(cancel, later(1), undo_rules.plan)
        assert await marks(stores) == [DISLIKE]


async def test_a_newer_dislike_that_comes_back_takes_the_older_like_away(opened) -> None:
    async with opened() as stores:
        await liked(stores)
        await recorded(stores, "CANCEL_LIKE")
        await recorded(stores, "DISLIKE")
        for word in ("dislike", "cancel_like"):
            await stores.history.undo(await latest(stores, word), later(4), undo_rules.plan)
        assert await marks(stores) == [LIKE]
        dislike = next(each for each in reversed(await stores.history.operations(20)) if each.header.action == "undo")

        await stores.history.redo(dislike.id, later(6), undo_rules.plan)

        assert await marks(stores) == [DISLIKE]
        assert (await only(stores)).state is State.ARCHIVED
        assert not await stores.supports.of([1])


async def test_a_like_that_is_redone_beside_another_is_one(opened) -> None:
    async with opened() as stores:
        first = await on_the_answer(stores, "LIKE")
        await stores.history.undo(first, later(1), undo_rules.plan)
        await on_the_answer(stores, "LIKE")
        await stores.history.redo(None, later(2), undo_rules.plan)
        [stands] = await stores.actions.standing("s", MARKS)
        assert stands.id == 2
