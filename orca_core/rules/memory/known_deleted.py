"""Find the words by which a deleted record is known again, of which only a keyed hash is kept."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import Any

from orca_core import words
from orca_core.model.episodes import Episode
from orca_core.model.knowledge import Knowledge
from orca_core.model.memories import Memory, State
from orca_core.model.tools import Guide
from orca_core.rules.memory import said_again
from orca_core.rules.memory.duplicates import keys_of, seen_of
from orca_core.rules.text.spelling import in_one_spelling, statement

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


def statements_of(text: str, tell: Callable[[str], str]) -> tuple[str, ...]:
    """A statement as it is compared, first as its hashes are kept today, then as they were before. `tell` puts it into
    the third person; what it can not, it leaves empty."""
    plain = seen_of(text)
    order, letters = keys_of(tell(plain) or plain)
    before = (f"tells {_of_whomever(tell(text) or text)}", f"says {statement(text)}", _as_it_was_kept_before(text))
    return tuple(dict.fromkeys((f"order {order}", f"tells {letters}", *before)))


def refusal_of(record: Any) -> str:
    """Why a machine may not bring back what a record here says: a person rejected it, archived a memory, or took back
    what made it. Empty where it may."""
    if isinstance(record, Memory):
        return said_again.standing_refusal(record)
    is_rejected = getattr(record, "state", None) is State.REJECTED and not said_again.is_expired(record)
    return "rejected" if is_rejected else ""


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
