"""What was said in a round, and its receipt, as rows; inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from orca_core.domain.dialogues import Cause
from orca_core.domain.messages import Span
from orca_core.domain.recall import Receipt
from orca_core.storage.sqlite.engine.rows import to_json
from orca_core.storage.sqlite.memories import gone
from orca_core.storage.sqlite.talk import receipt_bodies


def save_question(connection: apsw.Connection, round_id: int, spans: Sequence[Span], at: str) -> None:
    text = "".join(span.text for span in spans)
    connection.execute(
        "INSERT INTO main_messages (round_id, role, content, spans, at) VALUES (?, 'user', ?, ?, ?)",
        (round_id, text, to_json(spans), at),
    )


def save_answer(connection: apsw.Connection, round_id: int, answer: str, reasoning: str, *, at: str | None) -> None:
    connection.execute(
        "INSERT INTO main_messages (round_id, role, content, reasoning, at)"
        " VALUES (?1, 'assistant', ?2, ?3, coalesce(?4, (SELECT started_at FROM rounds WHERE id = ?1)))"
        " ON CONFLICT (round_id, role) DO UPDATE SET content = excluded.content, reasoning = excluded.reasoning,"
        " at = excluded.at",
        (round_id, answer, reasoning, at),
    )


def save_cause(connection: apsw.Connection, round_id: int, cause: Cause | None) -> None:
    """Why the round ended as it does now."""
    connection.execute(
        "UPDATE rounds SET cause = ? WHERE id = ?", (None if cause is None else to_json(cause), round_id)
    )


def save_receipt(connection: apsw.Connection, round_id: int, receipt: Receipt) -> None:
    """What was deleted meanwhile is left out of it."""
    refs = frozenset(item.ref for item in receipt.injection.considered)
    receipt_bodies.save(connection, round_id, receipt, gone.gone_refs(connection, refs))
