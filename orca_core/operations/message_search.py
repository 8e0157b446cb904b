"""Finds messages by their words, and has those indexed that wait."""

from __future__ import annotations

import asyncio
import time

from orca_core.model.sessions import Judge, MessageIndexState, MessagesHeld, MessagesSought
from orca_core.store.ports import Transactions

PAUSE_S = 0.005
"""The least pause between two slices; at least as long as the slice took, so that a waiting writer finds the lock
free (docs/decisions/0007)."""


class MessageSearch:
    """Messages of one scope; the index is that of the whole database."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions
        self._was_looked_at = False

    async def find(self, sought: MessagesSought, judge: Judge) -> MessagesHeld:
        """Return messages that stand, newest first, or best first."""
        return await self._transactions.read(lambda rows: rows.words.find_messages(sought, judge), own=True)

    async def backlog(self) -> int:
        """Return how many messages of any scope wait to be indexed."""
        return await self._transactions.read(lambda rows: rows.words.waiting_messages(), own=True)

    async def catch_up(self, patience_s: float | None = None) -> int:
        """Index what waits, newest first, in transactions that other writers need not wait for; after `patience_s` the
        rest is left. Returns how many wait."""
        began = time.monotonic()
        if not self._was_looked_at:
            self._was_looked_at = True  # two Orcas of other rules would else make it anew for ever
            if await self._transactions.read(lambda rows: rows.words.are_messages_stale(), own=True):
                await self.rebuild()
        while left := await self.backlog():
            started = time.monotonic()
            if not await self._transactions.write(lambda rows: rows.words.index_messages()):
                return left
            took_s = time.monotonic() - started
            if patience_s is not None and time.monotonic() - began > patience_s:
                return await self.backlog()
            await asyncio.sleep(max(PAUSE_S, took_s))
        return 0

    async def examine(self) -> MessageIndexState:
        return await self._transactions.read(lambda rows: rows.words.examine_messages(), own=True)

    async def rebuild(self) -> None:
        """Drop the index. All messages wait to be indexed."""
        await self._transactions.write(lambda rows: rows.words.rebuild_messages())
