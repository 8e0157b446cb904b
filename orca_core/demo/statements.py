"""What the demo notes of what is said to it: clauses that begin with their speaker, and those that go on with them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from orca_core import words
from orca_core.rules.learning.fact_extraction import MIN_FACT_CHARS, max_fact_chars
from orca_core.rules.learning.typed_sources import MIN_QUOTE
from orca_core.rules.requests.recall_questions import MASK, own_words, without_opening
from orca_core.rules.text import typed_spans
from orca_core.rules.text.spelling import in_the_third_person, language_of

_SPEAKER = {"zh": "我"}
_AROUND = " 。.!！；;，,：:\n…"


def statements_in(text: str) -> Iterator[tuple[str, str]]:
    """What a typed text plainly says of its speaker, each as a memory says it and as it was typed. What stands behind a
    text at hand, or in a play, is nobody's."""
    plain = own_words(text)
    aside = words.pattern("recall.sets_aside").search(plain)
    for piece in typed_spans.sentences(plain[: aside.start()] if aside else plain):
        for told, begin, end in _told(text, plain, piece.start, piece.end):
            quote = text[begin:end]
            if typed_spans.weight_of(quote) < MIN_QUOTE:  # it would prove nothing: all that was said with it does
                quote = text[piece.start : end].strip(_AROUND)
            if MIN_FACT_CHARS <= len(told) <= max_fact_chars(language_of(told)) and MASK not in plain[begin:end]:
                yield told, quote


def _told(text: str, plain: str, start: int, end: int) -> Iterator[tuple[str, int, int]]:
    """The clauses of a sentence that state something, and their places; a wish of how to be answered is one."""
    if words.pattern("recall.supposes").search(plain, start, end):
        return
    if words.pattern("demo.wishes").match(plain, *_trimmed(plain, start, end)):
        begin, stop = _trimmed(plain, start, end)
        yield text[begin:stop], begin, stop
        return
    speaks = False
    for first, last in _clauses(plain, start, end):
        begin = last - len(without_opening(plain[first:last]))
        clause = plain[begin:last]
        if words.pattern("demo.first_person").match(clause):
            told = in_the_third_person(text[begin:last])
            speaks = not _is_of_something_of_theirs(told)
        elif speaks and not words.pattern("demo.others").match(clause) and _goes_on(clause):
            told = in_the_third_person(f"{_SPEAKER.get(language_of(clause), 'I ')}{text[begin:last]}")
        else:
            speaks = False
            continue
        if not words.pattern("demo.says_nothing").search(clause):
            yield told, begin, last


def _is_of_something_of_theirs(told: str) -> bool:
    """What goes on behind "my wife is a cellist" may be of her."""
    return words.pattern("demo.theirs").match(told) is not None


def _goes_on(clause: str) -> bool:
    """Whether a clause without a subject has a verb of the speaker's: in Chinese it needs no sign of it."""
    return language_of(clause) != words.ENGLISH or words.pattern("demo.goes_on").match(clause) is not None


def _clauses(plain: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for mark in [*_joint().finditer(plain, start, end), None]:
        first, last = _trimmed(plain, start, mark.start() if mark else end)
        if first < last:
            yield first, last
        start = mark.end() if mark else start


def _trimmed(plain: str, start: int, end: int) -> tuple[int, int]:
    while start < end and plain[start] in _AROUND:
        start += 1
    while start < end and plain[end - 1] in _AROUND:
        end -= 1
    return start, end


@cache
def _joint() -> re.Pattern[str]:
    """Where a clause ends: not behind one that is too short to stand alone."""
    return re.compile(rf"(?<=[^，,；;]{{4}})[，,；;]\s*|[：:]\s*|{words.source('demo.joins')}", re.IGNORECASE)
