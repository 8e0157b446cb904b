"""How a model is asked whether the user says what was noted of them, and what it answers."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class Subject(StrEnum):
    """Tells of what kind the statements are that the verifier reads: each kind has criteria of its own."""

    FACTS = "facts"
    EPISODES = "episodes"
    FEEDBACK = "feedback"
    GUIDES = "guides"


class Note(Struct, frozen=True):
    """Something that is known already, by the number of its memory."""

    id: int
    text: str


class Statement(Struct, frozen=True):
    """What somebody noted of the user: in words, with what was typed of it, the rounds that it stands on (none: any),
    and the known notes that are nearest to it."""

    says: str
    quote: str = ""
    rounds: tuple[int, ...] = ()
    known: tuple[Note, ...] = ()


class Relation(StrEnum):
    """How a statement stands to a known note: it says the same, or the note no longer holds now that it does."""

    SAME = "same"
    REPLACES = "replaces"


class Answer(Struct, frozen=True):
    """What the verifier says of one statement: whether the user says so, in which of their words, and how it stands to
    which known note. A `known` without a relation does not occur."""

    says_so: bool
    words: str = ""
    known: int | None = None
    relation: Relation | None = None
    why: str = ""

    def names(self, relation: Relation) -> int | None:
        """The known note that stands so to the statement."""
        return self.known if self.relation is relation else None


class VerifierFailure(StrEnum):
    """Why nothing was verified: the verifier could not be asked, was not understood, or has no tokens left today."""

    FAILED = "failed"
    UNREADABLE = "unreadable"
    NO_TOKENS = "no_tokens"


class Verification(Struct, frozen=True):
    """How a run's statements were verified: so many were asked about, so many refused, so many not answered. With a
    `failure` none was answered, and `error` says what went wrong."""

    asked: int
    refused: int = 0
    unanswered: int = 0
    failure: VerifierFailure | None = None
    error: str = ""

    def with_another(self, other: Verification) -> Verification:
        """Both verifications of one run as one."""
        return Verification(
            self.asked + other.asked,
            self.refused + other.refused,
            self.unanswered + other.unanswered,
            self.failure or other.failure,
            self.error or other.error,
        )
