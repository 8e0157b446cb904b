"""Reads what a fact is settled against, inside the transaction that ends its run: known memories, what persons did
to them, and which of them its rounds have produced before."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from msgspec import Struct

from orca_core.model.learning import Batch, KnownMemories, Proposal, RunKind
from orca_core.model.memories import MEMORIES, ArchivedBecause, Memory, Origin, State
from orca_core.model.operations import Actor, Change
from orca_core.model.record_types import parse_timestamp
from orca_core.operations.columns import fields_from_json
from orca_core.operations.history import changes_where
from orca_core.operations.memory_pairs import done_at, put_back_at, read_by, stands_since
from orca_core.operations.records import RecordTypes, memories_there
from orca_core.operations.rounds import typed_at
from orca_core.store.ports import Rows, any_of, is_, is_not

_NAMED_IN_A_RESULT = ("stored", "confirmed", "candidates", "retracted")


class FromSameRounds(Struct, frozen=True):
    """The memories that the rounds of a batch have made, confirmed or retracted, and those of them whose run a person
    undid."""

    heard: frozenset[int]
    undone: frozenset[int]


def beside(
    rows: Rows, types: RecordTypes, proposal: Proposal, own: Sequence[int], earlier: FromSameRounds
) -> KnownMemories:
    """The memories to compare with a fact: those that the verifier named, the nominated ones, one with the same text,
    what waits or was rejected on the same quote, those that its run (`own`) and its rounds have produced, and those
    that supersede one of these, link by link, or are proposed to."""
    named = [each for each in (proposal.same, proposal.replaces) if each is not None]
    new, nominated = proposal.new, [*named, *proposal.nominated, *own]
    just_that = [row[0] for row in rows.select(MEMORIES.table, ("id",), is_("content", new.content))]
    same_words = _undecided_on(rows, new.origin.quote) if new.origin.quote else []
    ids = dict.fromkeys([*nominated, *just_that, *same_words, *sorted(earlier.heard)])
    memories = memories_there(rows, list(ids))
    linked = [each for memory in memories for each in (memory.superseded_by, memory.would_replace) if each is not None]
    looked_for = {memory.id for memory in memories}
    while missing := [each for each in dict.fromkeys(linked) if each not in looked_for]:
        looked_for.update(missing)
        found = memories_there(rows, missing)
        memories += found
        linked = [memory.superseded_by for memory in found if memory.superseded_by is not None]
    by_hand = hand_changes(rows, types, memories)
    since = _since(rows, new.origin, memories)
    undone = earlier.undone | _put_back_since(rows, new.origin, memories)
    return KnownMemories(tuple(memories), by_hand, earlier.heard, undone, since)


def _put_back_since(rows: Rows, origin: Origin, memories: Sequence[Memory]) -> frozenset[int]:
    """Those that wait because a person took back what had become of them, after the words of `origin` were typed."""
    said_at = typed_at(rows, origin)
    if said_at is None:
        return frozenset()
    put_back = {memory.id: put_back_at(rows, MEMORIES.ref(memory), memory.state) for memory in memories}
    return frozenset(memory_id for memory_id, at in put_back.items() if at is not None and at > said_at)


def _since(rows: Rows, origin: Origin, memories: Sequence[Memory]) -> frozenset[int]:
    """Those that stand as they do by what was said or done after the words of `origin`. Which of two words of one
    session came later their rounds tell."""
    said_at = typed_at(rows, origin)
    if said_at is None:
        return frozenset()
    later = set()
    for memory in memories:
        same_session = memory.origin.session_id == origin.session_id
        stands = done_at(rows, memory.id) if same_session else [stands_since(rows, memory)]
        if max([*stands, *_put_away_at(rows, memory)], default=said_at) > said_at:
            later.add(memory.id)
    return frozenset(later)


def _put_away_at(rows: Rows, memory: Memory) -> list[datetime]:
    """When the words were typed that retracted it, or a person took it back, where it still is away for that."""
    if memory.archived_because not in (ArchivedBecause.RETRACTED, ArchivedBecause.UNDONE):
        return []
    history = rows.select(
        "memory_history", ("operation", "after"), is_("kind", MEMORIES.kind.name), is_("memory_id", memory.id)
    )
    ends = [row[0] for row in history if "archived_because" in fields_from_json(row[1])]
    if not ends:
        return []
    if memory.archived_because is ArchivedBecause.RETRACTED:
        return read_by(rows, max(ends))
    return [parse_timestamp(row[0]) for row in rows.select("operations", ("at",), is_("id", max(ends)))]


def _undecided_on(rows: Rows, quote: str) -> list[int]:
    states = any_of("state", [State.CANDIDATE.value, State.REJECTED.value])
    return [row[0] for row in rows.select(MEMORIES.table, ("id",), is_("origin_quote", quote), states, order=("id",))]


def hand_changes(rows: Rows, types: RecordTypes, memories: Sequence[Memory]) -> tuple[Change, ...]:
    """What persons did to the memories and did not undo."""
    these = (is_("kind", MEMORIES.kind.name), any_of("memory_id", sorted({memory.id for memory in memories})))
    touching = any_of("id", sorted({row[0] for row in rows.select("memory_history", ("operation",), *these)}))
    by_hand = rows.select("operations", ("id",), touching, is_("actor", Actor.USER.value), is_("undone_by", None))
    return tuple(changes_where(rows, types, any_of("operation", sorted(row[0] for row in by_hand)), *these))


def from_same_rounds(rows: Rows, batch: Batch) -> FromSameRounds:
    """What runs over the same rounds, or over earlier attempts at them, stored, confirmed or retracted."""
    numbers = any_of("number", [each.number for each in batch.rounds])
    same = {row[0] for row in rows.select("rounds", ("id",), is_("session_id", batch.session_id), numbers)}
    found = rows.select(
        "extraction_runs",
        ("rounds", "result", "operation"),
        is_("session_id", batch.session_id),
        is_("kind", RunKind.EXTRACT.value),
        is_not("result", None),
    )
    runs = [(json.loads(result), operation) for read, result, operation in found if same.intersection(json.loads(read))]
    operations = any_of("id", [operation for _, operation in runs if operation is not None])
    undone = {row[0] for row in rows.select("operations", ("id",), operations, is_not("undone_by", None))}
    return FromSameRounds(
        heard=frozenset().union(*(_named_in(result) for result, _ in runs)),
        undone=frozenset().union(*(_named_in(result) for result, operation in runs if operation in undone)),
    )


def _named_in(result: Mapping[str, Any]) -> frozenset[int]:
    return frozenset(each for name in _NAMED_IN_A_RESULT for each in result.get(name, ()))
