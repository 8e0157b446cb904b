"""What a fact is settled beside, inside the transaction that ends its run: the memories, what hands did to them, and
which of them its rounds have told before."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

import apsw

from orca_core.domain.learning import Batch, Known
from orca_core.domain.memories import Actor, Change, Memory, NewMemory
from orca_core.storage.sqlite.engine.rows import to_json
from orca_core.storage.sqlite.memories import changes, history

_SAYS_JUST_THAT = "SELECT id FROM long_term_memories WHERE scope = ? AND content = ?"
_BY_HAND = " AND o.actor = ? AND o.undone_by IS NULL AND h.memory_id IN (SELECT value FROM json_each(?))"
_RESULTS = """
    SELECT x.result, o.undone_by IS NOT NULL FROM extraction_runs x LEFT JOIN operations o ON o.id = x.operation
    WHERE x.scope = :scope AND x.session_id = :session AND x.kind = 'extract' AND x.result IS NOT NULL
      AND EXISTS (SELECT 1 FROM json_each(x.rounds) e JOIN rounds r ON r.id = e.value
                  WHERE r.number IN (SELECT value FROM json_each(:numbers)))
"""


@dataclass(frozen=True, slots=True)
class Told:
    """The memories that a batch's rounds have borne or confirmed, and those of them whose run a person took back."""

    heard: frozenset[int]
    undone: frozenset[int]


def beside(connection: apsw.Connection, scope: str, new: NewMemory, nominated: Sequence[int], told: Told) -> Known:
    """The nominated memories, one that says just the same, those that the rounds have told, and what takes or would
    take a place of theirs."""
    just_that = [row[0] for row in connection.execute(_SAYS_JUST_THAT, (scope, new.content))]
    memories = changes.memories_there(
        connection, scope, list(dict.fromkeys([*nominated, *just_that, *sorted(told.heard)]))
    )
    linked = [each for memory in memories for each in (memory.superseded_by, memory.would_replace) if each is not None]
    there = {memory.id for memory in memories}
    memories += changes.memories_there(connection, scope, [each for each in dict.fromkeys(linked) if each not in there])
    return Known(tuple(memories), hand_changes(connection, scope, memories), told.heard, told.undone)


def hand_changes(connection: apsw.Connection, scope: str, memories: Sequence[Memory]) -> tuple[Change, ...]:
    """What a person did to the memories, and did not take back."""
    rows = connection.execute(
        history.CHANGES + _BY_HAND,
        (scope, Actor.USER.value, to_json([memory.id for memory in memories])),
    )
    return tuple(history.change_from_row(row) for row in rows)


def told_in(connection: apsw.Connection, scope: str, batch: Batch) -> Told:
    """What runs over the same rounds, or over earlier attempts at them, have stored or confirmed."""
    numbers = to_json([each.number for each in batch.rounds])
    heard: set[int] = set()
    undone: set[int] = set()
    for result, is_undone in connection.execute(
        _RESULTS, {"scope": scope, "session": batch.session_id, "numbers": numbers}
    ):
        named = json.loads(str(result))
        ids = {memory_id for name in ("stored", "confirmed", "candidates") for memory_id in named.get(name, ())}
        heard |= ids
        if is_undone:
            undone |= ids
    return Told(frozenset(heard), frozenset(undone))
