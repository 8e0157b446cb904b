"""Reads stored turns and replays their receipts under other settings. Nothing is written."""

from __future__ import annotations

from collections.abc import Sequence

from orca_core.domain.dialogues import RoundState
from orca_core.domain.replay import PastTurn, Replay
from orca_core.domain.stores import DialogueStore, ReceiptStore
from orca_core.prompts import render
from orca_core.rules.evaluating import replaying
from orca_core.rules.text.languages import language_of
from orca_core.settings import MemorySettings


class RulesReplay:
    """The turns of a scope, under settings that are not the configured ones."""

    def __init__(self, dialogues: DialogueStore, receipts: ReceiptStore) -> None:
        self._dialogues = dialogues
        self._receipts = receipts

    async def replay(self, configured: MemorySettings, changed: MemorySettings) -> Replay:
        def header_of(text: str) -> str:
            language = language_of(text)
            header = render(f"memory_block.{language}")
            return f"{header}\n{render(f'cite.{language}')}" if configured.references.cite else header

        return replaying.replay(await self._turns(), configured, changed, header_of)

    async def _turns(self) -> Sequence[PastTurn]:
        """All turns that have a receipt, oldest first."""
        turns: list[PastTurn] = []
        for session in await self._dialogues.sessions():
            rounds = await self._dialogues.rounds(session.id)
            receipts = await self._receipts.receipts(session.id, [each.number for each in rounds])
            answered = False
            for each in rounds:
                if each.number in receipts:
                    turns.append(PastTurn(each.user, each.at, not answered, receipts[each.number]))
                answered = answered or each.state is RoundState.DONE
        return sorted(turns, key=lambda turn: (turn.at, turn.receipt.session_id, turn.receipt.round))
