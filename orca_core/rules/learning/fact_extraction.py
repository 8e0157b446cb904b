"""Make what the memory agent reads (transcripts, folds), and read its answers: facts and summaries."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import date
from typing import Any

from msgspec import Struct

from orca_core import words
from orca_core.model.learning import DroppedFact, ProposedFact, Reading
from orca_core.model.llm import Source, Span
from orca_core.model.memories import MemoryType
from orca_core.model.sessions import Round
from orca_core.rules.learning.model_json import THINKING, CutObject, items_under, last_items
from orca_core.rules.text.cleaning import ELLIPSIS, clean_message, clean_statement, cut, has_hidden, one_line
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


class _DroppedError(Exception):
    """A fact breaks a rule; the message is the rule's name."""


def max_fact_chars(language: Language) -> int:
    """Tell how long a fact may be in a language."""
    return int(words.text("language.limits", "fact_chars", language))


def read_facts(answer: str, extract: ExtractSettings) -> Reading | None:
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
                raise _DroppedError("repeated")
            if len(facts) == extract.max_facts:
                raise _DroppedError("over_limit")
        except _DroppedError as error:
            dropped.append(DroppedFact(shown_item(item), str(error)))
        else:
            facts.append(fact)
    if more := len(dropped) - MAX_DROPPED:
        dropped[MAX_DROPPED:] = [DroppedFact(f"… {more:,}", "over_limit")] if more > 0 else []
    return Reading(tuple(facts), tuple(dropped))


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
    """Raises _DroppedError with the first rule that it breaks."""
    if isinstance(item, CutObject):
        raise _DroppedError("cut")
    if not isinstance(item, dict):
        raise _DroppedError("not_an_object")
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
    return sentence.format(cut(retract, max_fact_chars(language) - len(sentence)))


def _content(raw: Any) -> str:
    if not isinstance(raw, str):
        raise _DroppedError("no_content")
    content = clean_statement(raw[:MAX_READ_CHARS])
    if len(content) < MIN_FACT_CHARS:
        raise _DroppedError("too_short")
    if len(raw) > MAX_READ_CHARS or len(content) > max_fact_chars(language_of(content)):
        raise _DroppedError("too_long")
    return content


def _type(found: Any) -> MemoryType:
    if not isinstance(found, str) or found.strip().lower() not in list(MemoryType):
        raise _DroppedError("unknown_type")
    return MemoryType(found.strip().lower())


def _tags(found: Any, extract: ExtractSettings) -> tuple[str, ...]:
    """Those of the tags that the settings know, each once."""
    if not extract.auto_tag or not isinstance(found, list):
        return ()
    return tuple(dict.fromkeys(tag for tag in found if isinstance(tag, str) and tag in extract.tags))


def _confidence(found: Any, extract: ExtractSettings) -> float:
    if isinstance(found, bool) or not isinstance(found, int | float) or not 0 <= found <= 1:
        raise _DroppedError("confidence")
    if found < extract.min_confidence:
        raise _DroppedError("low_confidence")
    return round(float(found), 6)


def _label(value: Any, known: frozenset[str]) -> str:
    label = value.strip().lower() if isinstance(value, str) else ""
    return label if label in known else ""


def text_in(value: Any, most: int = MAX_QUOTE_CHARS) -> str:
    """The text of a field, cleaned and cut; of several the first, empty where there is none."""
    if isinstance(value, list):
        value = next(iter(value), None)
    return cut(clean_statement(value[: 4 * most]), most) if isinstance(value, str) else ""


def shown_item(item: Any) -> str:
    """Return what a dropped fact said, for the record."""
    said = item.get("content") or item.get("retract") if isinstance(item, dict) else item
    return text_in(str(said), SHOWN_CHARS) if isinstance(said, str | int | float) else ""


MAX_BATCH_CHARS = 4000
"""What one run reads. It bounds what a run costs (`benchmarks/long_conversation.py` counts it); chosen by hand."""
MAX_USER_CHARS = 500
MAX_ASSISTANT_CHARS = 300
"""What is read of a question and of an answer: a fact stands on what the user says. Chosen by hand."""
UNREAD = "unread_rest"
"""Why nothing is learnt from the rest of a long message."""
UNREAD_SHOWN_CHARS = 60
MIN_MESSAGES = 2
"""A run of fewer would hold no answer to what is said."""


class Testimony(Struct, frozen=True):
    """Who said what in some rounds: the ground on which a fact stands or falls. A round's number leads each text.
    `said_on` is the user's own day of each round."""

    typed: tuple[tuple[int, str], ...]
    untrusted: tuple[str, ...]
    assistant: tuple[str, ...]
    said_on: tuple[tuple[int, date], ...] = ()


def testimony(rounds: Sequence[Round]) -> Testimony:
    return Testimony(
        typed=tuple((each.number, span.text) for each in rounds for span in each.spans if span.source is Source.TYPED),
        untrusted=tuple(
            span.text for each in rounds for span in each.spans if span.source is not Source.TYPED and span.text.strip()
        ),
        assistant=tuple(each.assistant for each in rounds if each.assistant.strip()),
        said_on=tuple((each.number, each.at.astimezone().date()) for each in rounds),
    )


def _line(each: Round) -> str:
    return round_line(each, "%Y-%m-%d %A", MAX_USER_CHARS, MAX_ASSISTANT_CHARS)


def round_line(each: Round, day: str, user_chars: int, assistant_chars: int) -> str:
    """A round as a JSON object on one line, its texts cut to so many characters, its day in this format."""
    row = {
        "round": each.number,
        "date": each.at.strftime(day),
        "user": user_text(each.spans, user_chars),
        "assistant": shortened(each.assistant, assistant_chars),
    }
    return json.dumps(row, ensure_ascii=False)


def how_many_fit(
    rounds: Sequence[Round], line: Callable[[Round], str] = _line, most_chars: int = MAX_BATCH_CHARS
) -> int:
    """Tell how many of the oldest rounds one run reads, each as this line: at least one, if there is any."""
    total = 0
    for index, each in enumerate(rounds):
        total += len(line(each))
        if index and total > most_chars:
            return index
    return len(rounds)


def message_count(rounds: Sequence[Round]) -> int:
    return sum(bool(each.user.strip()) + bool(each.assistant.strip()) for each in rounds)


def dialogue(rounds: Sequence[Round], line: Callable[[Round], str] = _line) -> str:
    """The rounds as a JSON array, a line each: no text in it can pretend to be another speaker."""
    return "[" + ",\n".join(map(line, rounds)) + "]"


def unread(rounds: Sequence[Round]) -> list[DroppedFact]:
    """Of each round whose typed text is longer than what is read of it, the beginning of what is not."""
    found = []
    for each in rounds:
        room = MAX_USER_CHARS
        for said in (clean_message(span.text).strip() for span in each.spans if span.source is Source.TYPED):
            read = shortened(said, room)
            if len(said) > room:
                rest = said[max(0, len(read) - len(ELLIPSIS)) :]
                found.append(DroppedFact(ELLIPSIS + one_line(rest, UNREAD_SHOWN_CHARS), UNREAD))
                break
            room -= len(read)
    return found


def user_text(spans: Sequence[Span], limit: int) -> str:
    """A question: its typed text as far as that fits, and only the length of everything else."""
    room = limit
    pieces = []
    for span in spans:
        if span.source is not Source.TYPED:
            pieces.append(f"[{span.source.value} {len(span.text):,} characters]")
            continue
        said = shortened(span.text, room)
        room -= len(said)
        pieces.append(said)
    return " ".join(piece for piece in (each.strip() for each in pieces) if piece)


def shortened(text: str, limit: int) -> str:
    text = clean_message(text).strip()
    return text if len(text) <= limit else cut(text, max(0, limit - 1)).rstrip() + ELLIPSIS


KEPT_SHARE = 0.5
"""Folding goes on until what stays verbatim is this share of the trigger.

Chosen by hand; `benchmarks/long_conversation.py` shows what it comes to: tokens of the prompt, and how many folds."""
ALWAYS_VERBATIM = 2
"""The latest rounds are never folded: the conversation goes on from them, and they may still be replaced."""
MAX_FOLD_CHARS = 24_000
MAX_FOLDED_CHARS = 1500
"""They bound what one fold asks the memory agent to read. Chosen by hand."""
MAX_SUMMARY_CHARS = 4000
"""It bounds what a summary takes of every prompt behind it, whatever the memory agent answers. Chosen by hand."""


def max_summary_words(language: Language) -> int:
    """Tell how many words (in Chinese: characters) a running summary may have in a language."""
    return int(words.text("language.limits", "summary_words", language))


def fold_through(rounds: Sequence[Round], costs: Sequence[int], trigger_tokens: int) -> int | None:
    """The number of the last round to fold; None where nothing should be folded.

    `rounds` are those after the summary, `costs` their tokens. Nothing is folded while they weigh no more than the
    trigger. One fold takes no more than it can read."""
    total = sum(costs)
    if total <= trigger_tokens:
        return None
    chars = 0
    last: int | None = None
    for each, cost in zip(rounds[: max(0, len(rounds) - ALWAYS_VERBATIM)], costs, strict=False):
        chars += len(fold_line(each))
        if total <= trigger_tokens * KEPT_SHARE or (last is not None and chars > MAX_FOLD_CHARS):
            break
        total -= cost
        last = each.number
    return last


def fold_material(rounds: Sequence[Round]) -> str:
    """The rounds as the summarizer reads them."""
    return "\n\n".join(fold_line(each) for each in rounds)


def fold_line(each: Round) -> str:
    said = shortened(each.user, MAX_FOLDED_CHARS)
    answered = shortened(each.assistant, MAX_FOLDED_CHARS)
    return f"[{each.number}] user: {said}\n[{each.number}] assistant: {answered}"


def read_summary(answer: str) -> str:
    """The summary in an answer; empty where there is none."""
    text = clean_message(THINKING.sub("", answer)).strip()
    return cut(text, MAX_SUMMARY_CHARS)
