"""Cleans: archives what sank below the threshold, merges what says just the same, drops what expired and vectors of
what is gone. A person asks for it, and once a day it is done unasked."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from msgspec.structs import replace

from orca_core.jobs.job import paced
from orca_core.model.llm import Clock
from orca_core.model.memories import MEMORIES, CleaningReport, Decide, Memory, MemoryType, MergedMemories, State
from orca_core.model.operations import Actor, OperationHeader, StageProgress, Tell, tell_nobody
from orca_core.operations.stores import Stores
from orca_core.rules.memory.memory_upkeep import CLEAN, decide_cleaning
from orca_core.rules.memory.same_statements import DuplicateGroup, duplicate_key, find_duplicates
from orca_core.settings import MemorySettings

READ_AT_ONCE = 100
CHANGED_AT_ONCE = 30
"""So many memories are compared before others have their turn, and so many one transaction changes."""
MOST_TWINS = 200
"""What says the same is merged in one transaction, for an operation changes a record once; past so many, the rest is
left to the next day."""
READING, CHANGING = "reading", "changing"
"""What it tells that it is doing."""


class Cleaning:
    """All of it, in slices that no turn waits for. What it does to memories is one operation."""

    def __init__(self, stores: Stores, clock: Clock, memory: MemorySettings) -> None:
        self._stores = stores
        self._clock = clock
        self._memory = memory

    async def due(self, tell: Tell = tell_nobody) -> CleaningReport:
        """What a cleaning would do now. Changes nothing."""
        before = self._clock.now() - timedelta(days=self._memory.short_term.ttl_days)
        sunk, slices = await self._chosen(tell)
        memories = await self._stores.memories.get([each for ids in slices for each in ids], missing_ok=True)
        wanted = self._decide(sunk)(memories)
        after = [MEMORIES.changed(each, wanted[each.id]) for each in memories if wanted.get(each.id)]
        return replace(
            _told(after),
            summaries=await self._stores.retention.expired(before),
            vectors=sum(each.orphan_vectors for each in await self._stores.upkeep.states()),
        )

    async def run(self, tell: Tell = tell_nobody) -> CleaningReport:
        """Do it. Raises StorageError."""
        now = self._clock.now()
        summaries = await self._stores.upkeep.expire_short_term(now, self._memory.short_term.ttl_days)
        cleaned = await self._change(*await self._chosen(tell), now, tell)
        vectors = await self._stores.upkeep.drop_orphan_vectors()
        await self._stores.retention.note_cleaned(now)
        await self._stores.upkeep.join_words()
        return replace(cleaned, summaries=summaries, vectors=vectors)

    async def merge(self) -> CleaningReport:
        """Merge what says just the same, and nothing else. Raises StorageError."""
        return await self._change(frozenset(), _slices((), await self._twins(tell_nobody)), self._clock.now())

    async def _chosen(self, tell: Tell) -> tuple[Collection[int], Sequence[Sequence[int]]]:
        """The memories that sank, and by slices all that are looked at again where they are changed."""
        sunk = await self._sunk()
        return frozenset(sunk), _slices(sunk, await self._twins(tell))

    def _decide(self, sunk: Collection[int]) -> Decide:
        return decide_cleaning(sunk, self._memory.long_term.archive_threshold, self._memory.long_term.max_weight)

    async def _change(
        self, sunk: Collection[int], slices: Sequence[Sequence[int]], now: datetime, tell: Tell = tell_nobody
    ) -> CleaningReport:
        header = OperationHeader(Actor.CLEAN, CLEAN, now)
        operation: int | None = None
        after: list[Memory] = []
        whole = sum(map(len, slices))
        done = 0
        async for ids in paced(slices, self._clock):
            changed = await self._stores.memories.change_all(ids, header, self._decide(sunk), continues=operation)
            operation = changed.operation
            done += len(ids)
            tell(StageProgress(CHANGING, done, whole))
            after += [each for each in changed.records if each.updated_at == now]
        return replace(_told(after), operation=operation)

    async def _sunk(self) -> Sequence[int]:
        if not self._is_on:
            return ()
        kept = await self._stores.retention.left_alone()
        found = await self._stores.retention.sunk(self._memory.long_term.archive_threshold)
        return [each for each in found if each not in kept]

    async def _twins(self, tell: Tell) -> Sequence[DuplicateGroup]:
        """What says just the same; what a person took apart again is left so."""
        if not self._is_on:
            return ()
        by_letters: dict[tuple[str, MemoryType], list[int]] = {}
        last = read = 0
        live = (await self._stores.memories.counts())["state"].get(State.LIVE, 0)
        while texts := await self._stores.retention.texts(last, READ_AT_ONCE):
            for each in texts:
                by_letters.setdefault(duplicate_key(each.content, each.type), []).append(each.id)
            last, read = texts[-1].id, read + len(texts)
            tell(StageProgress(READING, min(read, live), live))
            await asyncio.sleep(0)
        kept = await self._stores.retention.left_alone()
        groups = [[each for each in ids if each not in kept] for ids in by_letters.values() if len(ids) > 1]
        memories = await self._stores.memories.get([each for ids in groups for each in ids], missing_ok=True)
        return find_duplicates(memories)

    @property
    def _is_on(self) -> bool:
        return self._memory.enabled and self._memory.long_term.enabled


def _slices(sunk: Sequence[int], merged: Sequence[DuplicateGroup]) -> Sequence[Sequence[int]]:
    """The memories of each transaction; none stands in two of them."""
    groups = [(each.kept.id, *(other.id for other in each.others[:MOST_TWINS])) for each in merged]
    together = {each for group in groups for each in group}
    slices: list[list[int]] = [[]]
    for group in (*((each,) for each in sunk if each not in together), *groups):
        if slices[-1] and len(slices[-1]) + len(group) > CHANGED_AT_ONCE:
            slices.append([])
        slices[-1] += group
    return slices if slices[-1] else []


def _told(after: Sequence[Memory]) -> CleaningReport:
    """What became of memories, by what they are now."""
    others: dict[int, list[int]] = {}
    archived = []
    for memory in after:
        if memory.state is State.ARCHIVED and memory.superseded_by is not None:
            others.setdefault(memory.superseded_by, []).append(memory.id)
        elif memory.state is State.ARCHIVED:
            archived.append(memory.id)
    return CleaningReport(tuple(archived), tuple(MergedMemories(kept, tuple(ids)) for kept, ids in others.items()))
