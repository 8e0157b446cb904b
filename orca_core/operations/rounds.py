"""Reads rounds with their messages, inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from orca_core.model.records import BUILT_IN_KINDS, Kinds, parse_timestamp
from orca_core.model.sessions import Round, RoundState
from orca_core.operations.columns import citations_from_json, spans_from_json
from orca_core.rules.memory import undo_rules
from orca_core.store.ports import Condition, Rows, any_of, is_

_ROUND = ("id", "session_id", "number", "attempt", "state", "started_at", "model", "cause", "finish")
_MESSAGE = ("round_id", "role", "content", "spans", "citations")
STANDS = is_("replaced_by", None)


def read_rounds(rows: Rows, round_ids: Iterable[int]) -> tuple[Round, ...]:
    """The rounds that still exist and are not replaced, in order."""
    return tuple(select_rounds(rows, any_of("id", round_ids), order=("number",)))


def select_rounds(
    rows: Rows,
    *where: Condition,
    order: Sequence[str],
    limit: int | None = None,
    kinds: Kinds = BUILT_IN_KINDS,
) -> list[Round]:
    """Standing rounds that fulfil the conditions."""
    found = rows.select("rounds", _ROUND, *where, STANDS, order=order, limit=limit)
    if not found:
        return []
    said = {
        (round_id, role): (content, spans, citations)
        for round_id, role, content, spans, citations in rows.select(
            "main_messages", _MESSAGE, any_of("round_id", [row[0] for row in found])
        )
    }
    nothing = ("", None, None)
    rounds = []
    for number, session_id, place, attempt, state, started_at, model, cause, finish in found:
        question, spans, _ = said.get((number, "user"), nothing)
        answer, _, citations = said.get((number, "assistant"), nothing)
        one = Round(
            id=number,
            session_id=session_id,
            number=place,
            attempt=attempt,
            user=question or "",
            spans=spans_from_json(spans),
            assistant=answer or "",
            state=RoundState(state),
            at=parse_timestamp(started_at),
            model=model,
            citations=citations_from_json(citations, kinds),
            cause=undo_rules.read_cause(cause, finish),
        )
        rounds.append(one)
    return rounds
