"""The parts of migration 3 that SQL can not do: words under their scope, names given by hand, the rounds of dropped
summaries, and which memories stand in which exchange."""

from __future__ import annotations

import json
import re

import apsw
import msgspec

from orca_core.domain.learning import RunResult
from orca_core.domain.recall import Item
from orca_core.domain.refs import SUMMARY
from orca_core.domain.times import timestamp
from orca_core.rules.text import spans
from orca_core.rules.text.cleaning import TITLE_CHARS, one_line
from orca_core.storage.sqlite.engine.rows import fields_from_json, spans_from_json
from orca_core.storage.sqlite.index import words
from orca_core.storage.sqlite.schema.old_receipts import receipt_from_json

_JSON_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_FIRST_QUESTIONS = """
    SELECT s.rowid, s.title, m.content, m.spans FROM sessions s
    JOIN rounds r ON r.scope = s.scope AND r.session_id = s.id
    JOIN main_messages m ON m.round_id = r.id AND m.role = 'user'
    WHERE (r.number, r.attempt) = (SELECT o.number, o.attempt FROM rounds o WHERE o.scope = s.scope
        AND o.session_id = s.id ORDER BY o.number, o.attempt LIMIT 1)
"""


def mend(connection: apsw.Connection) -> None:
    """After `0003_mend.sql`."""
    words.rebuild(connection)
    _mark_named_sessions(connection)
    _find_sources(connection)
    _find_memories_of_runs(connection)


def _mark_named_sessions(connection: apsw.Connection) -> None:
    """Mark titles that differ from the first question as given by hand."""
    for rowid, title, content, pieces in connection.execute(_FIRST_QUESTIONS).fetchall():
        typed = spans.typed_text(spans_from_json(None if pieces is None else str(pieces)))
        given = {one_line(text, TITLE_CHARS) for text in (typed.strip(), str(content))}
        if title not in given:
            connection.execute("UPDATE sessions SET is_named = 1 WHERE rowid = ?", (rowid,))


def _find_sources(connection: apsw.Connection) -> None:
    """Find the rounds of dropped summaries that receipts still show: a summary was written when its round ended."""
    rows = connection.execute(
        "SELECT DISTINCT t.round_id, r.scope, t.body FROM receipt_refs f"
        " JOIN turn_receipts t ON t.round_id = f.round_id JOIN rounds r ON r.id = t.round_id WHERE f.ref LIKE 's%'"
        " AND NOT EXISTS (SELECT 1 FROM short_term_sources s WHERE 's' || s.id = f.ref)"
    ).fetchall()
    for _, scope, body in rows:
        for item in receipt_from_json(str(body)).injection.considered:
            if item.ref.kind == SUMMARY and item.created_at is not None:
                _find_source(connection, str(scope), item, timestamp(item.created_at))


def _find_source(connection: apsw.Connection, scope: str, item: Item, written_at: str) -> None:
    connection.execute(
        "INSERT OR IGNORE INTO short_term_sources (id, round_id)"
        " SELECT ?, id FROM rounds WHERE scope = ? AND finished_at = ? ORDER BY id LIMIT 1",
        (item.ref.id, scope, written_at),
    )


def _find_memories_of_runs(connection: apsw.Connection) -> None:
    """Link exchanges to the memories that they were shown or that came of them: they hold these as JSON strings."""
    said = _who_said_what(connection)
    rows = connection.execute(
        "SELECT x.id, x.scope, m.content FROM subagent_messages m JOIN extraction_runs x ON x.id = m.run"
    )
    found = {
        (said[scope, text], run)
        for run, scope, content in rows
        for text in map(_read_string, _JSON_STRING.findall(str(content)))
        if (scope, text) in said
    }
    results = connection.execute("SELECT id, result FROM extraction_runs WHERE result IS NOT NULL")
    for run, result in results:
        named = msgspec.json.decode(str(result), type=RunResult)
        pairs = [memory_id for pair in named.replaced for memory_id in pair]
        found |= {(each, run) for each in (*named.stored, *named.confirmed, *named.candidates, *pairs)}
    connection.executemany("INSERT OR IGNORE INTO run_memories (memory_id, run) VALUES (?, ?)", sorted(found))


def _who_said_what(connection: apsw.Connection) -> dict[tuple[str, str], int]:
    """The memory of each text in each scope, also of its texts before edits."""
    said: dict[tuple[str, str], int] = {}
    edits = connection.execute(
        "SELECT m.scope, m.id, h.before, h.after FROM memory_history h JOIN long_term_memories m ON m.id = h.memory_id"
        " WHERE h.after LIKE '%\"content\"%'"
    )
    for scope, memory_id, before, after in edits:
        for fields in (before, after):
            if fields is not None and (content := fields_from_json(str(fields)).get("content")):
                said[str(scope), str(content)] = int(str(memory_id))
    for scope, memory_id, content in connection.execute("SELECT scope, id, content FROM long_term_memories"):
        said[str(scope), str(content)] = int(str(memory_id))
    return said


def _read_string(literal: str) -> str:
    """The text of a JSON string; empty where it is no valid one."""
    try:
        text = json.loads(literal)
    except ValueError:
        return ""
    return text if isinstance(text, str) else ""
