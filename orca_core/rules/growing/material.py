"""What the memory agent is shown of acts: data, never an instruction."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from difflib import unified_diff
from typing import Any

from msgspec import Struct

from orca_core.domain.dialogues import Round
from orca_core.domain.growth.actions import Action
from orca_core.domain.growth.reading import ActBatch, ActReading
from orca_core.domain.work.tasks import TaskWithSteps
from orca_core.rules.growing.told import MAX_COMPARED, messages_in, text_of, told_in
from orca_core.rules.learning.agent.transcripts import shortened, user_text


class Bounds(Struct, frozen=True):
    """So much is shown of each text that an act refers to, in characters."""

    user: int
    assistant: int
    difference: int
    session: int


WHOLE = Bounds(user=600, assistant=1200, difference=3000, session=6000)
MAX_STEPS = 20
MAX_STEP_CHARS = 200
"""They bound what one call reads: ten likes are some six thousand words at most. Chosen by hand."""


def material(batch: ActBatch, reading: ActReading, known: Sequence[str]) -> str:
    """The acts by their places, with what they refer to, what they are read for, and what is known already."""
    shown: dict[str, Any] = {"reading": reading.value, "known": list(known), "acts": rows(batch)}
    if batch.reading is ActReading.WORKFLOWS and batch.rounds:
        shown["session"] = session(batch.rounds)
    return json.dumps(shown, ensure_ascii=False)


def rows(batch: ActBatch) -> list[dict[str, Any]]:
    """The acts by their places, with what they refer to."""
    return [
        {"action": place, **row(act, batch.reading, batch.rounds, batch.tasks, WHOLE)}
        for place, act in enumerate(batch.actions, start=1)
    ]


def shows_anything(batch: ActBatch) -> bool:
    """Whether there is something to read: what acts were about may be deleted by now."""
    told = told_in(batch)
    return bool(told.foreign or told.own)


def row(
    act: Action, reading: ActReading, rounds: Sequence[Round], tasks: Sequence[TaskWithSteps], bounds: Bounds
) -> dict[str, Any]:
    """An act with what it refers to among these, of a collected session without its rounds."""
    found: dict[str, Any] = {"did": act.type.value, "day": f"{act.at.astimezone():%Y-%m-%d}"}
    round_ = next((each for each in rounds if (each.session_id, each.number) == (act.session_id, act.round)), None)
    if round_ is not None and reading is not ActReading.WORKFLOWS:
        found["round"] = _round(round_, bounds)
    task = next((each for each in tasks if each.task.id == act.task), None)
    if task is not None:
        found["task"] = _task(task, bounds)
    if act.tool:
        found["tool"] = act.tool
    return found | dict(_given(act, reading, bounds))


def _given(act: Action, reading: ActReading, bounds: Bounds) -> Iterator[tuple[str, Any]]:
    """What a client gave with the act."""
    data: Mapping[str, Any] = act.data
    difference = _difference(text_of(data.get("previous")), text_of(data.get("current")), bounds)
    if reading is ActReading.EDITS and difference:
        yield "difference", difference
    if reading is ActReading.CHATS and (query := text_of(data.get("query"))):
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


def session(rounds: Sequence[Round], bounds: Bounds = WHOLE) -> list[dict[str, Any]]:
    """The rounds of a collected session."""
    return _newest([_round(each, bounds) for each in rounds], bounds)


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
