"""What a memory agent's answer says that acts show: read tolerantly, validated strictly. Each preference that is
dropped has its reason."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from orca_core import words
from orca_core.domain.growth.reading import ActReading, PreferencesRead, ProposedPreference
from orca_core.domain.learning import DroppedFact
from orca_core.rules.learning.agent.json_reading import CutObject, values_in
from orca_core.rules.learning.agent.parsing import (
    MAX_QUOTE_CHARS,
    MIN_FACT_CHARS,
    SHOWN_CHARS,
    max_fact_chars,
    without_thinking,
)
from orca_core.rules.text.cleaning import clean_statement, cut
from orca_core.rules.text.languages import Language, language_of

MAX_DROPPED = 20
"""So many dropped ones are kept with their texts. It bounds a run's record."""
WORKFLOW_LENGTHS = 3
"""A workflow may be so many times as long as a fact: it has steps. Chosen by hand."""


class _DroppedError(Exception):
    """A preference breaks a rule; the message is the rule's name."""


def max_chars(reading: ActReading, language: Language) -> int:
    """How long a preference may be."""
    return (WORKFLOW_LENGTHS if reading is ActReading.WORKFLOWS else 1) * max_fact_chars(language)


def read_preferences(answer: str, count: int, reading: ActReading) -> PreferencesRead | None:
    """The preferences of an answer to `count` acts; None where nothing in it can be read as one."""
    proposed = _proposed(answer)
    if proposed is None:
        return None
    found: dict[int, ProposedPreference] = {}
    dropped: list[DroppedFact] = []
    for item in proposed:
        try:
            each = _preference(item, count, reading)
            if each.action in found:
                raise _DroppedError("one_an_act")
        except _DroppedError as error:
            dropped.append(DroppedFact(_shown(item), str(error)))
        else:
            found[each.action] = each
    return PreferencesRead(tuple(found.values()), tuple(dropped[:MAX_DROPPED]))


def _proposed(answer: str) -> Iterable[Any] | None:
    """The items of its last whole value that has the shape, else of one that was cut."""
    shaped = [
        (found, items) for found in values_in(without_thinking(answer)) if (items := _items(found.value)) is not None
    ]
    if not shaped:
        return None
    whole = [items for found, items in shaped if not found.is_cut]
    return whole[-1] if whole else shaped[-1][1]


def _items(value: Any) -> list[Any] | None:
    if isinstance(value, dict):
        inner = value.get("preferences")
        if isinstance(inner, list):
            return inner
        if isinstance(inner, dict):
            return [inner]
        return [value] if "action" in value and ("content" in value or "retract" in value) else None
    if isinstance(value, list):
        return value if not value or any(isinstance(item, dict) and "action" in item for item in value) else None
    return None


def _preference(item: Any, count: int, reading: ActReading) -> ProposedPreference:
    """Raises _DroppedError with the first rule that it breaks."""
    if isinstance(item, CutObject):
        raise _DroppedError("cut")
    if not isinstance(item, dict):
        raise _DroppedError("not_an_object")
    action = number_in(item.get("action"))
    if action is None or not 1 <= action <= count:
        raise _DroppedError("no_such_act")
    kind = item.get("type")
    if kind is not None and (not isinstance(kind, str) or kind.strip().lower() not in ("explicit", "implicit")):
        raise _DroppedError("unknown_type")
    retract = _text(item.get("retract"))
    is_workflow = reading is ActReading.WORKFLOWS
    content = _content(item.get("content"), reading, may_be_empty=bool(retract))
    tag = words.text("growing.tags", "workflow", language_of(content))
    return ProposedPreference(
        action,
        content,
        is_explicit=isinstance(kind, str) and kind.strip().lower() == "explicit",
        quote=_text(item.get("quote")),
        tags=(tag,) if is_workflow else (),
        replace=_text(item.get("replace")),
        retract=retract,
    )


def _content(raw: Any, reading: ActReading, *, may_be_empty: bool) -> str:
    if raw in (None, "") and may_be_empty:
        return ""
    if not isinstance(raw, str):
        raise _DroppedError("no_content")
    most = max(max_chars(reading, each) for each in words.languages())
    content = clean_statement(raw[: 20 * most])
    if len(content) < MIN_FACT_CHARS:
        raise _DroppedError("too_short")
    if len(content) > max_chars(reading, language_of(content)):
        raise _DroppedError("too_long")
    return content


def number_in(value: Any) -> int | None:
    """A number as agents write it."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str) and value.strip().isdecimal() and len(value) < 10:
        return int(value)
    return int(value) if isinstance(value, int | float) and value == value // 1 else None


def _text(value: Any) -> str:
    if isinstance(value, list):
        value = next(iter(value), None)
    return cut(clean_statement(value[: 4 * MAX_QUOTE_CHARS]), MAX_QUOTE_CHARS) if isinstance(value, str) else ""


def _shown(item: Any) -> str:
    said = item.get("content") or item.get("retract") if isinstance(item, dict) else item
    return (
        cut(clean_statement(str(said)[: 4 * SHOWN_CHARS]), SHOWN_CHARS) if isinstance(said, str | int | float) else ""
    )
