"""Acts of a person and of programs: recorded, taken back, and when each was said."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from uuid import uuid4

from msgspec.structs import replace

from orca_core.model.errors import InvalidInput
from orca_core.model.feedback import ACTIONS, Action, ActionState, ActionType, ReadingState
from orca_core.model.record_types import ACTION, Ref, parse_timestamp
from orca_core.operations import supports
from orca_core.operations.operations import OpenOperation
from orca_core.operations.records import records_there
from orca_core.rules.feedback.signals import outlived_acts, speaks_at
from orca_core.store.ports import Rows, any_of, is_, is_not


def spoke_at(rows: Rows, acts: Collection[Action], now: datetime) -> Mapping[int, datetime]:
    """When each of the acts began to speak."""
    received = _received(rows, [each.id for each in acts])
    began = {each.id: _round_began(rows, each) for each in acts}
    return {each.id: speaks_at(each.at, received.get(each.id, now), began[each.id]) for each in acts}


def _received(rows: Rows, numbers: Sequence[int]) -> Mapping[int, datetime]:
    """When each of the acts was recorded."""
    of_acts, made = is_("kind", ACTIONS.kind.name), is_("before", None)
    noted = rows.select("memory_history", ("memory_id", "operation"), of_acts, made, any_of("memory_id", numbers))
    operations = any_of("id", sorted({operation for _, operation in noted}))
    times = dict[int, str]((number, at) for number, at in rows.select("operations", ("id", "at"), operations))
    return {number: parse_timestamp(times[operation]) for number, operation in noted}


def _round_began(rows: Rows, act: Action) -> datetime | None:
    """When the round began that it is about; None where that is no round that is there."""
    if act.round is None:
        return None
    where = [is_("session_id", act.session_id), is_("number", act.round)]
    where.append(is_("replaced_by", None) if act.round_id is None else is_("id", act.round_id))
    found = rows.select("rounds", ("started_at",), *where, limit=1)
    return parse_timestamp(found[0][0]) if found else None


MESSAGES = (ActionType.START_CHAT, ActionType.FOLLOWUP_CHAT)


def standing_in(rows: Rows, session_id: str, types: Sequence[ActionType] = ()) -> list[Action]:
    """The acts of a session that stand, oldest first; of these types alone, where some are named."""
    where = [is_("session_id", session_id), is_("state", ActionState.STANDING.value)]
    if types:
        where.append(any_of("type", [each.value for each in types]))
    return [ACTIONS.from_row(row) for row in rows.select(ACTIONS.table, ACTIONS.names, *where, order=("id",))]


def note_message(rows: Rows, session_id: str, number: int, round_id: int, at: datetime) -> None:
    """The act of sending a message, noted with its round: it teaches nothing by itself, for the round is read with its
    session, and goes with it, so that there is nothing to undo."""
    _note(rows, ActionType.START_CHAT if number == 1 else ActionType.FOLLOWUP_CHAT, session_id, number, round_id, at)


def another_attempt(rows: Rows, old: int, new: int) -> None:
    """Another attempt is the same message."""
    sent = any_of("type", [each.value for each in MESSAGES])
    rows.update(ACTIONS.table, {"round_id": new}, is_("round_id", old), sent)


def note_stop(rows: Rows, session_id: str, number: int, round_id: int, began: str) -> None:
    """That an answer was stopped, where the message itself was noted."""
    sent = any_of("type", [each.value for each in MESSAGES])
    if rows.count(ACTIONS.table, is_("round_id", round_id), sent):
        _note(rows, ActionType.BREAK_CHAT, session_id, number, round_id, parse_timestamp(began))


def _note(rows: Rows, type_: ActionType, session_id: str, number: int, round_id: int, at: datetime) -> None:
    action = Action(0, uuid4().hex, type_, session_id, at, round=number, round_id=round_id)
    row = ACTIONS.to_row(action)
    del row["id"]
    rows.insert(ACTIONS.table, row)


def withdraw(operation: OpenOperation, acts: Sequence[Action]) -> list[Action]:
    """The acts, which stand no more."""
    gone = {"state": ActionState.WITHDRAWN.value}
    return [operation.change(ACTIONS.ref(each), gone, each) for each in acts]


def agree(rows: Rows, operation: OpenOperation, touched: Sequence[Ref]) -> list[Ref]:
    """After acts were taken back or done again: none stands on an attempt that was replaced, nor beside a newer one
    that says the same or the opposite. Returns those withdrawn for that."""
    back = records_there(rows, ACTIONS, [ref.id for ref in touched if ref.kind == ACTION])
    withdrawn: list[Action] = []
    for session_id in dict.fromkeys(each.session_id for each in back if each.stands):
        standing = standing_in(rows, session_id)
        gone = [each for each in standing if each.read is not ReadingState.NEVER and _is_of_the_past(rows, each)]
        left = [each for each in standing if each not in gone]
        withdrawn += withdraw(operation, [*gone, *outlived_acts(left)])
    return [ACTIONS.ref(each) for each in withdrawn]


def _is_of_the_past(rows: Rows, action: Action) -> bool:
    """Whether it is about an attempt that was replaced; one that names none came before its round, and meant the
    first."""
    if action.round is None and action.round_id is None:
        return False
    attempt = (
        (is_("session_id", action.session_id), is_("number", action.round))
        if action.round_id is None
        else (is_("id", action.round_id),)
    )
    return bool(rows.count("rounds", *attempt, is_not("replaced_by", None)))


def with_attempt(rows: Rows, action: Action) -> Action:
    """The act with the attempt that it means: where only a round's number was said, the one that stands now. Raises
    InvalidInput where it names one that does not."""
    if action.round_id is not None:
        return replace(action, round=_round_of(rows, action))
    if action.round is None:
        return action
    where = (is_("session_id", action.session_id), is_("number", action.round), is_("replaced_by", None))
    found = rows.select("rounds", ("id",), *where, limit=1)
    return replace(action, round_id=found[0][0]) if found else action


def _round_of(rows: Rows, action: Action) -> int:
    where = (is_("id", action.round_id), is_("session_id", action.session_id))
    found = rows.select("rounds", ("number", "replaced_by"), *where, limit=1)
    if not found or action.round not in (None, found[0][0]):
        raise InvalidInput(
            template="session {session} has no answer {answer} in the round that {action} names",
            hint="name the round alone to mean the answer that stands",
            session=action.session_id,
            answer=action.round_id,
            action=action.type.value,
        )
    number, replaced_by = found[0]
    if replaced_by is not None:
        raise InvalidInput(
            template="another answer has taken the place of answer {answer} in round {round}",
            hint="name the round alone to mean the answer that stands",
            answer=action.round_id,
            round=number,
        )
    return int(number)


def replaced_attempts(rows: Rows, session_id: str) -> set[int]:
    where = (is_("session_id", session_id), is_not("replaced_by", None))
    return {number for (number,) in rows.select("rounds", ("id",), *where)}


def withdraw_of_round(rows: Rows, operation: OpenOperation, round_id: int) -> None:
    """Withdraw the acts on one attempt at a round; those that name no attempt meant the one that there was. What
    teaches nothing stays as it was noted."""
    [[session_id, number]] = rows.select("rounds", ("session_id", "number"), is_("id", round_id))
    on_the_round = (is_("session_id", session_id), is_("round", number), is_("state", ActionState.STANDING.value))
    found = [ACTIONS.from_row(row) for row in rows.select(ACTIONS.table, ACTIONS.names, *on_the_round, order=("id",))]
    gone = [each for each in found if each.round_id in (None, round_id) and each.read is not ReadingState.NEVER]
    if gone:
        withdraw(operation, gone)
        supports.reconsider(rows, operation, supports.memories_of_acts(rows, [each.id for each in gone]))
