"""Receipts of turns, read; and what they tell of how a model counts tokens."""

from __future__ import annotations

import json
import statistics
from collections.abc import Sequence

from orca_core.model.errors import NotFound
from orca_core.model.recall import Appearance, Receipt
from orca_core.model.record_types import Ref, parse_timestamp
from orca_core.operations.operations import ScopedStore
from orca_core.operations.receipt_rows import TABLE, StoredReceipt, load_receipts, reason_in
from orca_core.operations.rounds import STANDS
from orca_core.store.ports import Rows, above, any_of, is_, is_not

MIN_ROUNDS = 3
LATEST_ROUNDS = 20
"""From so many rounds, at least and at most, the ratio of tokens is taken. Chosen by hand."""


class ReceiptStore(ScopedStore):
    """The receipts of one scope."""

    async def receipt(self, session_id: str | None, number: int | None) -> Receipt:
        """Of a round, the latest that has one where no number is given, of the session used last where none is named.
        Raises NotFound."""

        def read(rows: Rows) -> Receipt:
            found = _of(rows, session_id or _latest_session(rows), number)
            if found is None and number is None:
                raise NotFound(template="no turn has a receipt yet", what="receipt of round", id="")
            if found is None:
                raise NotFound(what="receipt of round", id=number)
            [receipt] = load_receipts(rows, [found], self._types.kinds)
            return receipt

        return await self._transactions.read(read, own=True)

    async def receipts(self, session_id: str, numbers: Sequence[int]) -> dict[int, Receipt]:
        """By the numbers of their rounds; those that are there."""

        def read(rows: Rows) -> dict[int, Receipt]:
            where = (is_("session_id", session_id), any_of("number", numbers), STANDS)
            rounds = dict[int, int]((each, place) for each, place in rows.select("rounds", ("id", "number"), *where))
            bodies = rows.select(TABLE, ("round_id", "body"), any_of("round_id", rounds))
            stored = [StoredReceipt(session_id, rounds[round_id], body) for round_id, body in bodies]
            return {each.round: each for each in load_receipts(rows, stored, self._types.kinds)}

        return await self._transactions.read(read, own=True)

    async def appearances(self, ref: Ref, limit: int) -> list[Appearance]:
        """The rounds in which a record was put before the model, the latest first."""

        def read(rows: Rows) -> list[Appearance]:
            columns = ("round_id", "at", "use", "weight_before", "weight_after")
            same = (is_("memory_id", ref.id), is_("kind", ref.kind.name))
            uses = rows.select("memory_usage_log", columns, *same, order=("-id",))
            of_uses = rows.select(
                "rounds", ("id", "session_id", "number"), any_of("id", [row[0] for row in uses]), STANDS
            )
            rounds = {number: (session_id, place) for number, session_id, place in of_uses}
            latest = [row for row in uses if row[0] in rounds][:limit]
            named = sorted({rounds[row[0]][0] for row in latest})
            titles = dict[str, str](
                (each, title) for each, title in rows.select("sessions", ("id", "title"), any_of("id", named))
            )
            found = rows.select(TABLE, ("round_id", "body"), any_of("round_id", [row[0] for row in latest]))
            bodies = dict[int, str]((number, body) for number, body in found)
            told = []
            for round_id, at, use, before, after in latest:
                session_id, place = rounds[round_id]
                why = reason_in(bodies[round_id], ref) if round_id in bodies else ""
                moment = parse_timestamp(at)
                told.append(Appearance(session_id, titles[session_id], place, moment, why, use, before, after))
            return told

        return await self._transactions.read(read, own=True)

    async def token_ratio(self, model: str) -> float | None:
        """How many tokens a model counts to one that was estimated; None where too few rounds tell."""

        def read(rows: Rows) -> float | None:
            where = (
                is_("model", model),
                is_("state", "done"),
                is_not("usage", None),
                above("estimated_prompt_tokens", 0),
            )
            columns = ("usage", "estimated_prompt_tokens")
            latest = rows.select("rounds", columns, *where, order=("-id",), limit=LATEST_ROUNDS)
            ratios = [json.loads(usage)["prompt_tokens"] / estimated for usage, estimated in latest]
            counted = [ratio for ratio in ratios if ratio > 0]
            return statistics.median(counted) if len(counted) >= MIN_ROUNDS else None

        return await self._transactions.read(read, own=True)


def _latest_session(rows: Rows) -> str | None:
    found = rows.select("sessions", ("id",), order=("-used_at", "-rowid"), limit=1)
    return found[0][0] if found else None


def _of(rows: Rows, session_id: str | None, number: int | None) -> StoredReceipt | None:
    """The receipt of this round, or of the latest that has one."""
    which = () if number is None else (is_("number", number),)
    where = (is_("session_id", session_id), STANDS, *which)
    rounds = rows.select("rounds", ("id", "number"), *where, order=("-number",))
    there = {each for (each,) in rows.select(TABLE, ("round_id",), any_of("round_id", [each for each, _ in rounds]))}
    latest = next(((each, place) for each, place in rounds if each in there), None)
    if session_id is None or latest is None:
        return None
    [[body]] = rows.select(TABLE, ("body",), is_("round_id", latest[0]))
    return StoredReceipt(session_id, latest[1], body)
