"""A pass over the sessions whose candidates wait for the verifier: a few at a time, until it does not answer again."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from orca_core.model.learning import UnverifiedBatch, Verification, WaitS, Wanted
from orca_core.rules.learning.queue import backlog

MAX_SESSIONS = 5
"""So many sessions are asked about at once. Chosen by hand."""


class ClaimUnverified(Protocol):
    async def __call__(
        self, now: datetime, besides: list[str], wait_s: WaitS, *, is_wanted: bool
    ) -> UnverifiedBatch | None: ...


class AskingAgain:
    """What one pass has asked about once more, of one kind."""

    def __init__(self, claim: ClaimUnverified) -> None:
        self._claim = claim
        self._sessions: list[str] = []
        self._is_verifier_down = False

    def begin(self) -> None:
        """Another pass begins."""
        self._sessions, self._is_verifier_down = [], False

    async def due(self, now: datetime, wanted: Wanted) -> UnverifiedBatch | None:
        """The candidates of the next session; None where this pass has asked enough. Raises StorageError."""
        if self._is_verifier_down or len(self._sessions) >= MAX_SESSIONS:
            return None
        batch = await self._claim(now, self._sessions, backlog.look_again_s, is_wanted=wanted.inbox)
        if batch is not None:
            self._sessions.append(batch.session_id)
        return batch

    def heard(self, went: Verification | None) -> None:
        """Note how the verifier was asked: one that fails is left alone for the rest of the pass."""
        self._is_verifier_down = went is not None and went.failure is not None
