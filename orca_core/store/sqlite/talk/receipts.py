"""Reads receipts of turns, and learns from them how a model counts tokens."""

from __future__ import annotations

import json
import statistics
from collections.abc import Sequence

import apsw

from orca_core.model.errors import NotFound
from orca_core.model.recall import Appearance, Receipt
from orca_core.model.records import Kinds, Ref, parse_timestamp
from orca_core.store.sqlite.engine.rows import to_json
from orca_core.store.sqlite.engine.scope import Scope
from orca_core.store.sqlite.talk import receipt_bodies
from orca_core.store.sqlite.talk.receipt_bodies import StoredReceipt

MIN_ROUNDS = 3
LATEST_ROUNDS = 20
"""From so many rounds, at least and at most, the ratio of tokens is taken. Chosen by hand."""


class SQLiteReceipts:
    """The receipts of one scope."""

    def __init__(self, scope: Scope, kinds: Kinds) -> None:
        self._scope = scope
        self._kinds = kinds

    async def receipt(self, session_id: str | None, number: int | None) -> Receipt:
        def read(connection: apsw.Connection) -> Receipt:
            row = connection.execute(
                "SELECT r.session_id, r.number, t.body FROM turn_receipts t JOIN rounds r ON r.id = t.round_id"
                " WHERE r.scope = ?1 AND r.replaced_by IS NULL AND (?3 IS NULL OR r.number = ?3)"
                " AND r.session_id = coalesce(?2, (SELECT id FROM sessions WHERE scope = ?1"
                "   ORDER BY used_at DESC, rowid DESC LIMIT 1))"
                " ORDER BY r.number DESC LIMIT 1",
                (self._scope.own, session_id, number),
            ).fetchone()
            if row is None:
                if number is None:
                    raise NotFound(template="no turn has a receipt yet", what="receipt of round", id="")
                raise NotFound(what="receipt of round", id=number)
            [receipt] = receipt_bodies.load_receipts(connection, [StoredReceipt(*row)], self._kinds)
            return receipt

        return await self._scope.read(read)

    async def receipts(self, session_id: str, numbers: Sequence[int]) -> dict[int, Receipt]:
        def read(connection: apsw.Connection) -> dict[int, Receipt]:
            rows = connection.execute(
                "SELECT r.session_id, r.number, t.body FROM turn_receipts t JOIN rounds r ON r.id = t.round_id"
                " WHERE r.scope = ? AND r.session_id = ? AND r.replaced_by IS NULL"
                " AND r.number IN (SELECT value FROM json_each(?))",
                (self._scope.own, session_id, to_json(list(numbers))),
            )
            stored = [StoredReceipt(*row) for row in rows]
            return {each.round: each for each in receipt_bodies.load_receipts(connection, stored, self._kinds)}

        return await self._scope.read(read)

    async def appearances(self, ref: Ref, limit: int) -> list[Appearance]:
        def read(connection: apsw.Connection) -> list[Appearance]:
            rows = connection.execute(
                "SELECT r.session_id, s.title, r.number, l.at, l.use, l.weight_before, l.weight_after, t.body"
                " FROM memory_usage_log l JOIN rounds r ON r.id = l.round_id"
                " JOIN sessions s ON s.scope = r.scope AND s.id = r.session_id"
                " LEFT JOIN turn_receipts t ON t.round_id = r.id"
                " WHERE r.scope = ? AND l.memory_id = ? AND l.kind = ? AND r.replaced_by IS NULL"
                " ORDER BY l.id DESC LIMIT ?",
                (self._scope.own, ref.id, ref.kind.name, limit),
            )
            return [
                Appearance(session_id, title, number, parse_timestamp(at), _reason(body, ref), use, before, after)
                for session_id, title, number, at, use, before, after, body in rows
            ]

        return await self._scope.read(read)

    async def token_ratio(self, model: str) -> float | None:
        def read(connection: apsw.Connection) -> float | None:
            rows = connection.execute(
                "SELECT usage, estimated_prompt_tokens FROM rounds"
                " WHERE scope = ? AND model = ? AND state = 'done' AND usage IS NOT NULL"
                " AND estimated_prompt_tokens > 0 ORDER BY id DESC LIMIT ?",
                (self._scope.own, model, LATEST_ROUNDS),
            )
            ratios = [json.loads(usage)["prompt_tokens"] / estimated for usage, estimated in rows]
            counted = [ratio for ratio in ratios if ratio > 0]
            return statistics.median(counted) if len(counted) >= MIN_ROUNDS else None

        return await self._scope.read(read)


def _reason(body: str | None, ref: Ref) -> str:
    """Why a record was injected, as the receipt says; empty where it is not known."""
    return receipt_bodies.reason_in(body, ref) if body else ""
