"""What is known of the user in three pools, as views: what waits, what there is to know, and what the user wants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from orca_core.model.feedback import Carried, Supported, Visited, Weighed
from orca_core.model.llm import Clock
from orca_core.model.memories import Memory
from orca_core.model.views import MemoryQuery, MemorySort, ViewPage
from orca_core.rules.feedback import pools, promoting
from orca_core.rules.memory import status
from orca_core.services.shared.given import checked
from orca_core.services.shared.views import Views
from orca_core.settings import MemorySettings
from orca_core.store.protocols import MemoryStore, SupportStore


@checked
class Pools:
    """Candidates with how near they are to going live; user info and profile as lists of memories."""

    def __init__(
        self, supports: SupportStore, memories: MemoryStore, views: Views, clock: Clock, memory: MemorySettings
    ) -> None:
        self._supports = supports
        self._memories = memories
        self._views = views
        self._clock = clock
        self._memory = memory

    async def weighed(self, memory_ids: Sequence[int] | None = None) -> Mapping[int, Weighed]:
        """How near these candidates are to going live, every one where none are named. What is no candidate is left
        out."""
        if memory_ids is not None and not memory_ids:
            return {}
        if memory_ids is None:
            return self._weighed(await self._supports.pool())
        weighed = self._weighed(*await self._supports.pool_about(promoting.UNPROVEN, memory_ids))
        return {number: weighed[number] for number in memory_ids if number in weighed}

    async def unproven(self) -> tuple[list[Memory], Mapping[int, Weighed]]:
        """The candidates that wait for nothing but to be shown often enough, and how near each is to that."""
        pool, others = await self._supports.pool_about(promoting.UNPROVEN, ())
        return [each.memory for each in pool], self._weighed(pool, others)

    def _weighed(self, pool: Sequence[Supported], others: Sequence[Visited] = ()) -> Mapping[int, Weighed]:
        promote, now = self._memory.promote, self._clock.now()
        return promoting.weighed(
            pool, now, temperature=promote.temperature, min_support=promote.min_support, others=others
        )

    async def page(self, pool: str, limit: int | None = None, offset: int = 0) -> ViewPage:
        """`candidates`, oldest first; `info` and `profile`, the weightiest first. Raises InvalidInput."""
        chosen = pools.pool_of(pool)
        query = MemoryQuery(
            status.criteria(chosen.status, self._memory.long_term.core_threshold),
            types=chosen.types,
            sort=MemorySort.WEIGHT if chosen.types else MemorySort.ID,
            limit=limit,
            offset=offset,
        )
        page = await self._memories.page(query)
        return ViewPage(tuple(map(self._views, page.memories)), page.total)

    async def carried(self, memory_ids: Sequence[int]) -> Mapping[int, Carried]:
        """What speaks for these memories, also for such as live; those that nothing speaks for are left out."""
        found = await self._supports.of(memory_ids)
        return {number: Carried(promoting.days_of(each), each) for number, each in found.items()}

    async def searched(self, memory_ids: Sequence[int]) -> None:
        """A program's search returned these: the candidates among them are visited by that."""
        if memory_ids:
            await self._supports.searched(memory_ids, self._clock.now())
