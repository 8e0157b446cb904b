"""Since when a memory stands as it does: words were typed, and what a person did to it by hand is a word, too."""

from __future__ import annotations

import json
from datetime import datetime

from orca_core.model.memories import MEMORIES, Fields, Memory, State
from orca_core.model.operations import Actor
from orca_core.model.records import Ref, parse_timestamp
from orca_core.operations.columns import fields_from_json
from orca_core.operations.said import began_at, said_at
from orca_core.store.ports import Rows, any_of, is_

_WORD_FIELDS = ("content", "type")
_DECIDED_FIELDS = frozenset({"state", "held_because"})


def stands_since(rows: Rows, memory: Memory) -> datetime:
    """When the latest was said or done that makes it stand as it does, and was not taken back."""
    words = said_at(rows, memory.origin, memory.created_at)
    return max([words, *done_at(rows, memory.id)])


def done_at(rows: Rows, memory_id: int) -> list[datetime]:
    """When a person made it live, reworded or confirmed it by hand, and when the words were typed by which a run
    confirmed it."""
    columns = ("operation", "before", "after")
    history = rows.select("memory_history", columns, is_("kind", MEMORIES.kind.name), is_("memory_id", memory_id))
    numbers = [row[0] for row in history if row[1] is not None and _is_a_word(fields_from_json(row[2]))]
    standing = (any_of("id", numbers), is_("undoes", None), is_("undone_by", None))
    done: list[datetime] = []
    for number, actor, at in rows.select("operations", ("id", "actor", "at"), *standing) if numbers else ():
        if actor == Actor.USER.value:
            done.append(parse_timestamp(at))
        elif actor == Actor.EXTRACTION.value:
            done += read_by(rows, number)
    return done


def _is_a_word(after: Fields) -> bool:
    return after.get("state") == State.LIVE.value or "seen" in after or any(field in after for field in _WORD_FIELDS)


def put_back_at(rows: Rows, ref: Ref, state: State) -> datetime | None:
    """When a person last undid what had become of a record that waits now, and did not redo it; None where nobody
    did."""
    if state is not State.CANDIDATE:
        return None
    which = (is_("kind", ref.kind.name), is_("memory_id", ref.id))
    history = rows.select("memory_history", ("operation", "after"), *which)
    numbers = [number for number, after in history if not _DECIDED_FIELDS.isdisjoint(fields_from_json(after))]
    by_hand = (is_("actor", Actor.USER.value), is_("action", "undo"), is_("undone_by", None))
    undone = rows.select("operations", ("at",), any_of("id", numbers), *by_hand) if numbers else ()
    return max((parse_timestamp(at) for (at,) in undone), default=None)


def read_by(rows: Rows, operation: int) -> list[datetime]:
    """When the latest of the rounds began that the run of this operation read."""
    runs = rows.select("extraction_runs", ("rounds",), is_("operation", operation))
    ids = [each for (read,) in runs for each in json.loads(read)]
    began = began_at(rows, ids)
    return [began] if began is not None else []
