"""The inbox of every kind: what waits for a person, and what a person decides of it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from typing import Any

from orca_core.model.episodes import EPISODES
from orca_core.model.errors import InvalidInput
from orca_core.model.knowledge import Knowledge
from orca_core.model.llm import Clock
from orca_core.model.memories import Candidate, State, Waits
from orca_core.model.operations import RecordsChanged
from orca_core.model.records import EPISODE, GUIDE, KNOWLEDGE, MEMORY, Kind, Ref, memory_ref
from orca_core.rules.feedback.nearness import ByNearness, is_unproven
from orca_core.rules.memory.waiting import waits_since
from orca_core.rules.work import waiting
from orca_core.services.feedback.pools import Pools
from orca_core.services.inbox import Inbox
from orca_core.services.records import RecordActions
from orca_core.services.tools.guides import GuideActions
from orca_core.services.work.candidates_in_order import OldestFirst
from orca_core.services.work.knowledge import KnowledgeActions
from orca_core.store.protocols import MemoryStore, RecordStore

A_PAGE = 200
"""So many are read at once. Chosen by hand."""


class EveryCandidate:
    """Candidates of memories, episodes, knowledge and guides. Each kind that is decided about is one operation."""

    def __init__(
        self,
        inbox: Inbox,
        memories: MemoryStore,
        records: Mapping[Kind, RecordStore[Any]],
        knowledge: KnowledgeActions,
        guides: GuideActions,
        pools: Pools,
        changed: Callable[[], None],
        clock: Clock,
    ) -> None:
        self._inbox = inbox
        self._memories = memories
        self._pools = pools
        self._records = records
        episodes = RecordActions(EPISODES, records[EPISODE], changed, clock)
        self._actions: Mapping[Kind, RecordActions[Any]] = {EPISODE: episodes, KNOWLEDGE: knowledge, GUIDE: guides}

    async def waits(self, limit: int | None = None) -> list[Waits]:
        """What has waited longest first; of what waits for nothing but to be shown often enough, the nearest to going
        live first."""
        found: list[Waits] = []
        async with aclosing(self.pages(A_PAGE if limit is None else max(1, min(limit, A_PAGE)))) as pages:
            async for page in pages:
                found += page
                if limit is not None and len(found) >= limit:
                    break
        return found[:limit]

    async def pages(self, size: int) -> AsyncGenerator[list[Waits]]:
        """The same, so many at a time: the first ones cost as much where few wait as where many do."""
        order: ByNearness | None = None
        given: set[Ref] = set()
        async for page in OldestFirst(self._memories, self._records, size).pages():
            # What changed meanwhile is among the latest now, too.
            waits = await self._as_waits([(ref, each) for ref, each in page if ref not in given])
            given.update(each.ref for each in waits)
            if order is None and any(map(is_unproven, waits)):
                unproven, weighed = await self._pools.unproven()
                order = ByNearness([_waits(memory_ref(each.id), each, {}) for each in unproven], weighed)
            yield waits if order is None else order.placed(waits)
        if order is not None and (left := order.left()):
            yield left

    async def accept(
        self, refs: Sequence[Ref], shown: Mapping[Ref, str] | None = None
    ) -> tuple[RecordsChanged[Any], ...]:
        """`shown` are the texts that the person saw: one that says something else by now is refused. Raises NotFound,
        InvalidInput."""
        return tuple([await self._accept(kind, ids, shown or {}) for kind, ids in self._by_kind(refs).items()])

    async def reject(self, refs: Sequence[Ref]) -> tuple[RecordsChanged[Any], ...]:
        """Raises NotFound, InvalidInput."""
        return tuple([await self._reject(kind, ids) for kind, ids in self._by_kind(refs).items()])

    async def _accept(self, kind: Kind, ids: Sequence[int], shown: Mapping[Ref, str]) -> RecordsChanged[Any]:
        seen = {ref.id: text for ref, text in shown.items() if ref.kind == kind}
        if kind != MEMORY:
            return await self._actions[kind].accept(ids, seen)
        changed = await self._inbox.accept(ids, seen)
        return RecordsChanged(changed.operation, changed.memories)

    async def _reject(self, kind: Kind, ids: Sequence[int]) -> RecordsChanged[Any]:
        if kind != MEMORY:
            return await self._actions[kind].reject(ids)
        changed = await self._inbox.reject(ids)
        return RecordsChanged(changed.operation, changed.memories)

    def _by_kind(self, refs: Sequence[Ref]) -> Mapping[Kind, Sequence[int]]:
        """All are looked at before one is decided about."""
        for ref in refs:
            if ref.kind != MEMORY and ref.kind not in self._actions:
                raise InvalidInput(
                    template="{ref} can not wait for you", hint="orca memory inbox lists what waits", ref=str(ref)
                )
        kinds = dict.fromkeys(ref.kind for ref in refs)
        return {kind: [ref.id for ref in refs if ref.kind == kind] for kind in kinds}

    async def _as_waits(self, page: Sequence[tuple[Ref, Candidate]]) -> list[Waits]:
        """With the states of the episodes that knowledge was made of, as far as they are there."""
        named = {number for _ref, each in page if isinstance(each, Knowledge) for number in each.source_episodes}
        episodes = await self._records[EPISODE].get(sorted(named), missing_ok=True) if named else []
        sources = {each.id: each.state for each in episodes}
        return [_waits(ref, each, sources) for ref, each in page]


def _waits(ref: Ref, candidate: Any, sources: Mapping[int, State]) -> Waits:
    return Waits(
        ref=ref,
        text=waiting.line(candidate),
        since=waits_since(candidate),
        held_because=candidate.held_because,
        held_now=waiting.held_now(candidate, sources),
        origin=candidate.origin,
        record=candidate,
    )
