"""Acts of a person: recorded once, taken back by others, by undo and again by redo; carried into another home."""

from __future__ import annotations

from typing import Any

import pytest
from fakes.acts_read import claimed, finish, only, recorded, shown
from fakes.documents import brought, exported
from fakes.records import AT, begin, chat, header, later, remember

from orca_core.model.errors import InvalidInput
from orca_core.model.feedback import Action, ActionRecorded, ActionType, naming
from orca_core.model.llm import Span
from orca_core.model.memories import ArchivedBecause, State
from orca_core.model.record_types import ACTION, EPISODE, Ref, memory_ref
from orca_core.model.sessions import RoundStart
from orca_core.model.views import RecordQuery
from orca_core.operations.stores import Stores
from orca_core.rules.feedback import signals
from orca_core.rules.feedback.signals import MARKS, action_type, checked_act
from orca_core.rules.memory.causes import cause_of_end


async def record_act(stores: Stores, type_word: str, session: str = "s", **fields: object) -> ActionRecorded:
    made = signals.checked_act(Action(0, "", signals.action_type(type_word), session, AT, **fields))  # type: ignore[arg-type]
    return await stores.feedback.record(made, header(type_word.lower()))


async def standing(stores: Stores, session: str = "s") -> list[ActionType]:
    return [each.type for each in await stores.feedback.standing(session, signals.MARKS)]


async def test_an_act_takes_back_what_it_can_not_stand_beside(stores) -> None:
    await record_act(stores, "LIKE", round=1)
    turned = await record_act(stores, "DISLIKE", round=1)

    assert [each.type for each in turned.withdrawn] == [ActionType.LIKE]
    assert await standing(stores) == [ActionType.DISLIKE]
    await stores.history.undo(None, later(1))
    assert await standing(stores) == [ActionType.LIKE]
    await stores.history.redo(None, later(2))
    assert await standing(stores) == [ActionType.DISLIKE]


async def test_an_act_means_the_attempt_that_stands(stores) -> None:
    first = await chat(stores)
    await record_act(stores, "LIKE", round=1)
    assert await standing(stores) == [ActionType.LIKE]
    again = RoundStart("s", "t", (Span("a question"),), later(1), replaces=1)
    second = await stores.sessions.begin_round(again)

    assert await standing(stores) == []
    made = await record_act(stores, "DISLIKE", round=1)
    assert (made.action.round_id, made.withdrawn) == (second.id, ())
    assert await standing(stores) == [ActionType.DISLIKE]
    [liked] = (await stores.records[ACTION].page(RecordQuery({"type": ("LIKE",)}))).records
    assert (liked.round_id, liked.stands) == (first.id, False)


@pytest.mark.parametrize("type_word", ["LIKE", "DISLIKE", "EDIT_FILE"])
async def test_an_act_on_a_replaced_answer_is_refused(stores, type_word: str) -> None:
    first = await chat(stores)
    second = await begin(stores, replaces=1, at=later())
    data = {"previous": "a", "current": "b"}
    with pytest.raises(InvalidInput, match=f"taken the place of answer {first.id} in round 1"):
        await record_act(stores, type_word, round=1, round_id=first.id, data=data)

    assert await acts_of(stores) == []
    made = await record_act(stores, type_word, message="m", round_id=second.id, data=data)
    assert (made.action.round, made.action.round_id) == (1, second.id)


@pytest.mark.parametrize("fields", [{"round_id": 2}, {"round_id": 999}, {"round": 2, "round_id": 1}])
async def test_an_act_names_an_answer_of_its_own_session_and_round(opened, fields: dict[str, int]) -> None:
    async with opened() as stores, opened("other") as others:
        await chat(stores)
        await chat(stores, "t")
        assert (await record_act(stores, "LIKE", round=1, round_id=1)).operation is not None
        with pytest.raises(InvalidInput, match="session s has no answer"):
            await record_act(stores, "LIKE", **{"round": 1, **fields})
        with pytest.raises(InvalidInput, match="session s has no answer"):
            await record_act(others, "LIKE", round=1, round_id=1)


async def test_messages_are_noted_with_their_rounds(stores) -> None:
    for number in (1, 2):
        sent = RoundStart("s", "t", (Span("a question"),), later(number), is_act=True)
        started = await stores.sessions.begin_round(sent)
        stopped = cause_of_end(None)
        await stores.sessions.end_round(started.id, "interrupted", "half", "", None, stopped if number == 2 else None)
    before = await acts_of(stores)
    again = RoundStart("s", "t", (Span("a question"),), later(3), replaces=2, is_act=True)
    retried = await stores.sessions.begin_round(again)

    assert before == [("START_CHAT", 1), ("FOLLOWUP_CHAT", 2), ("BREAK_CHAT", 2)]
    assert await acts_of(stores) == [("START_CHAT", 1), ("FOLLOWUP_CHAT", retried.id), ("BREAK_CHAT", 2)]
    assert await stores.history.operations(10) == []


async def acts_of(stores: Stores) -> list[tuple[str, int | None]]:
    page = await stores.records[ACTION].page(RecordQuery())
    return [(each.type.value, each.round_id) for each in sorted(page.records, key=lambda each: each.id)]


async def test_scopes_and_sessions_never_meet(opened) -> None:
    async with opened() as mine, opened("other") as others:
        await record_act(mine, "LIKE", round=1)
        await record_act(mine, "LIKE", "t", round=1)
        await record_act(others, "CANCEL_LIKE", round=1)

        assert await standing(mine) == await standing(mine, "t") == [ActionType.LIKE]


async def test_what_did_not_help_is_said_of_each_record_of_a_round_and_taken_back(stores) -> None:
    one, other = naming(memory_ref(7)), naming(Ref(EPISODE, 7))
    first = await record_act(stores, "NOT_HELPFUL", round=1, data=one)
    await record_act(stores, "NOT_HELPFUL", round=1, data=other)
    await record_act(stores, "NOT_HELPFUL", round=2, data=one)
    assert (await record_act(stores, "NOT_HELPFUL", round=1, data=one)).is_known
    await record_act(stores, "DISLIKE", round=1)

    cancelled = await record_act(stores, "CANCEL_NOT_HELPFUL", round=1, data=one)

    assert [each.id for each in cancelled.withdrawn] == [first.action.id]
    assert await unhelpful(stores) == [(1, Ref(EPISODE, 7)), (2, memory_ref(7))]
    await stores.history.undo(None, later())
    assert await unhelpful(stores) == [(1, memory_ref(7)), (1, Ref(EPISODE, 7)), (2, memory_ref(7))]


async def unhelpful(stores: Stores) -> list[tuple[int | None, Ref | None]]:
    said = await stores.feedback.standing("s", (ActionType.NOT_HELPFUL,))
    return [(each.round, each.record) for each in said]


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
    return is_gone and not await stores.feedback.supports_of([1]) and not await stores.feedback.standing("s", MARKS)


@pytest.mark.parametrize("is_recorded_before_its_round", [True, False])
async def test_no_undo_of_the_withdrawal_makes_a_replaced_attempt_speak(
    stores, is_recorded_before_its_round: bool
) -> None:
    if is_recorded_before_its_round:
        act = await recorded(stores)
        await finish(stores, await claimed(stores), shown(act))
        await chat(stores)
    else:
        await liked(stores)
    await begin(stores, replaces=1, at=later(5))
    taken_back = await latest(stores, "take back")
    for minute in (6, 8):
        await stores.history.undo(taken_back, later(minute))
        assert await says_nothing(stores)
        await stores.history.redo(None, later(minute + 1))
        assert await says_nothing(stores)


async def on_the_answer(stores: Stores, word: str) -> int | None:
    made = checked_act(Action(0, "", action_type(word), "s", later(), message="m"))
    return (await stores.feedback.record(made, header(word.lower()))).operation


async def test_a_like_that_is_redone_beside_another_is_one(stores) -> None:
    first = await on_the_answer(stores, "LIKE")
    await stores.history.undo(first, later(1))
    await on_the_answer(stores, "LIKE")
    await stores.history.redo(None, later(2))
    [stands] = await stores.feedback.standing("s", MARKS)
    assert stands.id == 2


async def not_helpful(stores: Stores, memory: int) -> None:
    made = Action(0, "", ActionType.NOT_HELPFUL, "s", AT, round=1, data=naming(memory_ref(memory)))
    await stores.feedback.record(signals.checked_act(made), header("not_helpful"))


async def judged(stores: Stores) -> list[Any]:
    return [each.record for each in await stores.feedback.standing("s", (ActionType.NOT_HELPFUL,))]


async def test_what_did_not_help_is_the_same_record_in_another_home(opened: Any) -> None:
    async with opened() as stores, opened("other") as other:
        await remember(other, "I use fish")
        [_, zsh] = await remember(stores, "I use vim", "I use zsh")
        await not_helpful(stores, zsh)
        told = await exported(stores)
        [act] = told["actions"]
        assert act["data"]["record"] == {"kind": "memory", "id": told["memories"][1]["uid"]}

        await brought(other, told, trust=True)

        [ref] = await judged(other)
        assert [each.content for each in await other.memories.get([ref.id])] == ["I use zsh"]
        assert ref != memory_ref(zsh)


async def test_an_act_speaks_for_what_was_read_out_of_it(stores) -> None:
    liked, other = await recorded(stores, "LIKE", 1), await recorded(stores, "LIKE", 2)
    await finish(stores, await claimed(stores), shown(liked))

    assert await stores.feedback.speaks_for([liked, other]) == {liked: ((await only(stores)).id,)}
    assert await stores.feedback.speaks_for([]) == {}


async def test_an_act_that_was_taken_back_speaks_for_nothing_until_it_stands_again(stores) -> None:
    liked = await recorded(stores, "LIKE", 1)
    await finish(stores, await claimed(stores), shown(liked))

    await recorded(stores, "CANCEL_LIKE", 1)
    assert await stores.feedback.speaks_for([liked]) == {}

    await stores.history.undo(None, later(5))
    assert list(await stores.feedback.speaks_for([liked])) == [liked]
