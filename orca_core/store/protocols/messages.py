"""The port of searching what was said. The index follows from the messages, and can be made anew."""

from __future__ import annotations

from typing import Protocol

from orca_core.model.sessions import Judge, MessageIndexState, MessagesHeld, MessagesSought


class MessageSearch(Protocol):
    """Finding messages of this scope that stand: of each round its latest attempt."""

    async def find(self, sought: MessagesSought, judge: Judge) -> MessagesHeld:
        """Newest first, or best first: those that hold most terms as whole words, by how telling they are; of very
        many the newest are compared. A few that wait to be indexed are read one by one."""
        ...

    async def backlog(self) -> int:
        """How many messages of any scope wait to be indexed."""
        ...

    async def catch_up(self, patience_s: float | None = None) -> int:
        """Index what waits, newest first, in transactions that other writers need not wait for; after `patience_s` the
        rest is left. Returns how many wait."""
        ...

    async def examine(self) -> MessageIndexState: ...

    async def rebuild(self) -> None:
        """Drop the index. All messages wait to be indexed."""
        ...
