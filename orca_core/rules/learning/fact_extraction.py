"""Read the facts in an answer of the memory agent."""

from __future__ import annotations

from typing import Any

from orca_core import words
from orca_core.model.learning import DroppedFact, FactReading, ProposedFact
from orca_core.model.memories import MemoryType
from orca_core.rules.learning.model_json import CutObject, DroppedItemError, items_under, last_items
from orca_core.rules.text.cleaning import clean_message, clean_statement, cut_text, has_hidden
from orca_core.rules.text.spelling import Language, language_of
from orca_core.settings import ExtractSettings

MIN_FACT_CHARS = 5
"""A shorter fact says nothing by itself ("用户叫王" has four characters). Chosen by hand."""
MAX_QUOTE_CHARS = 500
"""As much as is read of a question: a longer quote can't stand in it."""
MAX_DROPPED = 50
"""So many dropped facts are kept with their texts; of more only the number. It bounds a run's record."""
SHOWN_CHARS = 200
MAX_READ_CHARS = 4_000
"""So much of a content is cleaned and measured; it bounds the time."""
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


def max_fact_chars(language: Language) -> int:
    """Tell how long a fact may be in a language."""
    return int(words.text("language.limits", "fact_chars", language))


def read_facts(answer: str, extract: ExtractSettings) -> FactReading | None:
    """The facts of an answer; None where nothing in it can be read as one."""
    proposed = last_items(answer, _items)
    if proposed is None:
        return None
    facts: list[ProposedFact] = []
    dropped: list[DroppedFact] = []
    for item in proposed:
        try:
            fact = _fact(item, extract)
            if any(fact.content == other.content for other in facts):
                raise DroppedItemError("repeated")
            if len(facts) == extract.max_facts:
                raise DroppedItemError("over_limit")
        except DroppedItemError as error:
            dropped.append(DroppedFact(shown_item(item), str(error)))
        else:
            facts.append(fact)
    if len(dropped) > MAX_DROPPED:
        dropped[MAX_DROPPED:] = [DroppedFact(f"… {len(dropped) - MAX_DROPPED:,}", "over_limit")]
    return FactReading(tuple(facts), tuple(dropped))


def _items(value: Any) -> list[Any] | None:
    is_seed = isinstance(value, dict) and any(isinstance(value.get(name), list) for name in _SEED_TYPES)
    if is_seed and not isinstance(value.get("facts"), list | dict):
        return [
            {"content": item, "type": kind.value, "confidence": SEED_CONFIDENCE} if isinstance(item, str) else item
            for name, kind in _SEED_TYPES.items()
            if isinstance(value.get(name), list)
            for item in value[name]
        ]
    return items_under(value, "facts", lambda item: "content" in item or "retract" in item)


def _fact(item: Any, extract: ExtractSettings) -> ProposedFact:
    """Raises DroppedItemError with the first rule that it breaks."""
    if isinstance(item, CutObject):
        raise DroppedItemError("cut")
    if not isinstance(item, dict):
        raise DroppedItemError("not_an_object")
    retract, worded = text_in(item.get("retract")), item.get("content")
    if retract and len(text_in(worded)) < MIN_FACT_CHARS:  # a retraction alone is a fact of its own
        worded = item.get("retract")
        said = {name: value for name, value in item.items() if value not in (None, "")}
        item = {"type": MemoryType.FACT.value, "confidence": SEED_CONFIDENCE, **said, "content": ended(retract)}
    return ProposedFact(
        content=_content(item.get("content")),
        type=_type(item.get("type")),
        tags=_tags(item.get("tags"), extract),
        confidence=_confidence(item.get("confidence"), extract),
        quote=text_in(item.get("quote")),
        replace=text_in(item.get("replace")),
        retract=retract,
        about=_label(item.get("about"), ABOUT),
        when=_label(item.get("when"), WHEN),
        has_hidden=isinstance(worded, str) and has_hidden(clean_message(worded)),
    )


def ended(retract: str) -> str:
    """Return what a retraction alone says."""
    language = language_of(retract)
    sentence = words.text("time.sentences", "ended", language)
    return sentence.format(cut_text(retract, max_fact_chars(language) - len(sentence)))


def _content(raw: Any) -> str:
    if not isinstance(raw, str):
        raise DroppedItemError("no_content")
    content = clean_statement(raw[:MAX_READ_CHARS])
    if len(content) < MIN_FACT_CHARS:
        raise DroppedItemError("too_short")
    if len(raw) > MAX_READ_CHARS or len(content) > max_fact_chars(language_of(content)):
        raise DroppedItemError("too_long")
    return content


def _type(found: Any) -> MemoryType:
    if not isinstance(found, str) or found.strip().lower() not in list(MemoryType):
        raise DroppedItemError("unknown_type")
    return MemoryType(found.strip().lower())


def _tags(found: Any, extract: ExtractSettings) -> tuple[str, ...]:
    """Those of the tags that the settings know, each once."""
    if not extract.auto_tag or not isinstance(found, list):
        return ()
    return tuple(dict.fromkeys(tag for tag in found if isinstance(tag, str) and tag in extract.tags))


def _confidence(found: Any, extract: ExtractSettings) -> float:
    if isinstance(found, bool) or not isinstance(found, int | float) or not 0 <= found <= 1:
        raise DroppedItemError("confidence")
    if found < extract.min_confidence:
        raise DroppedItemError("low_confidence")
    return round(float(found), 6)


def _label(value: Any, known: frozenset[str]) -> str:
    label = value.strip().lower() if isinstance(value, str) else ""
    return label if label in known else ""


def text_in(value: Any, most: int = MAX_QUOTE_CHARS) -> str:
    """The text of a field, cleaned and cut; of several the first, empty where there is none."""
    if isinstance(value, list):
        value = next(iter(value), None)
    return cut_text(clean_statement(value[: 4 * most]), most) if isinstance(value, str) else ""


def shown_item(item: Any) -> str:
    """Return what a dropped fact said, for the record."""
    said = item.get("content") or item.get("retract") if isinstance(item, dict) else item
    return text_in(str(said), SHOWN_CHARS) if isinstance(said, str | int | float) else ""
