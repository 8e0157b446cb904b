"""What the user asks, in so many words, to be remembered; and what kind of memory a text is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from orca_core import words
from orca_core.domain.memories import MemoryType
from orca_core.domain.messages import Span
from orca_core.rules.asking import requests
from orca_core.rules.asking.requests import EDGES, Place
from orca_core.rules.text import memory_wording
from orca_core.rules.text.cleaning import MEMORY_LIMITS, clean_memory
from orca_core.rules.text.scripts import simplified


def remember_request(spans: Sequence[Span]) -> str | None:
    """What is to be remembered at once: said in typed text, at the start of a clause, and no question."""
    for place in requests.places(spans, words.pattern("remember.mentions_remembering")):
        if (content := _asked_to_remember(place)) is not None:
            return content
    return None


def remembered_type(text: str) -> MemoryType:
    """What kind of memory a text is, by how it is said."""
    said = simplified(text)
    for kind, wording in memory_wording.types():
        if wording.search(said):
            return kind
    return MemoryType.FACT


def is_conditional(text: str) -> bool:
    """Whether it holds only under a condition: "if the user mentions taxes, …", "每当…"."""
    return memory_wording.conditions().search(simplified(text)) is not None


def sensitive_reason(text: str) -> str | None:
    """Why a text may not become a live memory by itself: it holds a `url` (or an e-mail address), a `secret` or an
    `account_number` (a telephone number too)."""
    said = simplified(text)
    return next((reason for reason, shape in memory_wording.sensitive_shapes() if shape.search(said)), None)


def _asked_to_remember(place: Place) -> str | None:
    if match := words.pattern("remember.to_the_end_of_the_line").match(place.masked):
        is_whole_line = True
    elif match := words.pattern("remember.to_the_end_of_the_sentence").match(place.masked):
        is_whole_line = False
    else:
        return None
    end = _end_of_statements(place.masked, match.end(), is_whole_line=is_whole_line)
    if place.goes_on and end == len(place.text):
        return None
    content = requests.courtesy().sub("", clean_memory(place.text[match.end() : end]).strip(EDGES)).strip(EDGES)
    shortest, longest = MEMORY_LIMITS
    if not shortest <= len(content) <= longest or _only_points().fullmatch(content):
        return None
    return _without_full_stop(content)


def _end_of_statements(masked: str, start: int, *, is_whole_line: bool) -> int:
    """Where the statements end that begin here: one sentence, or all of the line up to its first question."""
    courtesy, asks = requests.courtesy(), words.pattern("remember.asks", flags=re.NOFLAG)
    end = start
    while end < len(masked):
        stop = requests.sentence_end().search(masked, end)
        sentence_end = stop.end() if stop else len(masked)
        sentence = masked[end:sentence_end].strip()
        if asks.search(courtesy.sub("", sentence)):
            return end
        end = sentence_end
        if not is_whole_line or courtesy.search(sentence):
            return end
    return end


def _without_full_stop(content: str) -> str:
    """One sentence loses its full stop; several keep theirs."""
    is_one_sentence = len(requests.sentence_end().findall(content)) == 1
    return content.rstrip("。.") if is_one_sentence and len(content.rstrip("。.")) >= MEMORY_LIMITS[0] else content


@cache
def _only_points() -> re.Pattern[str]:
    return re.compile(words.choices("remember.only_points"), re.IGNORECASE)
