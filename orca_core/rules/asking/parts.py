"""How many things a text asks in a row: "which database do we use and who runs it?" asks two."""

from __future__ import annotations

import re

from orca_core import words
from orca_core.rules.clauses.clause import Mood
from orca_core.rules.clauses.reading import read_clauses
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
    asked = [clause.text for clause in read_clauses(simplified(text)) if clause.mood is Mood.ASKED]
    questions = [part for clause in asked for part in _joined().split(clause) if _is_question(part)]
    return min(max(len(questions), 1), MAX_PARTS)


def _joined() -> re.Pattern[str]:
    """Where a further question begins within a clause."""
    return words.pattern("recall.and_asks")


def _is_question(part: str) -> bool:
    """It asks in its own words, and of something."""
    return words.pattern("clauses.interrogative").search(part) is not None and bool(content_words(part))
