"""Deletes for good, first part: hides what is deleted, in a short transaction of the caller.

Rows are moved out of their scope (`gone`); `wiping` deletes what they left elsewhere. `secure_delete` and the
checkpoint at the end clear freed pages and the WAL.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

import apsw

from orca_core.model.memories import MEMORIES, Memory
from orca_core.model.records import timestamp
from orca_core.rules.text import typed_spans
from orca_core.rules.text.cleaning import TITLE_CHARS, one_line
from orca_core.store.sqlite.engine.rows import spans_from_json, to_json
from orca_core.store.sqlite.index import vector_store, word_index
from orca_core.store.sqlite.memories import acts, changes, gone, tasks, texts, tool_calls, wiping

_FORGET_MEMORY = (
    "UPDATE long_term_memories SET superseded_by = NULL WHERE superseded_by = ?",
    "UPDATE long_term_memories SET would_replace = NULL WHERE would_replace = ?",
    "DELETE FROM undecided_pairs WHERE newer = ?",
    "DELETE FROM undecided_pairs WHERE older = ?",
)
# Every fold reads the summary before it, and so the rounds of that one. A run of no session may read rounds of any.
_RUNS_OF_ROUNDS = """
    SELECT x.id FROM extraction_runs x WHERE x.scope = ?1 AND x.session_id IN (?2, '')
    AND EXISTS (SELECT 1 FROM json_each(x.rounds) e WHERE e.value IN (SELECT value FROM json_each(?3))
                OR x.kind = 'summarize' AND e.value >= (SELECT min(value) FROM json_each(?3)))
"""
_ATTEMPTS = """
    SELECT id, number, started_at FROM rounds
    WHERE scope = ? AND session_id = ? AND number IN (SELECT value FROM json_each(?))
"""
_SUMMARIES = """
    SELECT id, content FROM short_term_memories
    WHERE scope = ? AND session_id = ? AND round IN (SELECT value FROM json_each(?))
"""
_FIRST_QUESTION = """
    SELECT m.spans, m.content FROM rounds r JOIN main_messages m ON m.round_id = r.id AND m.role = 'user'
    WHERE r.scope = ? AND r.session_id = ? ORDER BY r.number, r.attempt LIMIT 1
"""
# A fork copies rounds: the same messages.
_FIRST_SAID = """
    SELECT coalesce(said_in, session_id) FROM rounds
    WHERE scope = ? AND session_id = ? AND number = ? AND replaced_by IS NULL
"""
# Rounds later than the memory did not make it: a new session may have the name of a deleted one.
_SAID = """
    SELECT session_id, number FROM rounds
    WHERE scope = ?1 AND session_id = ?2 AND number = ?3 AND started_at <= ?4
    UNION SELECT session_id, number FROM rounds WHERE scope = ?1 AND said_in = ?2 AND number = ?3 AND started_at <= ?4
"""


class Kept(Protocol):
    """Where it is noted what was deleted."""

    def memories(self, memories: Sequence[Memory]) -> None: ...

    def rounds(self, session_id: str, attempts: Sequence[tuple[int, str]]) -> None:
        """Each with its number and when it began."""
        ...


def hide_memories(
    connection: apsw.Connection,
    scope: str,
    ids: Sequence[int],
    *,
    with_messages: bool,
    kept: Kept,
) -> tuple[tuple[str, int], ...]:
    """Hide the memories from every list, search, history and turn; what is `kept` of them tells that they were deleted.
    Returns the existing rounds that they came from, as (session_id, number); these are deleted too where asked. Their
    summaries are in any case: recall would bring them into other chats."""
    memories = changes.memories_there(connection, scope, ids)
    kept.memories(memories)
    rounds = _rounds_of(connection, scope, memories)
    scope_of_deleted = gone.new_scope(scope)
    for memory in memories:
        word_index.drop_words(connection, memory.id)
        for statement in _FORGET_MEMORY:
            connection.execute(statement, (memory.id,))
        connection.execute(
            "UPDATE long_term_memories SET scope = ? WHERE scope = ? AND id = ?", (scope_of_deleted, scope, memory.id)
        )
    texts.forget_texts(connection, MEMORIES.kind, [memory.id for memory in memories])
    acts.forget_supports(connection, [memory.id for memory in memories])
    if with_messages:
        hide_rounds(connection, scope, rounds, kept)
    else:
        for session_id, numbers in _by_session(rounds).items():
            _forget_summaries(connection, scope, session_id, numbers)
    gone.note(connection)
    return rounds


def _rounds_of(connection: apsw.Connection, scope: str, memories: Iterable[Memory]) -> tuple[tuple[str, int], ...]:
    """The existing rounds that the memories came from: in their session, which may be deleted, and in every fork of
    it."""
    found: dict[tuple[str, int], None] = {}
    for memory in memories:
        for number in memory.origin.rounds:
            named = (scope, memory.origin.session_id, number)
            row = connection.execute(_FIRST_SAID, named).fetchone()
            first_said = memory.origin.session_id if row is None else str(row[0])
            rows = connection.execute(_SAID, (scope, first_said, number, timestamp(memory.created_at)))
            found.update(((str(session_id), int(str(number))), None) for session_id, number in rows)
    return tuple(found)


def hide_rounds(connection: apsw.Connection, scope: str, rounds: Iterable[tuple[str, int]], kept: Kept) -> None:
    """Delete rounds with all their attempts, the exchanges that show them, and a summary that covers them."""
    for session_id, those in _by_session(rounds).items():
        found = connection.execute(_ATTEMPTS, (scope, session_id, to_json(those))).fetchall()
        ids = [int(str(number)) for number, _round, _started_at in found]
        kept.rounds(session_id, [(int(str(number)), str(started_at)) for _id, number, started_at in found])
        for (run,) in connection.execute(_RUNS_OF_ROUNDS, (scope, session_id, to_json(ids))).fetchall():
            wiping.clear_run(connection, int(str(run)))
        _move_rounds(connection, scope, session_id, ids)
        connection.execute(
            "UPDATE sessions SET summary = NULL, summary_through = 0"
            " WHERE scope = ? AND id = ? AND summary_through >= ?",
            (scope, session_id, min(those)),
        )
        _name_again(connection, scope, session_id)


def _by_session(rounds: Iterable[tuple[str, int]]) -> dict[str, list[int]]:
    numbers: dict[str, list[int]] = {}
    for session_id, number in rounds:
        numbers.setdefault(session_id, []).append(number)
    return numbers


def _forget_summaries(connection: apsw.Connection, scope: str, session_id: str, numbers: Sequence[int]) -> None:
    """Delete the summaries of rounds that stay."""
    found = connection.execute(_SUMMARIES, (scope, session_id, to_json(list(numbers)))).fetchall()
    vector_store.forget_vectors(connection, [str(content) for _id, content in found])
    connection.executemany("DELETE FROM short_term_memories WHERE id = ?", [(number,) for number, _content in found])


def hide_session(connection: apsw.Connection, scope: str, session_id: str) -> None:
    """Delete a session with its rounds, its tasks and every trace of them; what was learnt from it stays. Its acts are
    `acts.delete_of_session`."""
    rows = connection.execute("SELECT id FROM rounds WHERE scope = ? AND session_id = ?", (scope, session_id))
    scope_of_deleted = _move_rounds(connection, scope, session_id, [int(str(row[0])) for row in rows])
    connection.execute(
        "UPDATE extraction_runs SET scope = ? WHERE scope = ? AND session_id = ?", (scope_of_deleted, scope, session_id)
    )
    tasks.delete_tasks_of(connection, scope, session_id)
    tool_calls.delete_calls_of(connection, scope, session_id)
    connection.execute("DELETE FROM sessions WHERE scope = ? AND id = ?", (scope, session_id))
    gone.note(connection)


def _move_rounds(connection: apsw.Connection, scope: str, session_id: str, ids: Sequence[int]) -> str:
    """Move rounds out of their scope, into the one returned; nothing is learnt from them any more."""
    scope_of_deleted = gone.new_scope(scope)
    which = to_json(list(ids))
    connection.execute(
        "INSERT INTO sessions (id, scope, title, created_at, used_at)"
        " SELECT id, ?, '', created_at, used_at FROM sessions WHERE scope = ? AND id = ?",
        (scope_of_deleted, scope, session_id),
    )
    for statement in (
        "DELETE FROM dialogue_buffer WHERE ?1 IS NOT NULL AND round_id IN (SELECT value FROM json_each(?2))",
        "UPDATE short_term_memories SET scope = ?1 WHERE round_id IN (SELECT value FROM json_each(?2))",
        "UPDATE rounds SET scope = ?1 WHERE id IN (SELECT value FROM json_each(?2))",
    ):
        connection.execute(statement, (scope_of_deleted, which))
    texts.forget_of_rounds(connection, ids)
    return scope_of_deleted


def _name_again(connection: apsw.Connection, scope: str, session_id: str) -> None:
    """Delete a session without rounds. Otherwise a title that a person gave stays; another one follows the new first
    question."""
    row = connection.execute(_FIRST_QUESTION, (scope, session_id)).fetchone()
    if row is None:
        connection.execute("DELETE FROM sessions WHERE scope = ? AND id = ?", (scope, session_id))
        return
    typed = typed_spans.typed_text(spans_from_json(None if row[0] is None else str(row[0]))).strip()
    connection.execute(
        "UPDATE sessions SET title = ? WHERE scope = ? AND id = ? AND NOT is_named",
        (one_line(typed or str(row[1]), TITLE_CHARS), scope, session_id),
    )
