"""Reads the end of a chat at once, earlier rounds and receipts on demand: opening a chat costs what it shows."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from textual.widgets import Static

from orca_core.model.feedback import ActionType
from orca_core.model.recall import Receipt
from orca_core.model.sessions import Round, Session
from orca_tui.app.bridge import Bridge
from orca_tui.app.chat.transcript import ShownRound, Transcript, shown_round_of
from orca_tui.app.chat.turn_pane import past_receipt
from orca_tui.marks import Marks

if TYPE_CHECKING:
    from orca_core.services.sessions import Sessions

PAGE_ROUNDS = 20

ChatEnd = tuple[Session, tuple[Round, ...]]
"""A chat with its latest rounds."""


async def end_of(chats: Sessions, session_id: str, at: int | None = None, *, whole: bool = False) -> ChatEnd:
    """As much of a chat as is shown at first, back to a round where one is named; or the `whole`. Raises NotFound,
    StorageError."""
    session, rounds = await chats.show(session_id, None if whole else PAGE_ROUNDS)
    if at is not None and rounds and at < rounds[0].number:
        return await chats.show(session_id, after=at - 1)
    return session, rounds


class Past:
    """The rounds that the transcript does not hold: those that left it, and before them those that were not read."""

    def __init__(self, bridge: Bridge, transcript: Transcript, marks: Marks) -> None:
        self._bridge = bridge
        self._transcript = transcript
        self._marks = marks
        self._paging = asyncio.Lock()
        self.forget()

    def forget(self) -> None:
        """Another chat begins."""
        self._session_id = ""
        self._unread, self._below = 0, 0
        self._left: list[ShownRound] = []
        self._opinions: Mapping[int, ActionType] = {}

    async def judge(self, session_id: str) -> None:
        """Show what the user thinks of the answers of this chat. Raises StorageError."""
        marks = await self._bridge.orca.feedback.actions.marks(session_id)
        of_answers = [each for each in marks if each.type in (ActionType.LIKE, ActionType.DISLIKE)]
        self._opinions = {each.round: each.type for each in of_answers if each.round is not None}
        self._transcript.judge(self._opinions)

    async def open(
        self, session: Session, rounds: Sequence[Round], welcome: Static, at: int | None = None, below: str = ""
    ) -> Receipt | None:
        """Show the end of a chat of which these were read, or as much as reaches back to a round; the receipt of its
        latest round. Raises StorageError."""
        self.forget()
        self._session_id = session.id
        shown = [shown_round_of(each) for each in rounds]
        back = PAGE_ROUNDS if at is None else max(PAGE_ROUNDS, sum(each.number >= at for each in rounds))
        self._left, page = shown[:-back], shown[-back:]
        if rounds:
            self._unread, self._below = max(0, session.rounds - len(rounds)), rounds[0].number
        receipts = await self._look_up(page)
        if page:
            page[-1].below = below
        await self._transcript.show(page, self._count, welcome)
        return receipts.get(page[-1].number) if page else None

    async def more(self) -> None:
        """The page before those that are shown. Raises StorageError, or NotFound."""
        async with self._paging:  # who asks meanwhile gets the page before
            session_id = self._session_id
            page = await self._page()
            await self._look_up(page)
            if self._session_id == session_id:  # the chat may have been left while all this was read
                await self._transcript.add_earlier(page, self._count)

    async def shed(self) -> None:
        """Take over rounds that leave the screen."""
        self._left += await self._transcript.shed(self._count)

    @property
    def _count(self) -> int:
        return self._unread + len(self._left)

    async def _page(self) -> list[ShownRound]:
        """Take the latest rounds that are not shown."""
        if self._left:
            page = self._left[-PAGE_ROUNDS:]
            del self._left[-PAGE_ROUNDS:]
            return page
        if not self._unread:
            return []
        session_id, below = self._session_id, self._below
        _session, rounds = await self._bridge.orca.sessions.show(session_id, PAGE_ROUNDS, below=below)
        if self._session_id == session_id:
            self._unread = max(0, self._unread - len(rounds)) if rounds else 0
            self._below = rounds[0].number if rounds else below
        return [shown_round_of(each) for each in rounds]

    async def between(self, session_id: str, first: int, end: int) -> list[ShownRound]:
        """Rounds that were said here by another Orca meanwhile. Raises StorageError, or NotFound."""
        _session, rounds = await self._bridge.orca.sessions.show(session_id, after=first - 1, below=end)
        found = [shown_round_of(each) for each in rounds]
        await self._look_up(found)
        return found

    async def _look_up(self, page: Sequence[ShownRound]) -> dict[int, Receipt]:
        """The receipts of these rounds, which they show from here on."""
        unknown = [said.number for said in page if said.receipt is None]
        receipts: dict[int, Receipt] = {}
        if unknown and self._session_id:
            receipts = await self._bridge.orca.sessions.receipts(self._session_id, unknown)
        for said in page:
            said.opinion = self._opinions.get(said.number)
            if said.number in receipts:
                said.receipt = past_receipt(receipts[said.number], self._marks, was_cut=said.was_cut)
        return receipts
