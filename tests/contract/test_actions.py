"""Acts through a store: recorded once, taken back by others, by undo and again by redo."""

from __future__ import annotations

import pytest
from fakes.records import AT, begin, chat, header, later

from orca_core.model.errors import InvalidInput
from orca_core.model.feedback import Action, ActionRecorded, ActionState, ActionType, naming
from orca_core.model.llm import Span
from orca_core.model.records import ACTION, EPISODE, Ref, memory_ref
from orca_core.model.sessions import RoundStart
from orca_core.model.views import RecordQuery
from orca_core.operations.stores import Stores
from orca_core.rules.feedback import signals
from orca_core.rules.memory import undo_rules


async def recorded(stores: Stores, type_word: str, session: str = "s", **fields: object) -> ActionRecorded:
    made = signals.checked(Action(0, "", signals.action_type(type_word), session, AT, **fields))  # type: ignore[arg-type]
    return await stores.actions.record(made, header(type_word.lower()))


async def standing(stores: Stores, session: str = "s") -> list[ActionType]:
    return [each.type for each in await stores.actions.standing(session, signals.MARKS)]


async def test_an_act_is_recorded_once(opened) -> None:
    async with opened() as stores:
        first = await recorded(stores, "LIKE", round=1)
        again = await recorded(stores, "LIKE", round=1)

        assert (again.is_known, again.operation, again.action.id) == (True, None, first.action.id)
        assert await standing(stores) == [ActionType.LIKE]


async def test_an_act_takes_back_what_it_can_not_stand_beside(opened) -> None:
    async with opened() as stores:
        await recorded(stores, "LIKE", round=1)
        turned = await recorded(stores, "DISLIKE", round=1)

        assert [each.type for each in turned.withdrawn] == [ActionType.LIKE]
        assert await standing(stores) == [ActionType.DISLIKE]
        await stores.history.undo(None, later(1), undo_rules.plan)
        assert await standing(stores) == [ActionType.LIKE]
        await stores.history.redo(None, later(2), undo_rules.plan)
        assert await standing(stores) == [ActionType.DISLIKE]


async def test_taking_back_twice_is_taking_back_once(opened) -> None:
    async with opened() as stores:
        await recorded(stores, "LIKE", round=1)
        for _ in range(2):
            await recorded(stores, "CANCEL_LIKE", round=1)

        assert ActionType.LIKE not in await standing(stores)
        await recorded(stores, "LIKE", round=1)
        assert ActionType.LIKE in await standing(stores)


async def test_an_act_whose_recording_was_undone_is_shown_nowhere(opened) -> None:
    async with opened() as stores:
        made = await recorded(stores, "COLLECT_SESSION")
        await stores.history.undo(made.operation, later(1), undo_rules.plan)

        assert await standing(stores) == []
        [kept] = await stores.records[ACTION].get([made.action.id])
        assert kept.state is ActionState.UNDONE


async def test_an_act_means_the_attempt_that_stands(opened) -> None:
    async with opened() as stores:
        first = await chat(stores)
        await recorded(stores, "LIKE", round=1)
        assert await standing(stores) == [ActionType.LIKE]
        again = RoundStart("s", "t", (Span("a question"),), later(1), replaces=1)
        second = await stores.sessions.begin_round(again, undo_rules.plan_retried)

        assert await standing(stores) == []
        made = await recorded(stores, "DISLIKE", round=1)
        assert (made.action.round_id, made.withdrawn) == (second.id, ())
        assert await standing(stores) == [ActionType.DISLIKE]
        [liked] = (await stores.records[ACTION].page(RecordQuery({"type": ("LIKE",)}))).records
        assert (liked.round_id, liked.stands) == (first.id, False)


@pytest.mark.parametrize("type_word", ["LIKE", "DISLIKE", "EDIT_FILE"])
async def test_an_act_on_a_replaced_answer_is_refused(opened, type_word: str) -> None:
    async with opened() as stores:
        first = await chat(stores)
        second = await begin(stores, replaces=1, at=later())
        data = {"previous": "a", "current": "b"}
        with pytest.raises(InvalidInput, match=f"taken the place of answer {first.id} in round 1"):
            await recorded(stores, type_word, round=1, round_id=first.id, data=data)

        assert await acts_of(stores) == []
        made = await recorded(stores, type_word, message="m", round_id=second.id, data=data)
        assert (made.action.round, made.action.round_id) == (1, second.id)


@pytest.mark.parametrize("fields", [{"round_id": 2}, {"round_id": 999}, {"round": 2, "round_id": 1}])
async def test_an_act_names_an_answer_of_its_own_session_and_round(opened, fields: dict[str, int]) -> None:
    async with opened() as stores, opened("other") as others:
        await chat(stores)
        await chat(stores, "t")
        assert (await recorded(stores, "LIKE", round=1, round_id=1)).operation is not None
        with pytest.raises(InvalidInput, match="session s has no answer"):
            await recorded(stores, "LIKE", **{"round": 1, **fields})
        with pytest.raises(InvalidInput, match="session s has no answer"):
            await recorded(others, "LIKE", round=1, round_id=1)


async def test_messages_are_noted_with_their_rounds(opened) -> None:
    async with opened() as stores:
        for number in (1, 2):
            sent = RoundStart("s", "t", (Span("a question"),), later(number), is_act=True)
            started = await stores.sessions.begin_round(sent, undo_rules.plan_retried)
            stopped = undo_rules.of_end(None)
            await stores.sessions.end_round(
                started.id, "interrupted", "half", "", None, stopped if number == 2 else None
            )
        before = await acts_of(stores)
        again = RoundStart("s", "t", (Span("a question"),), later(3), replaces=2, is_act=True)
        retried = await stores.sessions.begin_round(again, undo_rules.plan_retried)

        assert before == [("START_CHAT", 1), ("FOLLOWUP_CHAT", 2), ("BREAK_CHAT", 2)]
        assert await acts_of(stores) == [("START_CHAT", 1), ("FOLLOWUP_CHAT", retried.id), ("BREAK_CHAT", 2)]
        assert await stores.history.operations(10) == []


async def test_a_stop_is_noted_only_where_its_message_was(opened) -> None:
    async with opened() as stores:
        started = await begin(stores)
        await stores.sessions.end_round(started.id, "interrupted", "half", "", None, undo_rules.of_end(None))
        assert await acts_of(stores) == []


async def test_acts_go_with_the_session_that_they_are_about(opened) -> None:
    async with opened() as stores:
        await chat(stores)
        await recorded(stores, "EDIT_FILE", round=1, data={"previous": "a", "current": "b"})
        await recorded(stores, "LIKE", "t", round=1)
        await stores.sessions.delete("s", header("delete"))

        assert await acts_of(stores) == [("LIKE", None)]


async def acts_of(stores: Stores) -> list[tuple[str, int | None]]:
    page = await stores.records[ACTION].page(RecordQuery())
    return [(each.type.value, each.round_id) for each in sorted(page.records, key=lambda each: each.id)]


async def test_scopes_and_sessions_never_meet(opened) -> None:
    async with opened() as mine, opened("other") as others:
        await recorded(mine, "LIKE", round=1)
        await recorded(mine, "LIKE", "t", round=1)
        await recorded(others, "CANCEL_LIKE", round=1)

        assert await standing(mine) == await standing(mine, "t") == [ActionType.LIKE]


async def test_what_did_not_help_is_said_of_each_record_of_a_round_and_taken_back(opened) -> None:
    async with opened() as stores:
        one, other = naming(memory_ref(7)), naming(Ref(EPISODE, 7))
        first = await recorded(stores, "NOT_HELPFUL", round=1, data=one)
        await recorded(stores, "NOT_HELPFUL", round=1, data=other)
        await recorded(stores, "NOT_HELPFUL", round=2, data=one)
        assert (await recorded(stores, "NOT_HELPFUL", round=1, data=one)).is_known
        await recorded(stores, "DISLIKE", round=1)

        cancelled = await recorded(stores, "CANCEL_NOT_HELPFUL", round=1, data=one)

        assert [each.id for each in cancelled.withdrawn] == [first.action.id]
        assert await unhelpful(stores) == [(1, Ref(EPISODE, 7)), (2, memory_ref(7))]
        await stores.history.undo(None, later(), undo_rules.plan)
        assert await unhelpful(stores) == [(1, memory_ref(7)), (1, Ref(EPISODE, 7)), (2, memory_ref(7))]


async def unhelpful(stores: Stores) -> list[tuple[int | None, Ref | None]]:
    said = await stores.actions.standing("s", (ActionType.NOT_HELPFUL,))
    return [(each.round, each.record) for each in said]
