"""Rounds and their messages: read, written, and in the index of what was said."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from orca_core.model.llm import Span
from orca_core.model.memories import Origin
from orca_core.model.record_types import BUILT_IN_KINDS, Kinds, parse_timestamp
from orca_core.model.sessions import Round, RoundState, Speaker
from orca_core.operations.columns import citations_from_json, spans_from_json, to_json
from orca_core.rules.memory.causes import read_cause
from orca_core.store.ports import Condition, Rows, any_of, is_


def began_at(rows: Rows, ids: Sequence[int]) -> datetime | None:
    """When the latest of these rounds began, of those that count."""
    found = [row[0] for row in rows.select("rounds", ("started_at",), any_of("id", ids), is_("replaced_by", None))]
    return parse_timestamp(max(found)) if found else None


def said_at(rows: Rows, origin: Origin, otherwise: datetime) -> datetime:
    """When the latest of the words was typed; `otherwise` where no round of them is left."""
    return typed_at(rows, origin) or otherwise


def typed_at(rows: Rows, origin: Origin) -> datetime | None:
    """When the latest of the words was typed; None where no round of them is left."""
    if origin.session_id is None:
        return None
    session, numbers = is_("session_id", origin.session_id), any_of("number", origin.rounds)
    ids = [row[0] for row in rows.select("rounds", ("id",), session, numbers, is_("replaced_by", None))]
    return began_at(rows, ids)


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
            cause=read_cause(cause, finish),
        )
        rounds.append(one)
    return rounds


_OF_A_MESSAGE = ("role", "content", "spans", "reasoning", "citations", "at")


def save_question(rows: Rows, round_id: int, spans: Sequence[Span], at: str) -> None:
    text = "".join(span.text for span in spans)
    said = {"round_id": round_id, "role": Speaker.USER.value, "content": text, "spans": to_json(spans), "at": at}
    rows.insert("main_messages", said)
    rows.words.put_messages(round_id, Speaker.USER.value)


def save_answer(
    rows: Rows,
    round_id: int,
    answer: str,
    reasoning: str,
    *,
    at: str,
    citations: str | None = None,
    is_whole: bool = True,
) -> None:
    """What came of an answer. It is searched once it `is_whole`: while it comes it changes every second."""
    values = {"content": answer, "reasoning": reasoning, "at": at}
    if citations is not None:
        values["citations"] = citations
    role = Speaker.ASSISTANT.value
    if not rows.update("main_messages", values, is_("round_id", round_id), is_("role", role)):
        rows.insert("main_messages", {"round_id": round_id, "role": role, **values})
    if is_whole:
        rows.words.put_messages(round_id, role)


def copy_messages(rows: Rows, old: int, new: int) -> None:
    """Copy the messages of a round; a long chat has many, so that their index is left to who does it in the
    background. Buffer, weights and receipt are not copied: what it taught was taught once."""
    for values in rows.select("main_messages", _OF_A_MESSAGE, is_("round_id", old), order=("id",)):
        rows.insert("main_messages", {"round_id": new, **dict(zip(_OF_A_MESSAGE, values, strict=True))})
