"""Pairs of memories of which a person is to decide: found beside a memory, listed, and judged anew as it changes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from orca_core.model.import_export import COMPARED_TO
from orca_core.model.memories import MEMORIES, Addition, Fields, Memory, NewMemory, Origin, PairReason, State
from orca_core.model.operations import Actor
from orca_core.model.record_types import Ref, parse_timestamp, timestamp
from orca_core.operations.columns import fields_from_json
from orca_core.operations.operations import OpenOperation
from orca_core.operations.records import living_end, memories_there
from orca_core.operations.rounds import began_at, said_at
from orca_core.rules.learning import similarity
from orca_core.rules.memory import same_statements
from orca_core.rules.retrieval.match_evidence import most_telling_words_of_record
from orca_core.store.ports import Coming, Condition, Rows, above, any_of, below, is_

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


NEAR = 12
"""So many of the memories nearest by their words are compared with one that a person brings. Chosen by hand."""
WAITING = 200
"""So many of the latest candidates are compared with one. Chosen by hand; it bounds the time."""
PAIRS = "undecided_pairs"
_COMING = 1 << 62
"""In the place of a number that a memory will get: it is the newest."""
_LISTED = frozenset({State.LIVE, State.CANDIDATE})


class PairFound(NamedTuple):
    """Two memories that are to be listed, as they were when they were compared."""

    memory: Memory
    other: Memory
    why: str


def find(
    rows: Rows,
    memory: Memory,
    partners: Sequence[int] = (),
) -> list[PairFound]:
    """The pairs with what is near and with its former partners, where they are of the same words."""
    if memory.state not in _LISTED:
        return []
    near = _near(rows, memory) if memory.state is State.LIVE else []
    found = []
    for other in memories_there(rows, list(dict.fromkeys([*partners, *near]))):
        if other.id == memory.id or other.state not in _LISTED:
            continue
        why = similarity.why_a_pair(memory, other)
        if why:
            found.append(PairFound(memory, other, why))
    return found


def _near(rows: Rows, memory: Memory, coming: Coming | None = None) -> Sequence[int]:
    return rows.words.live_near(
        MEMORIES, memory.content, memory.created_at, NEAR + 1, most_telling_words_of_record, coming
    )


def in_order(rows: Rows, memory: Memory, other: Memory) -> tuple[Memory, Memory]:
    """The newer and the older of two. Where both stand since the same moment, a listed pair keeps its order."""
    ours, theirs = stands_since(rows, memory), stands_since(rows, other)
    is_newer = ours > theirs or (ours == theirs and listed_as(rows, other.id, memory.id) is None)
    return (memory, other) if is_newer else (other, memory)


def listed_as(rows: Rows, newer: int, older: int) -> tuple[int, bool] | None:
    """Which is the newer, and whether a person has decided."""
    found = rows.select(PAIRS, ("newer", "settled"), is_("newer", newer), is_("older", older))
    return (found[0][0], bool(found[0][1])) if found else None


def make_ready() -> None:
    """Have the rules read their words, which takes most of a second once: no transaction is to hold the lock for it."""
    at = datetime.fromtimestamp(0, UTC)
    older, newer = (NewMemory(f"I use Postgres {each} 工作用 vim {each}").born("", at, None) for each in (14, 15))
    similarity.why_a_pair(newer, older)


MOST_AT_ONCE = 50
"""Where an operation brings back more memories than this, only the first are compared: it bounds the transaction."""


def list_pair(rows: Rows, said: Memory, origin: Origin, other: Memory, why: str, at: datetime) -> None:
    """List a memory that was just said, in the words of `origin`, with another. Where the pair is listed, the words
    decide anew which is the newer; what a person has decided stays decided."""
    is_newer = said_at(rows, origin, at) >= stands_since(rows, other)
    newer, older = (said, other) if is_newer else (other, said)
    _list(rows, newer.id, older.id, why, at)


def judge_pairs(
    rows: Rows,
    changed: Iterable[tuple[Memory | None, Memory]],
    at: datetime,
    compared: int = 0,
) -> int:
    """Judge the pairs of memories that a person has made or changed, or that were changed back: each with what it was,
    None for a new one. Other words drop its open pairs; what has come alive, or says something else, is listed with
    what is of the same words; and which is the newer is decided anew. Returns how many of the operation were
    compared, `compared` of them before."""
    for before, memory in changed:
        if before is not None and _word_of(before) == _word_of(memory):
            continue
        partners: Sequence[int] = ()
        if _is_reworded(before, memory):
            partners = _open_partners(rows, memory.id)
            _drop_open(rows, memory.id)
        if _is_reworded(before, memory) or (_comes_alive(before, memory) and compared < MOST_AT_ONCE):
            compared += 1
            list_found(rows, find(rows, memory, partners), at)
        if _comes_alive(before, memory) and before is not None:
            _list_with_rivals(rows, before, memory, at)
        _turn(rows, memory, at)
    return compared


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


def list_found(rows: Rows, found: Sequence[PairFound], at: datetime) -> None:
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
            _list(rows, newer.id, older.id, PairReason.OTHER_VALUE.value, at)


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


def as_stored(rows: Rows, operation: OpenOperation, new: NewMemory) -> NewMemory:
    """A statement in the spelling in which a memory, live or waiting, says it already, whatever the type of that."""
    if operation.known(new) is not None:
        return new
    born = replace(operation.born(new), id=_COMING)
    near = _near(rows, born, Coming(_COMING, operation.index_columns(MEMORIES, born, born.content)))
    waiting = (is_("state", State.CANDIDATE.value),)
    latest = rows.select(MEMORIES.table, MEMORIES.names, *waiting, order=("-id",), limit=WAITING)
    stored = [*memories_there(rows, near), *map(MEMORIES.from_row, latest)]
    same = (each.content for each in stored if same_statements.is_spelled_anew(each.content, new.content))
    return next((replace(new, content=content) for content in same), new)


def add_beside(rows: Rows, operation: OpenOperation, new: NewMemory) -> Addition:
    """Add it and list its pairs."""
    addition = operation.add(as_stored(rows, operation, new))
    judge_pairs(rows, operation.memories, operation.at)
    return addition


_BEHIND = COMPARED_TO[:-1] + chr(ord(COMPARED_TO[-1]) + 1)


def waiting_to_be_compared(rows: Rows) -> int:
    """How many memories, of all imports."""
    return sum(rows.count("memory_history", *_after(each.operation, each.last)) for each in _imports(rows))


class ImportCompared(Struct, frozen=True):
    """One of this scope whose memories were not all compared, and up to which they were."""

    operation: int
    last: int


class Looked(Struct, frozen=True):
    """What the next memories of an import come to beside the others; no numbers where all of it is compared."""

    by: ImportCompared
    numbers: Sequence[int]
    found: Sequence[PairFound]


def look(rows: Rows, most: int, is_over: Callable[[], bool]) -> Looked | None:
    """Compare the next ones, in a reading: at least one, so many at most, until it `is_over`. None where none waits."""
    for each in _imports(rows):
        waiting = rows.select(
            "memory_history", ("memory_id",), *_after(each.operation, each.last), order=("memory_id",), limit=most
        )
        there = {memory.id: memory for memory in memories_there(rows, [row[0] for row in waiting])}
        numbers: list[int] = []
        found: list[PairFound] = []
        for (number,) in waiting:
            memory = there.get(number)
            if memory is not None and memory.state is State.LIVE:
                found += find(rows, memory)
            numbers.append(number)
            if is_over():
                break
        return Looked(each, numbers, found)
    return None


def note(rows: Rows, looked: Looked, at: datetime) -> None:
    """List what was found, unless it has changed since; pairs that came with an import stay as they are. Where another
    Orca compares the same, the farther one counts."""
    list_found(rows, looked.found, at)
    by = next((each for each in _imports(rows) if each.operation == looked.by.operation), None)
    key = is_("key", f"{COMPARED_TO}{looked.by.operation}")
    if not looked.numbers:
        rows.delete("meta", key)
    elif by is not None and by.last < looked.numbers[-1]:
        rows.update("meta", {"value": str(looked.numbers[-1])}, key)


def _imports(rows: Rows) -> Sequence[ImportCompared]:
    found = rows.select("meta", ("key", "value"), above("key", COMPARED_TO), below("key", _BEHIND), order=("key",))
    imports = [ImportCompared(int(key.removeprefix(COMPARED_TO)), int(value.split()[0])) for key, value in found]
    return [each for each in imports if rows.count("operations", is_("id", each.operation))]


def _after(operation: int, last: int) -> tuple[Condition, ...]:
    return *_brought(operation), above("memory_id", last)


def _brought(operation: int) -> tuple[Condition, ...]:
    return is_("operation", operation), is_("kind", MEMORIES.kind.name)
