"""Looking back: sessions, their rounds, and why a turn got what it got."""

from __future__ import annotations

from orca_core.domain.dialogues import Round, Session
from orca_core.domain.recall import Receipt
from orca_core.domain.stores import DialogueStore, ReceiptStore


class Sessions:
    """What was said, and the receipts of it."""

    def __init__(self, dialogues: DialogueStore, receipts: ReceiptStore) -> None:
        self._dialogues = dialogues
        self._receipts = receipts

    async def list(self, limit: int | None = None) -> list[Session]:
        """Newest first."""
        return await self._dialogues.sessions(limit)

    async def latest(self) -> Session | None:
        return await self._dialogues.latest_session()

    async def show(self, session_id: str) -> tuple[Session, tuple[Round, ...]]:
        """A session and its rounds, oldest first. Raises NotFound."""
        session = await self._dialogues.session(session_id)
        return session, tuple(await self._dialogues.rounds(session_id))

    async def receipt(self, session_id: str | None = None, number: int | None = None) -> Receipt:
        """Why: of the round named, else of the latest. Raises NotFound."""
        return await self._receipts.receipt(session_id, number)
