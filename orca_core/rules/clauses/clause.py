"""What a clause of typed text says about itself. What can't be told is UNKNOWN, and never guessed."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Subject(StrEnum):
    """Of whom a clause speaks."""

    USER = "user"
    THEIRS = "theirs"
    """What is the user's: my team, my wife, our project."""
    ANOTHER = "another"
    ASSISTANT = "assistant"
    THING = "thing"
    UNKNOWN = "unknown"
    """No subject is named, and none before it can be meant."""


class Time(StrEnum):
    NOW = "now"
    PAST = "past"
    PLANNED = "planned"


class Mood(StrEnum):
    """How it is said."""

    STATED = "stated"
    ASKED = "asked"
    SUPPOSED = "supposed"
    WISHED = "wished"
    ORDERED = "ordered"
    """Something is asked to be done, or to be done in a way."""
    DOUBTED = "doubted"
    """The speaker is not sure, or calls it false."""


class Frame(StrEnum):
    """What a clause stands in, that makes it no statement of the user's."""

    NONE = "none"
    REPORTED = "reported"
    """Another said, thought or wrote it."""
    ROLE = "role"
    TEXT = "text"
    """A text at hand: to be translated, corrected, or an example."""
    SUPPOSED = "supposed"
    JOKE = "joke"
    POSSIBLE = "possible"
    """It may belong to a text at hand: nothing says where that ends."""


class Clause(NamedTuple):
    """A clause, by its place in the text, and how it is to be understood.

    `who` are the words that name its subject, where that is not the user. `opening` is what its sentence said before
    it. A clause that `ends` something says that it no longer holds; one that `changes` tells of a change that has
    happened. `instead_of` are the words for what the change, or the choice, was turned away from."""

    text: str
    start: int
    end: int
    sentence: int
    subject: Subject = Subject.UNKNOWN
    who: str = ""
    is_named: bool = False
    """Whether its subject stands in it, or was taken over from before it."""
    time: Time = Time.NOW
    mood: Mood = Mood.STATED
    frame: Frame = Frame.NONE
    denied: tuple[str, ...] = ()
    """What stands behind each denial in it."""
    ended: str | None = None
    """What it says no longer holds, where it says so."""
    changes: bool = False
    instead_of: str = ""

    @property
    def ends(self) -> bool:
        return self.ended is not None

    @property
    def negated(self) -> bool:
        return bool(self.denied)

    @property
    def is_plain(self) -> bool:
        """Whether the user says it of themselves, seriously, now, in so many words."""
        return (
            self.subject is Subject.USER
            and self.is_named
            and self.time is Time.NOW
            and self.mood is Mood.STATED
            and self.frame is Frame.NONE
        )
