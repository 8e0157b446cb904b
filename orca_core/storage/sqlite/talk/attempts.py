"""Another attempt at a round, inside the transaction that begins it: what the replaced attempt did is taken back, and
what both ask to remember is remembered once."""

from __future__ import annotations

from dataclasses import replace

import apsw

from orca_core.domain.dialogues import RoundStart
from orca_core.domain.memories import Actor, Added, Addition, Memory, NewMemory, OperationHeader, State
from orca_core.domain.recall import WeightMove
from orca_core.domain.refs import memory_ref
from orca_core.domain.stores import Again, PlanRetry, PlanUndo
from orca_core.rules.keeping import undo
from orca_core.storage.sqlite.memories import changes, history

TakenBack = tuple[tuple[WeightMove, Memory], ...]

_FORGET_ROUND = (
    "DELETE FROM short_term_memories WHERE round_id = ?",
    "DELETE FROM dialogue_buffer WHERE round_id = ?",
    "DELETE FROM memory_usage_log WHERE round_id = ?",
)
_OPERATION = "SELECT id FROM operations WHERE round_id = ? AND action = ? AND undone_by IS NULL AND undoes IS NULL"
_WEIGHED_BY_HAND = """
    SELECT DISTINCT h.memory_id FROM memory_history h JOIN operations o ON o.id = h.operation
    WHERE o.scope = :scope AND o.id > :of AND o.actor = 'user' AND o.undone_by IS NULL
      AND json_extract(h.after, '$.weight') IS NOT NULL
      AND h.memory_id IN (SELECT memory_id FROM memory_history WHERE operation = :of)
"""
# Before operations of this kind knew their attempt they knew their round.
_REMEMBERED = """
    SELECT id FROM operations
    WHERE action = 'remember' AND undone_by IS NULL AND undoes IS NULL AND scope = :scope
      AND (round_id = :old OR round_id IS NULL AND session_id = :session AND round = :number)
    ORDER BY id DESC LIMIT 1
"""


def replace_attempt(
    connection: apsw.Connection, scope: str, old: int, new: int, start: RoundStart, plan_retry: PlanRetry
) -> TakenBack:
    """What the replaced attempt did to weights, short-term memory and buffer."""
    connection.execute(
        "UPDATE rounds SET replaced_by = ?, owner = NULL,"
        " state = CASE state WHEN 'streaming' THEN 'interrupted' ELSE state END WHERE id = ?",
        (new, old),
    )
    for statement in _FORGET_ROUND:
        connection.execute(statement, (old,))
    row = connection.execute(_OPERATION, (old, "weights")).fetchone()
    if row is None:
        return ()
    by_hand = [memory_id for (memory_id,) in connection.execute(_WEIGHED_BY_HAND, {"scope": scope, "of": row[0]})]
    return _take_back(connection, scope, row[0], start, lambda made, current: plan_retry(made, current, by_hand))


def forget_attempt(
    connection: apsw.Connection, scope: str, old: int, new: int, start: RoundStart
) -> tuple[Addition | None, TakenBack]:
    """What the replaced attempt asked to remember: kept where the new one asks for the same, else taken back."""
    row = connection.execute(
        _REMEMBERED, {"scope": scope, "old": old, "session": start.session_id, "number": start.replaces}
    ).fetchone()
    if row is None:
        return None, ()
    operation = row[0]
    if start.remember is not None and (memory := _what_stands(connection, scope, operation, start.remember.content)):
        connection.execute("UPDATE operations SET round_id = ? WHERE id = ?", (new, operation))
        return Addition(_outcome(connection, operation), memory, operation), ()
    return None, _take_back(connection, scope, operation, start, undo.plan_unsaid)


def _what_stands(connection: apsw.Connection, scope: str, operation: int, content: str) -> Memory | None:
    """The live memory of what the operation was asked to remember, in these words, whatever a hand made of it since."""
    asked = {
        change.memory_id: change.after.get("content") for change in history.changes_of(connection, scope, operation)
    }
    memories = history.memories_of(connection, scope, operation)
    return next(
        (each for each in memories if each.state is State.LIVE and content in (each.content, asked.get(each.id))), None
    )


def remember(
    connection: apsw.Connection, scope: str, start: RoundStart, round_id: int, number: int, again: Again
) -> Addition | None:
    """What the question asks to remember, as an operation of its own."""
    if start.remember is None:
        return None
    new: NewMemory = replace(
        start.remember, origin=replace(start.remember.origin, session_id=start.session_id, rounds=(number,))
    )
    header = OperationHeader(Actor.USER, "remember", start.at, start.session_id, number)
    return changes.OpenOperation(connection, scope, header, round_id=round_id).add(new, again)


def _take_back(connection: apsw.Connection, scope: str, operation: int, start: RoundStart, plan: PlanUndo) -> TakenBack:
    header = OperationHeader(Actor.TURN, "take back", start.at, start.session_id, start.replaces)
    before = {memory.id: memory for memory in history.memories_of(connection, scope, operation)}
    undone = history.take_back(connection, scope, operation, header, plan)
    return tuple(
        (WeightMove(memory_ref(memory.id), before[memory.id].weight, memory.weight), memory)
        for memory in undone.memories
    )


def _outcome(connection: apsw.Connection, operation: int) -> Added:
    """What the operation came to when it was carried out."""
    [was_made] = connection.execute(
        "SELECT before IS NULL FROM memory_history WHERE operation = ?", (operation,)
    ).fetchone() or (0,)
    return Added.CREATED if was_made else Added.CONFIRMED
