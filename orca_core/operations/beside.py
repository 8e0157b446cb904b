"""What a memory comes to beside the others, read and not written: pairs of which a person is to decide."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from msgspec.structs import replace

from orca_core.model.memories import MEMORIES, Memory, NewMemory, State
from orca_core.operations.records import memories_there
from orca_core.operations.since import stands_since
from orca_core.rules.learning import similarity
from orca_core.rules.memory import same_statements
from orca_core.rules.retrieval.evidence import telling_of_a_record
from orca_core.store.ports import Coming, Rows, is_

NEAR = 12
"""So many of the memories nearest by their words are compared with one that a person brings. Chosen by hand."""
WAITING = 200
"""So many of the latest candidates are compared with one. Chosen by hand; it bounds the time."""
PAIRS = "undecided_pairs"
_COMING = 1 << 62
"""In the place of a number that a memory will get: it is the newest."""
_LISTED = frozenset({State.LIVE, State.CANDIDATE})


class Found(NamedTuple):
    """Two memories that are to be listed, as they were when they were compared."""

    memory: Memory
    other: Memory
    why: str


def _not_yet(_other: int) -> bool:
    return False


def find(
    rows: Rows,
    memory: Memory,
    partners: Sequence[int] = (),
    is_compared: Callable[[int], bool] = _not_yet,
    coming: Coming | None = None,
) -> list[Found]:
    """The pairs with what is near and with its former partners, where they are of the same words; none with a memory
    that it `is_compared` with already."""
    if memory.state not in _LISTED:
        return []
    near = _near(rows, memory, coming) if memory.state is State.LIVE else []
    found = []
    for other in memories_there(rows, list(dict.fromkeys([*partners, *near]))):
        if other.id == memory.id or other.state not in _LISTED:
            continue
        why = similarity.why_a_pair(memory, other)
        if why and not is_compared(other.id):
            found.append(Found(memory, other, why))
    return found


def in_other_spelling(rows: Rows, born: Memory, kept: Mapping[str, Any]) -> str | None:
    """The content of a memory, live or waiting and of whatever type, that says what one says that is to be made; None
    where there is none. `kept` are the columns of its index."""
    near = _near(rows, replace(born, id=_COMING), Coming(_COMING, kept))
    waiting = rows.select(
        MEMORIES.table, MEMORIES.names, is_("state", State.CANDIDATE.value), order=("-id",), limit=WAITING
    )
    stored = [*memories_there(rows, near), *map(MEMORIES.from_row, waiting)]
    return next((each.content for each in stored if same_statements.is_spelled_anew(each.content, born.content)), None)


def find_for_coming(rows: Rows, born: Memory, kept: Mapping[str, Any]) -> list[Found]:
    """The same of a memory that is to be made, as `find` will tell once it is there; `kept` are the columns of its
    index."""
    return find(rows, replace(born, id=_COMING), coming=Coming(_COMING, kept))


def _near(rows: Rows, memory: Memory, coming: Coming | None = None) -> Sequence[int]:
    return rows.words.live_near(MEMORIES, memory.content, memory.created_at, NEAR + 1, telling_of_a_record, coming)


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
