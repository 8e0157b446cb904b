"""What is known of a turn while it runs, and how it is kept where it does not end well."""

from __future__ import annotations

from typing import Literal

from orca_core.domain.errors import OrcaError, StorageError
from orca_core.domain.events import Failed
from orca_core.domain.ports import ChatModel
from orca_core.domain.recall import Injection, Level, Receipt, References
from orca_core.domain.stores import DialogueStore
from orca_core.flows.answer import Answer
from orca_core.flows.failures import not_saved
from orca_core.flows.opening import OpenedTurn


class RunningTurn:
    """One turn between its first and its last event. `is_settled` when nothing is left to be saved."""

    def __init__(self, opened: OpenedTurn, model: ChatModel, dialogues: DialogueStore) -> None:
        self.opened = opened
        self.model = model
        self.injection = Injection(level=Level.FULL, rules=())
        self.answer: Answer | None = None
        self.error: OrcaError | None = None
        self.is_settled = opened.started is None
        self._dialogues = dialogues

    async def save_partial(self, text: str, reasoning: str) -> None:
        """Keep what came so far, where the round itself could be saved. Raises StorageError."""
        if self.opened.started is not None:
            await self._dialogues.save_partial(self.opened.started.id, text, reasoning)

    async def end(self) -> Failed | None:
        """Keep a round that was cut or failed, with what came of it; what could not be saved is returned."""
        self.is_settled = True
        started = self.opened.started
        if started is None:
            return None
        text = self.answer.text if self.answer else ""
        reasoning = self.answer.reasoning if self.answer else ""
        state: Literal["interrupted", "failed"] = "failed" if self.error and not text else "interrupted"
        receipt = Receipt(started.session_id, started.number, self.injection, References())
        try:
            await self._dialogues.end_round(started.id, state, text, reasoning, receipt)
        except StorageError as error:
            return not_saved(error)
        return None
