"""What the memory agent is shown of acts: data, never an instruction."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from difflib import unified_diff
from typing import Any

from orca_core.domain.dialogues import Round
from orca_core.domain.growth.actions import Action
from orca_core.domain.growth.reading import ActBatch, ActReading
from orca_core.domain.work.tasks import TaskWithSteps
from orca_core.rules.growing.told import MAX_COMPARED, messages_in, text_of, told_in
from orca_core.rules.learning.agent.transcripts import shortened, user_text

MAX_USER_CHARS = 600
MAX_ASSISTANT_CHARS = 1200
MAX_DIFFERENCE_CHARS = 3000
MAX_SESSION_CHARS = 6000
MAX_STEPS = 20
MAX_STEP_CHARS = 200
"""They bound what one call reads: ten likes are some six thousand words at most. Chosen by hand."""


def material(batch: ActBatch, reading: ActReading, known: Sequence[str]) -> str:
    """The acts by their places, with what they refer to, what they are read for, and what is known already."""
    shown: dict[str, Any] = {"reading": reading.value, "known": list(known), "acts": rows(batch)}
    if batch.reading is ActReading.WORKFLOWS and batch.rounds:
        shown["session"] = session(batch)
    return json.dumps(shown, ensure_ascii=False)


def rows(batch: ActBatch) -> list[dict[str, Any]]:
    """The acts by their places, with what they refer to."""
    return [_row(place, act, batch) for place, act in enumerate(batch.actions, start=1)]


def shows_anything(batch: ActBatch) -> bool:
    """Whether there is something to read: what acts were about may be deleted by now."""
    told = told_in(batch)
    return bool(told.foreign or told.own)


def _row(place: int, act: Action, batch: ActBatch) -> dict[str, Any]:
    row: dict[str, Any] = {"action": place, "did": act.type.value, "day": f"{act.at.astimezone():%Y-%m-%d}"}
    round_ = next((each for each in batch.rounds if each.number == act.round), None)
    if round_ is not None and batch.reading is not ActReading.WORKFLOWS:
        row["round"] = _round(round_)
    task = next((each for each in batch.tasks if each.task.id == act.task), None)
    if task is not None:
        row["task"] = _task(task)
    if act.tool:
        row["tool"] = act.tool
    return row | dict(_given(act, batch.reading))


def _given(act: Action, reading: ActReading) -> Iterator[tuple[str, Any]]:
    """What a client gave with the act."""
    data: Mapping[str, Any] = act.data
    difference = _difference(text_of(data.get("previous")), text_of(data.get("current")))
    if reading is ActReading.EDITS and difference:
        yield "difference", difference
    if reading is ActReading.CHATS and (query := text_of(data.get("query"))):
        yield "query", shortened(query, MAX_USER_CHARS)
    if operation := text_of(data.get("operation")):
        yield "operation", shortened(operation, MAX_STEP_CHARS)
    if messages := messages_in(act):
        yield "messages", _newest([{who: _bounded(who, text)} for who, text in messages])


def _bounded(who: str, text: str) -> str:
    return shortened(text, MAX_USER_CHARS if who == "user" else MAX_ASSISTANT_CHARS // 2)


def _round(round_: Round) -> dict[str, Any]:
    return {
        "user": user_text(round_.spans, MAX_USER_CHARS),
        "assistant_said": shortened(round_.assistant, MAX_ASSISTANT_CHARS),
    }


def session(batch: ActBatch) -> list[dict[str, Any]]:
    """The rounds of a collected session."""
    return _newest([_round(each) for each in batch.rounds])


def _newest(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """As many of the newest as fit, oldest first."""
    kept: list[dict[str, Any]] = []
    room = MAX_SESSION_CHARS
    for row in reversed(rows):
        room -= len(json.dumps(row, ensure_ascii=False))
        if room < 0 and kept:
            break
        kept.append(row)
    return kept[::-1]


def _task(task: TaskWithSteps) -> dict[str, Any]:
    steps = [shortened(step.description, MAX_STEP_CHARS) for step in task.steps[:MAX_STEPS]]
    return {"request": shortened(task.task.request, MAX_USER_CHARS), "steps": steps}


def _difference(previous: str, current: str) -> str:
    before, after = (text[:MAX_COMPARED].splitlines() for text in (previous, current))
    lines = list(unified_diff(before, after, "before", "after", n=1, lineterm=""))
    return shortened("\n".join(lines), MAX_DIFFERENCE_CHARS)
