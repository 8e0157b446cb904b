"""Turns, and what was said in them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from orca_core.model.dialogues import Round, Session, SessionChoice, TurnRequest
    from orca_core.model.events import Event
    from orca_core.model.message_search import MessageQuery, MessagesFound
    from orca_core.model.messages import Span
    from orca_core.model.recall import Appearance, Receipt
    from orca_core.model.refs import Ref


class Talk(Protocol):
    """Turns, private ones too: a request says all of it."""

    def turn(self, request: TurnRequest, stop: asyncio.Event | None = None) -> AsyncIterator[Event]:
        """The events of one turn, `Done` last. Setting `stop` ends the answer; what came of it is kept."""
        ...


class Chats(Protocol):
    """Sessions as wholes."""

    async def list(self, limit: int | None = None) -> list[Session]: ...

    async def latest(self) -> Session | None: ...

    async def latest_or_new(self) -> SessionChoice: ...

    async def show(
        self, session_id: str, last: int | None = None, *, after: int = 0, below: int | None = None
    ) -> tuple[Session, tuple[Round, ...]]:
        """A session and its rounds, oldest first; of those past number `after` and `below` another only the `last`
        ones, where given."""
        ...

    async def rename(self, session_id: str, title: str) -> Session: ...

    async def delete(self, session_id: str) -> bool: ...

    async def fork(self, session_id: str, through: int) -> Session: ...

    async def search(self, query: MessageQuery) -> MessagesFound:
        """Messages that hold every word."""
        ...


class Receipts(Protocol):
    """Why turns got what they got, and what was asked before."""

    async def receipt(self, session_id: str | None = None, number: int | None = None) -> Receipt: ...

    async def receipts(self, session_id: str, numbers: Sequence[int]) -> dict[int, Receipt]: ...

    async def appearances(self, ref: Ref, limit: int = 100) -> Sequence[Appearance]: ...

    async def questions(self, limit: int) -> Sequence[tuple[Span, ...]]: ...


class Sessions(Chats, Receipts, Protocol):
    """What was said, and why."""
