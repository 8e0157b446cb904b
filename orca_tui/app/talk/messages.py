"""Messages of the widgets of the talk."""

from __future__ import annotations

from dataclasses import dataclass

from textual.message import Message

from orca_tui.app.state.chat import Question
from orca_tui.app.talk.shown_round import ShownRound


@dataclass
class Submitted(Message):
    """The prompt was sent."""

    question: Question


@dataclass
class SlashTyped(Message):
    """A command is being typed: those that it may become, and which of them enter takes; none where it is none."""

    names: tuple[str, ...]
    at: int = 0


class QueuedWanted(Message):
    """The user wants to edit the message that waits."""


class ReachedTop(Message):
    """The user wants to see earlier rounds."""


@dataclass
class EndSeen(Message):
    """The end of the chat came into sight, or left it."""

    is_seen: bool


@dataclass
class TranscriptAction(Message):
    """Something is to be done with a round: why, regenerate, edit, copy …"""

    action: str
    said: ShownRound


class ShownWanted(Message):
    """The user wants to open what stood before the model in this turn."""


class JudgingWanted(Message):
    """The user wants to say what did not help in this turn."""


class WhyWanted(Message):
    """The user wants the whole receipt of this turn."""
