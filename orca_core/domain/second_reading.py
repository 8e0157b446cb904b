"""How a second reading of what a run found went."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class ReaderFailure(StrEnum):
    """Why the rules alone decided: the second reader could not be asked, was not understood, or has no tokens left
    today."""

    FAILED = "failed"
    UNREADABLE = "unreadable"
    NO_TOKENS = "no_tokens"


class SecondReading(Struct, frozen=True):
    """What a second reader made of the facts that would go live, or of the fields of episodes: so many it was asked
    about, so many it doubts, so many it did not answer. With a `failure` it answered none, and `error`
    says what went wrong."""

    asked: int
    doubted: int = 0
    unanswered: int = 0
    failure: ReaderFailure | None = None
    error: str = ""

    def with_another(self, other: SecondReading) -> SecondReading:
        """Both readings of one run as one."""
        return SecondReading(
            self.asked + other.asked,
            self.doubted + other.doubted,
            self.unanswered + other.unanswered,
            self.failure or other.failure,
            self.error or other.error,
        )
