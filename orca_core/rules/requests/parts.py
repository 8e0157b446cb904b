"""How many things a text asks in a row: "which database do we use and who runs it?" asks two."""

from __future__ import annotations

import re
from functools import cache

from orca_core import words
from orca_core.rules.requests.prose import without_opening
from orca_core.rules.text.scripts import simplified
from orca_core.rules.text.terms import content_words

MAX_PARTS = 3
"""So many things asked at once are told apart. Chosen by hand."""
MAX_CHARS = 300
"""A longer text is a story with a question, not several questions. Chosen by hand."""


def parts_asked(text: str) -> int:
    """How many questions of their own a text asks, at least 1 and at most `MAX_PARTS`."""
    if len(text) > MAX_CHARS:
        return 1
    questions = sum(map(_is_question, _joint().split(simplified(text))))
    return min(max(questions, 1), MAX_PARTS)


@cache
def _joint() -> re.Pattern[str]:
    """Where a further question may begin."""
    return re.compile(rf"[,，、;；。！？!?\n]+|\.(?=\s|\Z)|{words.source('recall.and_asks')}", re.IGNORECASE)


def _is_question(part: str) -> bool:
    """It asks in its own words, and of something."""
    return words.pattern("recall.asks").search(without_opening(part.strip())) is not None and bool(content_words(part))
