"""Loads earlier rounds and their receipts: the end of a chat at once, the rest on demand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from orca_core.domain.dialogues import Round
from orca_core.domain.growth.actions import ActionType
from orca_core.domain.recall import Receipt
from orca_tui.app.bridge import Bridge
from orca_tui.app.talk.receipts import past_receipt
from orca_tui.app.talk.shown_round import ShownRound, shown_round_of
from orca_tui.app.talk.transcript import Transcript
from orca_tui.marks import Marks

PAGE_ROUNDS = 20


class Past:
    """The rounds that the transcript does not hold, oldest first."""

    def __init__(self, bridge: Bridge, transcript: Transcript, marks: Marks) -> None:
        self._bridge = bridge
        self._transcript = transcript
        self._marks = marks
        self._session_id = ""
        self._earlier: list[ShownRound] = []
        self._opinions: Mapping[int, ActionType] = {}

    def forget(self) -> None:
        """Another chat begins."""
        self._session_id, self._earlier, self._opinions = "", [], {}

    async def judge(self, session_id: str) -> None:
        """Show what the user thinks of the answers of this chat. Raises StorageError."""
        marks = await self._bridge.engine.growth.actions.marks(session_id)
        of_answers = [each for each in marks if each.type in (ActionType.LIKE, ActionType.DISLIKE)]
        self._opinions = {each.round: each.type for each in of_answers if each.round is not None}
        self._transcript.judge(self._opinions)

    async def open(
        self, session_id: str, rounds: Sequence[Round], welcome: str, at: int | None = None, below: str = ""
    ) -> Receipt | None:
        """Show the end of a chat, or as much as reaches back to a round; the receipt of its latest round. Raises
        StorageError."""
        self._session_id, self._earlier = session_id, [shown_round_of(each) for each in rounds]
        back = PAGE_ROUNDS if at is None else max(PAGE_ROUNDS, sum(each.number >= at for each in rounds))
        page, receipts = await self._page(back)
        if page:
            page[-1].below = below
        await self._transcript.show(page, len(self._earlier), welcome)
        return receipts.get(page[-1].number) if page else None

    async def more(self) -> None:
        """The page before those that are shown. Raises StorageError."""
        session_id = self._session_id
        page, _receipts = await self._page(PAGE_ROUNDS)
        if self._session_id == session_id:  # the chat may have been left while the receipts were read
            await self._transcript.add_earlier(page, len(self._earlier))

    async def shed(self) -> None:
        """Take over rounds that leave the screen."""
        self._earlier += await self._transcript.shed(len(self._earlier))

    async def _page(self, size: int) -> tuple[list[ShownRound], dict[int, Receipt]]:
        """Take the latest rounds that are not shown, with their receipts."""
        page = self._earlier[-size:]
        del self._earlier[-size:]  # before any await: a concurrent caller gets the page before
        return page, await self._look_up(page)

    async def between(self, session_id: str, first: int, end: int) -> list[ShownRound]:
        """Rounds that were said here by another Orca meanwhile. Raises StorageError, or NotFound."""
        _session, rounds = await self._bridge.engine.sessions.show(session_id)
        found = [shown_round_of(each) for each in rounds if first <= each.number < end]
        await self._look_up(found)
        return found

    async def _look_up(self, page: Sequence[ShownRound]) -> dict[int, Receipt]:
        """The receipts of these rounds, which they show from here on."""
        unknown = [said.number for said in page if said.receipt is None]
        receipts: dict[int, Receipt] = {}
        if unknown and self._session_id:
            receipts = await self._bridge.engine.sessions.receipts(self._session_id, unknown)
        for said in page:
            said.opinion = self._opinions.get(said.number)
            if said.number in receipts:
                said.receipt = past_receipt(receipts[said.number], self._marks, was_cut=said.was_cut)
        return receipts
