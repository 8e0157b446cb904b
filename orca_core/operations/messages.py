"""Writes what was said in a round, and keeps what it is searched by in step."""

from __future__ import annotations

from collections.abc import Sequence

from orca_core.model.llm import Span
from orca_core.model.sessions import Speaker
from orca_core.operations.columns import to_json
from orca_core.store.ports import Rows, is_

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
