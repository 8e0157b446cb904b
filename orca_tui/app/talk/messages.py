"""What the widgets of the talk tell whoever holds them."""

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
    """Someone wants to go on writing the message that waits to be sent."""


class ReachedTop(Message):
    """Someone wants to see what was said earlier."""


@dataclass
class EndSeen(Message):
    """The end of the chat came into sight, or left it."""

    is_seen: bool


@dataclass
class TranscriptAction(Message):
    """Something is to be done with a round: why, regenerate, edit, copy …"""

    action: str
    said: ShownRound


class WhyWanted(Message):
    """Someone wants to know all about the memory of this turn."""
