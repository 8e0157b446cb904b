"""By which words a deleted record is known again, of which nothing is kept but a keyed hash."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

from orca_core import words
from orca_core.domain.growth.tools import Guide
from orca_core.domain.memories import Memory
from orca_core.domain.work.episodes import Episode
from orca_core.domain.work.knowledge import Knowledge
from orca_core.rules.text.same_words import in_one_spelling
from orca_core.rules.text.statements import statement

_SENTENCE_END = re.compile(r"(?<=[。！？；：\n])|(?<=[.!?;:]\s)")


def stated_by(record: Any) -> str:
    """What a record says, whenever it was said; empty of one that says nothing by itself."""
    match record:
        case Memory():
            return record.content
        case Episode():
            return "\n".join((record.trigger_summary, *record.steps, record.outcome.value, record.outcome_summary))
        case Knowledge():
            return record.content
        case Guide():
            return f"{record.target}\n{record.text}"
    return ""


def statements_of(text: str, told: str = "") -> tuple[str, ...]:
    """A statement as it is compared, first as its hash is kept today. `told` is what it says in the third person."""
    return f"tells {_of_whomever(told or text)}", f"says {statement(text)}", _as_it_was_kept_before(text)


def sentences_of(text: str) -> list[str]:
    """What a text is made of, each with what ends it."""
    return _SENTENCE_END.split(text)


def _of_whomever(told: str) -> str:
    """Without the user, whom a memory names first in one way or another: "User …", "The user's …", "用户的…"."""
    spelled = in_one_spelling(unicodedata.normalize("NFKC", told)).strip()
    opening = words.pattern("asserting.the_user_first").match(spelled)
    return (statement(spelled[opening.end() :]) if opening else "") or statement(spelled)


def _as_it_was_kept_before(text: str) -> str:
    return re.sub(r"[\W_]+", "", in_one_spelling(unicodedata.normalize("NFKC", text)).casefold())
