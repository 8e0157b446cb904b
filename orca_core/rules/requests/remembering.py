"""What the user asks, in so many words, to be remembered; and what kind of memory a text is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from orca_core import words
from orca_core.model.llm import Span
from orca_core.model.memories import MemoryType
from orca_core.rules.requests.requests import EDGES, Place, places
from orca_core.rules.text import memory_wording, sentences
from orca_core.rules.text.cleaning import MEMORY_LIMITS, clean_memory
from orca_core.rules.text.grouped_digits import has_grouped_digits
from orca_core.rules.text.numerals import in_figures
from orca_core.rules.text.scripts import simplified

SECRET = "secret"
"""The reason for which nothing is remembered that was asked for in passing."""
ACCOUNT_NUMBER = "account_number"


def remember_request(spans: Sequence[Span]) -> str | None:
    """What is to be remembered at once: said in typed text, at the start of a clause, and no question."""
    found = map(_asked_to_remember, places(spans, words.pattern("remember.mentions_remembering")))
    return next(filter(None, found), None)


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
    `account_number` (a telephone number too), in the digits of whatever script."""
    said = simplified(in_figures(text))
    shapes = memory_wording.sensitive_shapes()
    return next((reason for reason, shape in shapes if shape.search(said) or _is_shaped_so(reason, said)), None)


def _is_shaped_so(reason: str, said: str) -> bool:
    return reason == ACCOUNT_NUMBER and has_grouped_digits(said)


def _asked_to_remember(place: Place) -> str | None:
    is_command = words.pattern("remember.command").match(place.plain)
    whole_line = is_command or words.pattern("remember.to_the_end_of_the_line").match(place.plain)
    request = whole_line or words.pattern("remember.to_the_end_of_the_sentence").match(place.plain)
    if request is None:
        return None
    limit = len(place.plain) if whole_line else place.sentence
    end = _end_of_statements(place.plain, request.end(), limit)
    if place.goes_on and end == len(place.text):
        return None
    content = _courtesy().sub("", clean_memory(place.text[request.end() : end]).strip(EDGES)).strip(EDGES)
    shortest, longest = MEMORY_LIMITS
    if not shortest <= len(content) <= longest or words.pattern("remember.only_points").fullmatch(content):
        return None
    if not is_command and sensitive_reason(content) == SECRET:
        return None
    return _without_full_stop(content)


def _end_of_statements(plain: str, start: int, limit: int) -> int:
    """Where the statements end that begin here: before the first sentence that asks."""
    end = start
    for piece in sentences.sentences(plain[start:limit]):
        sentence = plain[start + piece.start : start + piece.end].strip()
        if words.pattern("remember.asks").search(_courtesy().sub("", sentence)):
            break
        end = start + piece.end
        if _courtesy().search(sentence):
            break
    return end


def _without_full_stop(content: str) -> str:
    """One sentence loses its full stop; several keep theirs."""
    bare = content.rstrip("。.！!")
    return bare if len(list(sentences.sentences(content))) == 1 and len(bare) >= MEMORY_LIMITS[0] else content


@cache
def _courtesy() -> re.Pattern[str]:
    """What may stand behind a request, to the end of the text."""
    return re.compile(rf"[，,。 ]*(?:{words.choices('remember.courtesy')})[\s?？。.!！~]*$", re.IGNORECASE)
