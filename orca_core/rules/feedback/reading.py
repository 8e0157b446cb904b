"""What a memory agent's answer says that acts show: read tolerantly, validated strictly. Each preference that is
dropped has its reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from orca_core import words
from orca_core.model.feedback import Action, ActionType, PreferencesRead, ProposedPreference
from orca_core.model.learning import DroppedFact
from orca_core.model.memories import MemoryType
from orca_core.rules.feedback.acts import KINDS, About
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
OF_A_QUERY = 3
"""So many things one query may tell; any other act shows one. Chosen by hand."""
WORKFLOW_TAGS = {"zh": "工作流"}
"""The tag of a workflow by its language; in any other it is `workflow`."""

_IMPLICIT, _EXPLICIT = "implicit", "explicit"
_STATED = {
    _EXPLICIT: MemoryType.PREFERENCE,
    **{each.value: each for each in (MemoryType.FACT, MemoryType.PROJECT, MemoryType.EVENT)},
}
"""What a user may be said to state, by the words of an answer."""


class _DroppedError(Exception):
    """A preference breaks a rule; the message is the rule's name."""


def limits(language: Language) -> Mapping[str, int]:
    """How long a preference, and a workflow, may be, by the fields of the instructions."""
    most = max_fact_chars(language)
    return {"max_chars": most, "max_workflow_chars": WORKFLOW_LENGTHS * most}


def preferences(items: Iterable[Any], acts: Sequence[Action]) -> PreferencesRead:
    """What the items of an answer say about these acts."""
    found: list[ProposedPreference] = []
    shown: Counter[int] = Counter()
    dropped: list[DroppedFact] = []
    for item in items:
        try:
            each = _preference(item, acts)
            if shown[each.action] == (OF_A_QUERY if _is_query(acts[each.action - 1]) else 1):
                raise _DroppedError("one_an_act")
        except _DroppedError as error:
            dropped.append(DroppedFact(_shown(item), str(error)))
        else:
            shown[each.action] += 1
            found.append(each)
    return PreferencesRead(tuple(found), tuple(dropped[:MAX_DROPPED]))


def _is_query(act: Action) -> bool:
    return KINDS[act.type].about is About.QUERY


def items_in(answer: str) -> Sequence[Any] | None:
    """The items of its last whole value that has the shape, else of one that was cut; None where it has none."""
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


def _preference(item: Any, acts: Sequence[Action]) -> ProposedPreference:
    """Raises _DroppedError with the first rule that it breaks."""
    if isinstance(item, CutObject):
        raise _DroppedError("cut")
    if not isinstance(item, dict):
        raise _DroppedError("not_an_object")
    place = number_in(item.get("action"))
    if place is None or not 1 <= place <= len(acts):
        raise _DroppedError("no_such_act")
    kind = _kind(item.get("type"))
    retract = _text(item.get("retract"))
    is_workflow = acts[place - 1].type is ActionType.COLLECT_SESSION
    content = _content(item.get("content"), WORKFLOW_LENGTHS if is_workflow else 1, may_be_empty=bool(retract))
    return ProposedPreference(
        place,
        content,
        _STATED.get(kind, MemoryType.PREFERENCE),
        is_explicit=kind in _STATED,
        quote=_text(item.get("quote")),
        tags=(WORKFLOW_TAGS.get(language_of(content), "workflow"),) if is_workflow else (),
        replace=_text(item.get("replace")),
        retract=retract,
    )


def _kind(value: Any) -> str:
    word = _IMPLICIT if value is None else value.strip().lower() if isinstance(value, str) else ""
    if word != _IMPLICIT and word not in _STATED:
        raise _DroppedError("unknown_type")
    return word


def _content(raw: Any, lengths: int, *, may_be_empty: bool) -> str:
    if raw in (None, "") and may_be_empty:
        return ""
    if not isinstance(raw, str):
        raise _DroppedError("no_content")
    most = WORKFLOW_LENGTHS * max(map(max_fact_chars, words.languages()))
    content = clean_statement(raw[: 20 * most])
    if len(content) < MIN_FACT_CHARS:
        raise _DroppedError("too_short")
    if len(content) > lengths * max_fact_chars(language_of(content)):
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
