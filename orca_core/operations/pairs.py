"""Lists pairs of memories for a person: the newer of a pair is the one that stands on the later words, and what a
person did to a memory by hand is a word, too."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from orca_core.model.memories import MEMORIES, Memory, Origin, State, Why
from orca_core.model.operations import Actor
from orca_core.model.records import timestamp
from orca_core.operations.beside import PAIRS, Found, find, in_order, listed_as
from orca_core.operations.columns import fields_from_json
from orca_core.operations.records import living_end, memories_there
from orca_core.operations.said import said_at
from orca_core.operations.since import stands_since
from orca_core.store.ports import Rows, is_

MOST_AT_ONCE = 50
"""Where an operation brings back more memories than this, only the first are compared: it bounds the transaction."""


def list_pair(rows: Rows, said: Memory, origin: Origin, other: Memory, why: str, at: datetime) -> None:
    """List a memory that was just said, in the words of `origin`, with another. Where the pair is listed, the words
    decide anew which is the newer; what a person has decided stays decided."""
    is_newer = said_at(rows, origin, at) >= stands_since(rows, other)
    newer, older = (said, other) if is_newer else (other, said)
    _list(rows, newer.id, older.id, why, at)


Ahead = Mapping[tuple[object, ...], Sequence[Found]]
"""What was found before a transaction, by the memory as it was compared."""


def judge_pairs(
    rows: Rows,
    changed: Iterable[tuple[Memory | None, Memory]],
    at: datetime,
    compared: int = 0,
    ahead: Ahead | None = None,
) -> int:
    """Judge the pairs of memories that a person has made or changed, or that were changed back: each with what it was,
    None for a new one. Other words drop its open pairs; what has come alive, or says something else, is listed with
    what is of the same words; and which is the newer is decided anew. Returns how many of the operation were
    compared, `compared` of them before. What was found `ahead` of the transaction is not sought in it."""
    for before, memory in changed:
        if before is not None and _word_of(before) == _word_of(memory):
            continue
        partners: Sequence[int] = ()
        if _is_reworded(before, memory):
            partners = _open_partners(rows, memory.id)
            _drop_open(rows, memory.id)
        if is_to_be_compared(before, memory, compared):
            compared += 1
            found = (ahead or {}).get(_compared_as(memory))
            if found is None:
                found = find(rows, memory, partners)
            list_found(rows, found, at)
        if _comes_alive(before, memory) and before is not None:
            _list_with_rivals(rows, before, memory, at)
        _turn(rows, memory, at)
    return compared


def find_ahead(rows: Rows, before: Memory | None, memory: Memory) -> Ahead:
    """What one comes to beside the others, for the transaction that judges it: comparing takes longer than all that is
    written."""
    partners = _open_partners(rows, memory.id) if _is_reworded(before, memory) else ()
    return {_compared_as(memory): find(rows, memory, partners)}


def found_as(memory: Memory, found: Sequence[Found]) -> Ahead:
    """What was found for a memory before it was made."""
    return {_compared_as(memory): [each._replace(memory=memory) for each in found]}


def is_to_be_compared(before: Memory | None, memory: Memory, compared: int) -> bool:
    """Whether it is to be compared with others, after so many of its operation."""
    if before is not None and _word_of(before) == _word_of(memory):
        return False
    return _is_reworded(before, memory) or (_comes_alive(before, memory) and compared < MOST_AT_ONCE)


def _is_reworded(before: Memory | None, memory: Memory) -> bool:
    return before is not None and (before.content, before.type) != (memory.content, memory.type)


def _comes_alive(before: Memory | None, memory: Memory) -> bool:
    was_there = before is not None and before.state is State.LIVE and not _is_reworded(before, memory)
    return memory.state is State.LIVE and not was_there


def _word_of(memory: Memory) -> tuple[object, ...]:
    """What a pair depends on."""
    return memory.content, memory.type, memory.state, memory.seen


def _said_by(memory: Memory) -> tuple[object, ...]:
    """What two are compared by. Which of them is the newer, for it was said again, is decided where they are listed."""
    return memory.content, memory.type, memory.state


def _compared_as(memory: Memory) -> tuple[object, ...]:
    return memory.id, *_word_of(memory)


def list_found(rows: Rows, found: Sequence[Found], at: datetime) -> None:
    """List those pairs of which both memories still say what they said."""
    now = {each.id: each for each in memories_there(rows, [each.id for pair in found for each in pair[:2]])}
    for each in found:
        memory, other = now.get(each.memory.id), now.get(each.other.id)
        if memory and other and _said_by(memory) == _said_by(each.memory) and _said_by(other) == _said_by(each.other):
            newer, older = in_order(rows, memory, other)
            _list(rows, newer.id, older.id, each.why, at)


def _list_with_rivals(rows: Rows, before: Memory, memory: Memory, at: datetime) -> None:
    """List what has come alive with what stands in the place that it had, or was to take: whatever their words, these
    are two values of one thing."""
    rivals = []
    if before.would_replace is not None:
        rivals.append(living_end(rows, before.would_replace))
    if before.superseded_by is not None and _was_replaced_by_a_run(rows, memory.id):
        rivals.append(living_end(rows, before.superseded_by))
    for other in memories_there(rows, rivals):
        if other.state is State.LIVE and other.id not in (memory.id, before.would_replace):
            newer, older = in_order(rows, memory, other)
            _list(rows, newer.id, older.id, Why.OTHER_VALUE.value, at)


def _was_replaced_by_a_run(rows: Rows, memory_id: int) -> bool:
    """Whether a run archived it last, and no person, who may have merged two that say the same."""
    history = rows.select(
        "memory_history", ("operation", "after"), is_("kind", MEMORIES.kind.name), is_("memory_id", memory_id)
    )
    by = max((row[0] for row in history if fields_from_json(row[1]).get("superseded_by") is not None), default=0)
    return rows.count("operations", is_("id", by), is_("actor", Actor.EXTRACTION.value)) > 0


def _turn(rows: Rows, memory: Memory, at: datetime) -> None:
    """Decide anew which is the newer in each of its open pairs."""
    for other in memories_there(rows, _open_partners(rows, memory.id)):
        newer, older = in_order(rows, memory, other)
        _list(rows, newer.id, older.id, "", at)


def _list(rows: Rows, newer: int, older: int, why: str, at: datetime) -> None:
    """List a pair, or turn the one that is listed, which keeps its reason."""
    listed = listed_as(rows, older, newer) or listed_as(rows, newer, older)
    if listed is None:
        rows.insert(PAIRS, {"newer": newer, "older": older, "why": why, "at": timestamp(at)})
        return
    first, is_settled = listed
    if not is_settled and first != newer:
        turned = {"newer": newer, "older": older, "at": timestamp(at)}
        rows.update(PAIRS, turned, is_("newer", older), is_("older", newer))


def _open_partners(rows: Rows, memory_id: int) -> list[int]:
    older = rows.select(PAIRS, ("older",), is_("newer", memory_id), is_("settled", 0))
    newer = rows.select(PAIRS, ("newer",), is_("older", memory_id), is_("settled", 0))
    return [row[0] for row in (*older, *newer)]


def _drop_open(rows: Rows, memory_id: int) -> None:
    for column in ("newer", "older"):
        rows.delete(PAIRS, is_(column, memory_id), is_("settled", 0))
