"""Messages of the list of the activity."""

from __future__ import annotations

from dataclasses import dataclass

from textual.message import Message


@dataclass
class ActivityAction(Message):
    """Something is to be done about a line of the activity: an operation, or a run."""

    action: str
    operation: int | None
    run: int | None
    text: str = ""
