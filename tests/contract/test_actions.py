"""Acts of a person: recorded once, taken back by others, by undo and again by redo; carried into another home."""

from __future__ import annotations

import pytest
from fakes.acts_read import claimed, finish, only, recorded, shown
from fakes.records import AT, begin, chat, header, later

from orca_core.model.errors import InvalidInput
from orca_core.model.feedback import Action, ActionRecorded, ActionType
from orca_core.model.llm import Span
from orca_core.model.record_types import ACTION
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


async def liked(stores: Stores) -> None:
    """A like that a run has read."""
    await chat(stores)
    act = await recorded(stores)
    await finish(stores, await claimed(stores), shown(act))


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
