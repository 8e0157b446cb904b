"""Deleting for good: every place that holds a memory's text, inside the caller's transaction.

What SQLite keeps in freed pages and in the journal is wiped by `secure_delete` and the checkpoint after it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import apsw

from orca_core.domain.memories import Memory, OperationHeader
from orca_core.domain.recall import Item, Receipt
from orca_core.rules.cleaning import TITLE_CHARS, one_line
from orca_core.storage.sqlite import changes
from orca_core.storage.sqlite.rows import fields_from_json, receipt_from_json, to_json

GONE = "[deleted]"
WIPE_PENDING = "wipe_pending"


def delete_memories(
    connection: apsw.Connection,
    scope: str,
    ids: Sequence[int],
    header: OperationHeader,
    *,
    with_messages: bool,
) -> tuple[tuple[str, int], ...]:
    """Remove the memories; the rounds that they came from, as (session_id, number), which go too if so asked."""
    memories = [changes.memory_of(connection, scope, memory_id) for memory_id in ids]
    for memory in memories:
        texts = _texts_of(connection, memory)
        changes.drop_vectors(connection, [memory.id])
        changes.drop_words(connection, memory.id)
        connection.execute("DELETE FROM memory_history WHERE memory_id = ?", (memory.id,))
        connection.execute("DELETE FROM memory_usage_log WHERE memory_id = ?", (memory.id,))
        connection.execute("DELETE FROM long_term_memories WHERE id = ?", (memory.id,))
        connection.execute(
            "UPDATE long_term_memories SET superseded_by = NULL WHERE scope = ? AND superseded_by = ?",
            (scope, memory.id),
        )
        connection.execute(
            "UPDATE long_term_memories SET would_replace = NULL WHERE scope = ? AND would_replace = ?",
            (scope, memory.id),
        )
        connection.execute("DELETE FROM undecided_pairs WHERE newer = ?1 OR older = ?1", (memory.id,))
        for text in texts:
            connection.execute("DELETE FROM embedding_cache WHERE text = ?", (text,))
        _wipe_receipts(connection, scope, str(memory.id), texts)
        _wipe_agent(connection, scope, texts)
    changes.new_operation(connection, scope, header)
    rounds = _rounds_of(connection, scope, memories)
    if with_messages:
        for session_id, number in rounds:
            _delete_round(connection, scope, session_id, number)
    connection.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, '1')", (WIPE_PENDING,))
    return rounds


def _texts_of(connection: apsw.Connection, memory: Memory) -> list[str]:
    """What the memory says, and what it said before it was edited."""
    texts = {memory.content: None}
    for before, after in connection.execute(
        "SELECT before, after FROM memory_history WHERE memory_id = ?", (memory.id,)
    ):
        for fields in (before, after):
            if fields is not None and (content := fields_from_json(fields).get("content")):
                texts[content] = None
    return list(texts)


def _wipe_receipts(connection: apsw.Connection, scope: str, ref: str, texts: Iterable[str]) -> None:
    rows = connection.execute(
        "SELECT t.round_id, t.body FROM turn_receipts t JOIN rounds r ON r.id = t.round_id WHERE r.scope = ?", (scope,)
    ).fetchall()
    quoted = [_quoted(text) for text in texts]
    for round_id, body in rows:
        receipt = receipt_from_json(str(body))
        wiped = _without(receipt, ref, quoted)
        if wiped != receipt:
            connection.execute("UPDATE turn_receipts SET body = ? WHERE round_id = ?", (to_json(wiped), round_id))


def _quoted(text: str) -> str:
    """A text as it stands in a memory block (`rules.rendering`)."""
    return json.dumps(text, ensure_ascii=False).replace("`", "\\u0060")[1:-1]


def _without(receipt: Receipt, ref: str, quoted: Iterable[str]) -> Receipt:
    def emptied(items: tuple[Item, ...]) -> tuple[Item, ...]:
        return tuple(replace(item, content="") if item.ref == ref else item for item in items)

    block = receipt.injection.block
    for text in quoted:
        block = block.replace(text, GONE)
    injection = replace(
        receipt.injection,
        injected=emptied(receipt.injection.injected),
        dropped=emptied(receipt.injection.dropped),
        block=block,
    )
    return replace(receipt, injection=injection)


def _wipe_agent(connection: apsw.Connection, scope: str, texts: Sequence[str]) -> None:
    """What the memory agent was asked and said of it, also where it stands as JSON; a run's result by its values."""
    for text in texts:
        for form in {text, json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1]}:
            connection.execute(
                "UPDATE subagent_messages SET content = replace(content, ?1, ?2) WHERE instr(content, ?1)"
                " AND run IN (SELECT id FROM extraction_runs WHERE scope = ?3)",
                (form, GONE, scope),
            )
    for run, result in connection.execute(
        "SELECT id, result FROM extraction_runs WHERE scope = ? AND result IS NOT NULL", (scope,)
    ).fetchall():
        kept = to_json(_wiped(json.loads(str(result)), texts))
        if kept != result:
            connection.execute("UPDATE extraction_runs SET result = ? WHERE id = ?", (kept, run))


def _wiped(value: Any, texts: Sequence[str]) -> Any:
    """The same JSON value with the texts gone from its strings; keys are ours and stay."""
    if isinstance(value, str):
        for text in texts:
            value = value.replace(text, GONE)
    elif isinstance(value, list):
        value = [_wiped(each, texts) for each in value]
    elif isinstance(value, dict):
        value = {key: _wiped(each, texts) for key, each in value.items()}
    return value


def _rounds_of(connection: apsw.Connection, scope: str, memories: Iterable[Memory]) -> tuple[tuple[str, int], ...]:
    named = [
        (memory.origin.session_id, number)
        for memory in memories
        if memory.origin.session_id is not None
        for number in memory.origin.rounds
    ]
    return tuple(
        (session_id, number)
        for session_id, number in dict.fromkeys(named)
        if connection.execute(
            "SELECT 1 FROM rounds WHERE scope = ? AND session_id = ? AND number = ?", (scope, session_id, number)
        ).fetchone()
    )


def delete_session(connection: apsw.Connection, scope: str, session_id: str) -> None:
    """A session with all that was said in it, and every trace of that; what was learnt from it stays."""
    numbers = [
        int(str(number))
        for (number,) in connection.execute(
            "SELECT DISTINCT number FROM rounds WHERE scope = ? AND session_id = ?", (scope, session_id)
        )
    ]
    for number in numbers:
        _delete_round(connection, scope, session_id, number)
    connection.execute("DELETE FROM sessions WHERE scope = ? AND id = ?", (scope, session_id))
    connection.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, '1')", (WIPE_PENDING,))


def _delete_round(connection: apsw.Connection, scope: str, session_id: str, number: int) -> None:
    """A round and all its attempts: its messages, summary, receipt and place in the queue go with it."""
    which = (scope, session_id, number)
    connection.execute(
        "DELETE FROM vectors WHERE kind = 'short' AND id IN (SELECT id FROM short_term_memories"
        " WHERE scope = ? AND session_id = ? AND round = ?)",
        which,
    )
    connection.execute(
        "DELETE FROM embedding_cache WHERE text IN (SELECT content FROM short_term_memories"
        " WHERE scope = ? AND session_id = ? AND round = ?)",
        which,
    )
    # Later turns may have been shown its summary; questions are embedded to be searched with, and so are batches.
    for short_id, content, question in connection.execute(
        "SELECT id, content, question FROM short_term_memories WHERE scope = ? AND session_id = ? AND round = ?", which
    ).fetchall():
        _wipe_receipts(connection, scope, f"s{short_id}", [str(content), str(question)])
    connection.execute(
        "DELETE FROM embedding_cache WHERE EXISTS (SELECT 1 FROM rounds r JOIN main_messages m ON m.round_id = r.id"
        " WHERE r.scope = ? AND r.session_id = ? AND r.number = ? AND m.content <> ''"
        " AND instr(embedding_cache.text, m.content))",
        which,
    )
    # What the memory agent was shown of the round, and a summary that covers it, hold its words, too.
    connection.execute(
        "DELETE FROM subagent_messages WHERE run IN (SELECT x.id FROM extraction_runs x, json_each(x.rounds) e"
        " JOIN rounds r ON r.id = e.value WHERE r.scope = ? AND r.session_id = ? AND r.number = ?)",
        which,
    )
    connection.execute(
        "UPDATE sessions SET summary = NULL, summary_through = 0 WHERE scope = ? AND id = ? AND summary_through >= ?",
        which,
    )
    connection.execute("UPDATE rounds SET replaced_by = NULL WHERE scope = ? AND session_id = ? AND number = ?", which)
    connection.execute("DELETE FROM rounds WHERE scope = ? AND session_id = ? AND number = ?", which)
    _rename_session(connection, scope, session_id)


def _rename_session(connection: apsw.Connection, scope: str, session_id: str) -> None:
    """A session is named after its first question: what is left of it names it anew, or it goes too."""
    row = connection.execute(
        "SELECT m.content FROM rounds r JOIN main_messages m ON m.round_id = r.id AND m.role = 'user'"
        " WHERE r.scope = ? AND r.session_id = ? ORDER BY r.number, r.attempt LIMIT 1",
        (scope, session_id),
    ).fetchone()
    if row is None:
        connection.execute("DELETE FROM sessions WHERE scope = ? AND id = ?", (scope, session_id))
        return
    title = one_line(str(row[0]), TITLE_CHARS)
    connection.execute("UPDATE sessions SET title = ? WHERE scope = ? AND id = ?", (title, scope, session_id))
