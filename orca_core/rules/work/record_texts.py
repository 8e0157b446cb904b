"""Clean and cut what tasks, episodes and knowledge are told, and make the texts by which they are found."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar

from orca_core import words
from orca_core.model.errors import InvalidInput
from orca_core.model.tasks import Outcome, StepStatus, TaskStatus, Trigger
from orca_core.rules.text.cleaning import (
    check_length,
    clean_memory,
    cut_text,
    for_terminal,
    is_inside_character,
    plain_object,
)
from orca_core.rules.text.spelling import language_of

MAX_TEXT_CHARS = 2000
"""As much as a memory may have."""
MAX_NAME_CHARS = 200
"""The most of a target or of a tool's name. Chosen by hand."""
MAX_BYTES = 65_536
"""The most of what a tool was given, of what it answered, and of a task's context."""
_ROOM_FOR_NOTE = 64
_MOST_BYTES = 2
"""A quote or an end of a line takes as many in JSON."""
_CUT_AT = "…"
_Word = TypeVar("_Word", Outcome, StepStatus, TaskStatus, Trigger)


def checked_text(given: str, *, what: str, most: int = MAX_TEXT_CHARS, may_be_empty: bool = True) -> str:
    """A field's text, cleaned. Raises InvalidInput where it is too long, or empty and may not be."""
    cleaned = clean_memory(given)
    if not cleaned and not may_be_empty:
        raise InvalidInput(template="the {what} is empty", hint="say it in a few words", what=what)
    check_length(cleaned, what, most)
    return cleaned


def checked_word(found: str, known: tuple[_Word, ...], *, what: str) -> _Word:
    """One of the words that a field knows. Raises InvalidInput, naming them all."""
    wanted = found.strip().lower().replace("-", "_")
    for each in known:
        if each.value == wanted:
            return each
    raise InvalidInput(
        template="no such {what}: {found}",
        hint="one of {known}",
        what=what,
        found=found,
        known=", ".join(known),
    )


def cut_result(given: str) -> str:
    """Return what a tool answered, in lines; of one that is too long its beginning, and how much was cut off."""
    return cut_to_bytes(for_terminal(given), MAX_BYTES)


def cut_to_bytes(given: str, most: int) -> str:
    """The longest beginning that fits with a note of what was cut off, in UTF-8; it splits nothing that people see as
    one character."""
    size = len(given.encode())
    if size <= most:
        return given
    kept = _beginning(given, most)
    return kept + _note(size - len(kept.encode()))


def _beginning(given: str, most: int) -> str:
    """As much of it as leaves room for a note."""
    kept = given.encode()[: max(0, most - _ROOM_FOR_NOTE)].decode(errors="ignore")
    end = len(kept)
    while end > 0 and is_inside_character(given, end):
        end -= 1
    return given[: end or len(kept)]


def _note(cut: int) -> str:
    return f"{_CUT_AT} [{cut} bytes cut]"


def cut_args(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a tool was given; of what is too long each value that fits, the first that does not up to its cut,
    and how much was left out. Raises InvalidInput where it is no JSON."""
    cleaned = plain_object(given)
    size = _size(cleaned)
    if size <= MAX_BYTES:
        return cleaned
    kept: dict[str, Any] = {}
    room = MAX_BYTES - 2 * _ROOM_FOR_NOTE
    for name, value in cleaned.items():
        left = room - _size({name: ""})
        fitting = _beginning(value, left // _MOST_BYTES) + _CUT_AT if isinstance(value, str) and left > 0 else value
        for said in (value, fitting):
            if name not in kept and (needed := _size({name: said})) <= room:
                kept[name] = said
                room -= needed
    return {**kept, _CUT_AT: _note(size - _size(kept)).strip()}


def merged_context(before: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is known at a task, with the values given; one that is None goes. Raises InvalidInput where it is no
    JSON or too long."""
    together = {name: value for name, value in {**before, **plain_object(given)}.items() if value is not None}
    if (size := _size(together)) > MAX_BYTES:
        raise InvalidInput(
            template="a context of {found} bytes, at most {most}",
            hint="keep what is large elsewhere, and its place here",
            found=size,
            most=MAX_BYTES,
        )
    return together


def _size(value: Mapping[str, Any]) -> int:
    return len(_to_json(value).encode())


def _to_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


MAX_CHARS = 2000
"""As much as a memory has: what is embedded and shown is bounded by it."""


def episode_text(
    *,
    trigger: str,
    target: str = "",
    steps: Sequence[str] = (),
    outcome: Outcome = Outcome.UNKNOWN,
    tags: Sequence[str] = (),
    at: datetime,
) -> str:
    """Return what happened, to what, how it ended and when, in the language of what made it begin; then the steps, as
    many as there is room for."""
    ended = words.text("work.outcomes", outcome.value, language_of(trigger)).format(f"{at:%Y-%m-%d}")
    return _joined([target, trigger, ended, " ".join(f"#{tag}" for tag in tags), "; ".join(steps)])


def knowledge_text(*, topic: str, content: str, key_points: Sequence[str] = (), target: str = "") -> str:
    """Return what it is about, its points, then all of it."""
    return _joined([target if target != topic else "", topic, "; ".join(key_points), content])


def _joined(parts: Sequence[str]) -> str:
    return cut_text(" · ".join(part for part in parts if part), MAX_CHARS)
