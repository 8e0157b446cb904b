"""What a memory agent's answer says: read tolerantly, validated strictly. Each fact that is dropped has its reason."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from typing import Any

from orca_core import words
from orca_core.model.learning import DroppedFact, ProposedFact, Reading
from orca_core.model.memories import MemoryType
from orca_core.rules.learning.agent.json_reading import CutObject, Value, values_in
from orca_core.rules.text.cleaning import clean_message, clean_statement, cut, has_hidden
from orca_core.rules.text.languages import Language, language_of
from orca_core.settings import ExtractSettings

MIN_FACT_CHARS = 5
"""A shorter fact says nothing by itself ("用户叫王" has four characters). Chosen by hand."""
MAX_QUOTE_CHARS = 500
"""As much as is read of a question: a longer quote can't stand in it."""
MAX_DROPPED = 50
"""So many dropped facts are kept with their texts; of more only the number. It bounds a run's record."""
SHOWN_CHARS = 200
SEED_CONFIDENCE = 0.8
"""What a fact is worth in the shape that gives no confidence. Chosen by hand, above `min_confidence`'s default."""

ABOUT = frozenset({"user", "theirs", "other"})
WHEN = frozenset({"now", "past", "planned", "wish"})
"""The labels that a fact may carry: of whom it speaks, and of which time. Any other is as if it were not there."""

_SEED_TYPES = {
    "persona": MemoryType.FACT,
    "episodic": MemoryType.EVENT,
    "instruction": MemoryType.INSTRUCTION,
}
_THINKING = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>|\A.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)


class _DroppedError(Exception):
    """A fact breaks a rule; the message is the rule's name."""


def max_fact_chars(language: Language) -> int:
    """How long a fact may be in a language."""
    return int(words.text("language.limits", "fact_chars", language))


def read_facts(answer: str, extract: ExtractSettings) -> Reading | None:
    """The facts of an answer; None where nothing in it can be read as one."""
    proposed = items_in(answer)
    if proposed is None:
        return None
    facts: list[ProposedFact] = []
    dropped: list[DroppedFact] = []
    uncounted = 0
    for item in proposed:
        try:
            fact = _fact(item, extract)
            if any(fact.content == other.content for other in facts):
                raise _DroppedError("repeated")
            if len(facts) == extract.max_facts:
                raise _DroppedError("over_limit")
        except _DroppedError as error:
            if len(dropped) < MAX_DROPPED:
                dropped.append(dropped_for(item, str(error)))
            else:
                uncounted += 1
        else:
            facts.append(fact)
    if uncounted:
        dropped.append(DroppedFact(f"… {uncounted:,}", "over_limit"))
    return Reading(tuple(facts), tuple(dropped))


def items_in(answer: str) -> Iterable[Any] | None:
    """The items that the answer proposes: of its last whole value that has the shape, else of one that was cut."""
    shaped = [(found, items) for found in values_in(without_thinking(answer)) if (items := _items(found)) is not None]
    if not shaped:
        return None
    whole = [items for found, items in shaped if not found.is_cut]
    return whole[-1] if whole else shaped[-1][1]


def without_thinking(answer: str) -> str:
    """The answer without its thoughts. If there is nothing else, the thoughts are read."""
    rest = _THINKING.sub("", answer)
    return rest if rest.strip() else answer


def _items(found: Value) -> list[Any] | None:
    value = found.value
    if isinstance(value, list):
        return value if not value or any(_has_the_shape(item) for item in value) else None
    if not isinstance(value, dict):
        return None
    facts = value.get("facts")
    if isinstance(facts, list):
        return facts
    if isinstance(facts, dict):
        return [facts]
    if any(isinstance(value.get(name), list) for name in _SEED_TYPES):
        return [_from_seed(name, item) for name in _SEED_TYPES for item in _listed(value.get(name))]
    return [value] if _has_the_shape(value) else None


def _has_the_shape(item: Any) -> bool:
    return isinstance(item, dict) and ("content" in item or "retract" in item)


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _from_seed(name: str, item: Any) -> Any:
    if not isinstance(item, str):
        return item
    return {"content": item, "type": _SEED_TYPES[name].value, "confidence": SEED_CONFIDENCE}


def fact_of(item: Any, extract: ExtractSettings) -> ProposedFact | DroppedFact:
    """What one item says; dropped with the first rule that it breaks."""
    try:
        return _fact(item, extract)
    except _DroppedError as error:
        return dropped_for(item, str(error))


def dropped_for(item: Any, reason: str) -> DroppedFact:
    return DroppedFact(_shown(item), reason)


def _fact(item: Any, extract: ExtractSettings) -> ProposedFact:
    """Raises _DroppedError with the first rule that it breaks."""
    if isinstance(item, CutObject):
        raise _DroppedError("cut")
    if not isinstance(item, dict):
        raise _DroppedError("not_an_object")
    retract = _text(item.get("retract"), MAX_QUOTE_CHARS)
    raw, is_bare = item, bool(retract) and not _says_anything(item)
    if is_bare:
        item = {"type": MemoryType.FACT.value, "confidence": SEED_CONFIDENCE, **_said(item), "content": ended(retract)}
    return ProposedFact(
        content=_content(item),
        type=_type(item),
        tags=_tags(item, extract),
        confidence=_confidence(item, extract),
        quote=_text(item.get("quote"), MAX_QUOTE_CHARS),
        replace=_text(item.get("replace"), MAX_QUOTE_CHARS),
        retract=retract,
        about=_label(item.get("about"), ABOUT),
        when=_label(item.get("when"), WHEN),
        has_hidden=_has_hidden(raw.get("retract" if is_bare else "content")),
    )


def _says_anything(item: Mapping[str, Any]) -> bool:
    """Whether there is a content that could be one; of one that is too long the reason is told."""
    raw = item.get("content")
    return isinstance(raw, str) and len(clean_statement(raw[: 2 * SHOWN_CHARS])) >= MIN_FACT_CHARS


def _said(item: Mapping[str, Any]) -> Mapping[str, Any]:
    """What the item says, without the fields that it leaves empty."""
    return {name: value for name, value in item.items() if value not in (None, "")}


def ended(retract: str) -> str:
    """What a retraction alone says."""
    language = language_of(retract)
    sentence = words.text("time.sentences", "ended", language)
    return sentence.format(cut(retract, max_fact_chars(language) - len(sentence)))


def _content(item: Mapping[str, Any]) -> str:
    raw = item.get("content")
    if not isinstance(raw, str):
        raise _DroppedError("no_content")
    most = max(map(max_fact_chars, words.languages()))
    content = clean_statement(raw[: 20 * most])
    if len(content) < MIN_FACT_CHARS:
        raise _DroppedError("too_short")
    if len(raw) > 20 * most or len(content) > max_fact_chars(language_of(content)):
        raise _DroppedError("too_long")
    return content


def _has_hidden(value: Any) -> bool:
    return isinstance(value, str) and has_hidden(clean_message(value))


def _type(item: Mapping[str, Any]) -> MemoryType:
    found = item.get("type")
    if not isinstance(found, str) or found.strip().lower() not in {kind.value for kind in MemoryType}:
        raise _DroppedError("unknown_type")
    return MemoryType(found.strip().lower())


def _tags(item: Mapping[str, Any], extract: ExtractSettings) -> tuple[str, ...]:
    """Those of the tags that the settings know, each once."""
    found = item.get("tags")
    if not extract.auto_tag or not isinstance(found, list):
        return ()
    return tuple(dict.fromkeys(tag for tag in found if isinstance(tag, str) and tag in extract.tags))


def _confidence(item: Mapping[str, Any], extract: ExtractSettings) -> float:
    found = item.get("confidence")
    if isinstance(found, bool) or not isinstance(found, int | float):
        raise _DroppedError("confidence")
    if not math.isfinite(found) or not 0 <= found <= 1:
        raise _DroppedError("confidence")
    if found < extract.min_confidence:
        raise _DroppedError("low_confidence")
    return round(float(found), 6)


def _label(value: Any, known: frozenset[str]) -> str:
    label = value.strip().lower() if isinstance(value, str) else ""
    return label if label in known else ""


def _text(value: Any, most: int) -> str:
    """A text; of several the first."""
    if isinstance(value, list):
        value = next(iter(value), None)
    return cut(clean_statement(value[: 4 * most]), most) if isinstance(value, str) else ""


def _shown(item: Any) -> str:
    """What a dropped fact said, for the record."""
    said = item.get("content") or item.get("retract") if isinstance(item, dict) else item
    return (
        cut(clean_statement(str(said)[: 4 * SHOWN_CHARS]), SHOWN_CHARS) if isinstance(said, str | int | float) else ""
    )
