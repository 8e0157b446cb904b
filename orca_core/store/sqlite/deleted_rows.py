"""Rows that wait to be wiped stand in a scope of their own, to which no handle is bound.

Moving a chat or a memory there is a short transaction, after which nobody sees it. `wiping` deletes the rest
piece by piece, also in the next process where this one dies.
"""

from __future__ import annotations

from collections.abc import Iterable

import apsw

from orca_core.model.record_types import MEMORY, SUMMARY, Ref
from orca_core.operations.deletion import PENDING, PREFIX

_BEHIND = "\x1fdeleted0"  # the first text after all that begin with the prefix
IS_GONE = f"scope >= '{PREFIX}' AND scope < '{_BEHIND}'"
_ANYTHING = (
    f"(EXISTS (SELECT 1 FROM long_term_memories WHERE {IS_GONE}) OR EXISTS (SELECT 1 FROM sessions WHERE {IS_GONE}))"
)
_MEMORY_IS_THERE = f"SELECT 1 FROM long_term_memories WHERE id = ? AND NOT ({IS_GONE})"
_ROUND_IS_THERE = (
    f"SELECT 1 FROM short_term_sources s JOIN rounds r ON r.id = s.round_id WHERE s.id = ? AND NOT ({IS_GONE})"
)

_IS_THERE = {MEMORY: _MEMORY_IS_THERE, SUMMARY: _ROUND_IS_THERE}
# An operation made it, and only a delete removes its history.
_HAS_HISTORY = "SELECT 1 FROM memory_history WHERE kind = ? AND memory_id = ? LIMIT 1"


def was_in(scope: str) -> str:
    """The scope in which it stood before it was deleted; empty where an older Orca deleted it."""
    return scope.removeprefix(PREFIX).partition("/")[2]


def note(connection: apsw.Connection) -> None:
    """Note that something was deleted and may still stand in rows, in freed pages and in the WAL."""
    connection.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, '1')", (PENDING,))


def is_pending(connection: apsw.Connection) -> bool:
    """Whether something that was deleted is not yet wiped."""
    return connection.execute("SELECT 1 FROM meta WHERE key = ?", (PENDING,)).fetchone() is not None


def forget_note(connection: apsw.Connection) -> None:
    """Note that all is wiped, unless something was deleted meanwhile."""
    connection.execute(f"DELETE FROM meta WHERE key = ? AND NOT ({_ANYTHING})", (PENDING,))


def is_anything(connection: apsw.Connection) -> bool:
    """Whether any rows wait to be wiped."""
    return connection.execute(f"SELECT {_ANYTHING}").fetchone() == (1,)


def gone_refs(connection: apsw.Connection, refs: Iterable[Ref]) -> frozenset[Ref]:
    """The references of a receipt whose memory, or whose summary's round, was deleted. Numbers are never reused, so
    a missing memory was deleted; a summary that expired is known by its round."""
    return frozenset(ref for ref in refs if not _is_there(connection, ref))


def _is_there(connection: apsw.Connection, ref: Ref) -> bool:
    if ref.kind in _IS_THERE:
        return connection.execute(_IS_THERE[ref.kind], (ref.id,)).fetchone() is not None
    return connection.execute(_HAS_HISTORY, (ref.kind.name, ref.id)).fetchone() is not None
