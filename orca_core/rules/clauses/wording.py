"""Which wordings of `clauses.txt` a text holds."""

from __future__ import annotations

import re
from functools import cache

from orca_core import words

MAX_OPENING_WORDS = 8
"""So many words may stand before a clause's subject. It bounds the time."""


def has(wording: str, text: str) -> bool:
    return find(wording, text) is not None


def find(wording: str, text: str, start: int = 0) -> re.Match[str] | None:
    return words.pattern(f"clauses.{wording}").search(text, start)


def match(wording: str, text: str, start: int = 0) -> re.Match[str] | None:
    """The wording at this very place."""
    return words.pattern(f"clauses.{wording}").match(text, start)


def count(wording: str, text: str) -> int:
    return sum(1 for _ in words.pattern(f"clauses.{wording}").finditer(text))


@cache
def opening() -> re.Pattern[str]:
    """What stands before a clause's subject and belongs to none."""
    each = words.source("clauses.opening")
    return re.compile(rf"[\W_]*(?:(?:{each})[\s,，、:：!！~]*){{0,{MAX_OPENING_WORDS}}}", re.IGNORECASE)


def without_opening(text: str) -> str:
    found = opening().match(text)
    rest = text[found.end() :] if found else text
    return rest or text
