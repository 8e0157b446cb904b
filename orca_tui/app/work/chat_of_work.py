"""What work knows of the chat that it belongs to."""

from __future__ import annotations

from typing import Protocol


class ChatOfWork(Protocol):
    """The chat that work belongs to."""

    @property
    def session_id(self) -> str | None: ...
    @property
    def is_private(self) -> bool: ...

    def found(self, session_id: str) -> None:
        """Give a new chat its name before its first message."""
        ...
