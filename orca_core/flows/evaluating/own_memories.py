"""Reads a person's own memories as a set of questions."""

from __future__ import annotations

from orca_core.domain.dialogues import Round
from orca_core.domain.evaluation import Corpus
from orca_core.domain.memories import State
from orca_core.domain.queries import MemoryQuery, MemorySort, StatusCriteria
from orca_core.domain.stores import DialogueStore, MemoryStore
from orca_core.rules.evaluating.own_memories import RoundKey, keys_of, own_corpus


class OwnMemories:
    """The live memories of a scope, with the rounds that they came from."""

    def __init__(self, memories: MemoryStore, dialogues: DialogueStore) -> None:
        self._memories = memories
        self._dialogues = dialogues

    async def corpus(self) -> Corpus:
        """The questions, and what is not asked for."""
        live = MemoryQuery(StatusCriteria((State.LIVE,)), sort=MemorySort.ID)
        memories = (await self._memories.page(live)).memories
        there = {session.id for session in await self._dialogues.sessions()}
        wanted = {key for memory in memories for key in keys_of(memory)}
        rounds: dict[RoundKey, Round] = {}
        for session in sorted({session for session, _number in wanted} & there):
            for each in await self._dialogues.rounds(session):
                if (session, each.number) in wanted:
                    rounds[session, each.number] = each
        return own_corpus(memories, rounds)
