"""Short-term memory: a summary of each round."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct


class ShortTerm(Struct, frozen=True):
    """A summary of one round. `question` is the part that may be shown to other sessions where the round held
    untrusted spans (`trusted` is False)."""

    id: int
    session_id: str
    round: int
    content: str
    question: str
    trusted: bool
    tokens: frozenset[str]
    created_at: datetime


class NewShortTerm(Struct, frozen=True):
    """A summary that is to be stored with its round."""

    content: str
    question: str
    trusted: bool
    tokens: tuple[str, ...]
