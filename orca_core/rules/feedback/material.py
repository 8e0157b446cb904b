"""What the memory agent and the verifier are shown of acts: data, never an instruction."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import datetime
from difflib import unified_diff
from typing import Any

from msgspec import Struct

from orca_core.model.feedback import ActBatch, Action, ActionType
from orca_core.model.sessions import Round
from orca_core.model.tasks import TaskWithSteps
from orca_core.rules.feedback.acts import KINDS, About
from orca_core.rules.feedback.told import MAX_COMPARED, asked_in, messages_in, text_of, told_in
from orca_core.rules.learning.agent.transcripts import shortened, user_text
from orca_core.rules.text.languages import Language, language_of


class Bounds(Struct, frozen=True):
    """So much is shown of each text that an act refers to, in characters."""

    user: int
    assistant: int
    difference: int
    session: int


WHOLE = Bounds(user=600, assistant=1200, difference=3000, session=6000)
BESIDE_OTHERS = Bounds(user=400, assistant=1200, difference=1500, session=2500)
MAX_STEPS = 20
MAX_STEP_CHARS = 200
"""They bound what one call reads: ten likes are some six thousand words at most. Chosen by hand."""


def material(batch: ActBatch, known: Sequence[str]) -> str:
    """The acts by their places, with what they refer to, and what is known already."""
    rows = [{"action": place, **_row(act, batch, WHOLE)} for place, act in enumerate(batch.actions, start=1)]
    return json.dumps({"known": list(known), "acts": rows}, ensure_ascii=False)


def to_verify(batch: ActBatch) -> str:
    """The acts, oldest first, what was typed in the rounds that speak for the candidate, and the candidate, as JSON.
    Which acts it was read out of is not said. No text in it can pretend to be anything else."""
    assert batch.candidate is not None
    by_round = {(each.session_id, each.round) for each in batch.candidate.supports if each.act is None}
    said = [each for each in batch.rounds if (each.session_id, each.number) in by_round]
    shown = {
        "acts": [{"act": place, **_row(act, batch, BESIDE_OTHERS)} for place, act in enumerate(batch.actions, start=1)],
        "said": [{"day": _day(each.at), **_round(each, BESIDE_OTHERS)} for each in said],
        "facts": [{"fact": 1, "says": batch.candidate.memory.content}],
    }
    return json.dumps(shown, ensure_ascii=False)


def shows_anything(batch: ActBatch) -> bool:
    """Whether there is something to read: what acts were about may be deleted by now, or is read with its session."""
    if all(KINDS[each.type].about is About.QUERY for each in batch.actions):
        return bool(asked_in(batch))
    told = told_in(batch)
    return bool(told.foreign or told.own)


def language_in(batch: ActBatch) -> Language:
    """The language that the user writes in."""
    said = told_in(batch)
    return language_of("\n".join(said.own or said.foreign))


def _row(act: Action, batch: ActBatch, bounds: Bounds) -> dict[str, Any]:
    """An act with what it refers to."""
    found: dict[str, Any] = {"did": act.type.value, "day": _day(act.at)}
    rounds = [each for each in batch.rounds if each.session_id == act.session_id]
    if act.type is ActionType.COLLECT_SESSION:
        found["session"] = _newest([_round(each, bounds) for each in rounds], bounds)
    elif round_ := next((each for each in rounds if each.number == act.round), None):
        found["round"] = _round(round_, bounds)
    task = next((each for each in batch.tasks if each.task.id == act.task), None)
    if task is not None:
        found["task"] = _task(task, bounds)
    if act.tool:
        found["tool"] = act.tool
    return found | dict(_given(act, bounds, is_held="round" in found))


def _day(at: datetime) -> str:
    return f"{at.astimezone():%Y-%m-%d}"


def _given(act: Action, bounds: Bounds, *, is_held: bool) -> Iterator[tuple[str, Any]]:
    """What a client gave with the act; its query where Orca does not hold the round (`is_held`)."""
    data, about = act.data, KINDS[act.type].about
    difference = _difference(text_of(data.get("previous")), text_of(data.get("current")), bounds)
    if about is About.DIFFERENCE and difference:
        yield "difference", difference
    if about is About.QUERY and not is_held and (query := text_of(data.get("query"))):
        yield "query", shortened(query, bounds.user)
    if operation := text_of(data.get("operation")):
        yield "operation", shortened(operation, MAX_STEP_CHARS)
    if messages := messages_in(act):
        yield "messages", _newest([{who: _bounded(who, text, bounds)} for who, text in messages], bounds)


def _bounded(who: str, text: str, bounds: Bounds) -> str:
    return shortened(text, bounds.user if who == "user" else bounds.assistant // 2)


def _round(round_: Round, bounds: Bounds) -> dict[str, Any]:
    return {
        "user": user_text(round_.spans, bounds.user),
        "assistant_said": shortened(round_.assistant, bounds.assistant),
    }


def _newest(rows: Sequence[dict[str, Any]], bounds: Bounds) -> list[dict[str, Any]]:
    """As many of the newest as fit, oldest first."""
    kept: list[dict[str, Any]] = []
    room = bounds.session
    for each in reversed(rows):
        room -= len(json.dumps(each, ensure_ascii=False))
        if room < 0 and kept:
            break
        kept.append(each)
    return kept[::-1]


def _task(task: TaskWithSteps, bounds: Bounds) -> dict[str, Any]:
    steps = [shortened(step.description, MAX_STEP_CHARS) for step in task.steps[:MAX_STEPS]]
    return {"request": shortened(task.task.request, bounds.user), "steps": steps}


def _difference(previous: str, current: str, bounds: Bounds) -> str:
    before, after = (text[:MAX_COMPARED].splitlines() for text in (previous, current))
    lines = list(unified_diff(before, after, "before", "after", n=1, lineterm=""))
    return shortened("\n".join(lines), bounds.difference)
