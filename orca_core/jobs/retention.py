"""Lets go of what nobody needs: episodes that fade, and candidates that waited too long for a person."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from orca_core.jobs.job import paced
from orca_core.model.llm import Clock
from orca_core.model.operations import Actor, OperationHeader
from orca_core.model.record_types import EPISODE
from orca_core.model.views import ForgottenEpisodes
from orca_core.operations.stores import Stores
from orca_core.rules.memory.said_again import EXPIRE, expires_before
from orca_core.rules.work import retention
from orca_core.rules.work.episode_updates import expired_fields
from orca_core.settings import ForgetSettings
from orca_core.store.ports import Upkeep

FADE_AT_ONCE = 30
DELETE_AT_ONCE = 6
"""So many episodes one transaction changes, or deletes with its words and vectors: no turn waits for more.
`benchmarks/fading.py` measures it."""


class EpisodeForgetting:
    """The gate of forgetting."""

    def __init__(self, stores: Stores, clock: Clock, forget: ForgetSettings) -> None:
        self._fading = stores.retention
        self._housekeeping = stores.upkeep
        self._records = stores.records
        self._clock = clock
        self._forget = forget

    async def due(self) -> ForgottenEpisodes:
        """What a run would do now."""
        now = self._clock.now()
        chosen = retention.episodes_to_forget(await self._fading.ages(), now, self._forget)
        return ForgottenEpisodes(chosen.all, tuple(await self._over(now)), above_cap=chosen.above_cap)

    async def run(self) -> ForgottenEpisodes:
        """Forget, then delete. Raises StorageError."""
        now = self._clock.now()
        chosen = retention.episodes_to_forget(await self._fading.ages(), now, self._forget)
        header = OperationHeader(Actor.CLEAN, retention.FADE, now)
        faded: list[int] = []
        operation: int | None = None
        async for ids in paced(_slices(chosen.all, FADE_AT_ONCE), self._clock):
            changed = await self._records[EPISODE].change_all(
                ids,
                header,
                lambda episodes: retention.forget_fields(episodes, chosen, now, self._forget),
                continues=operation,
            )
            operation = changed.operation
            faded += [each.id for each in changed.records if each.archived_at == now]
        gone = frozenset(faded)
        above_cap = tuple(each for each in chosen.above_cap if each in gone)
        return ForgottenEpisodes(tuple(faded), await self._deleted(now), operation, above_cap)

    async def _deleted(self, now: datetime) -> tuple[int, ...]:
        over = await self._over(now)
        header = OperationHeader(Actor.CLEAN, "delete", now)
        deleted: list[int] = []
        async for ids in paced(_slices(over, DELETE_AT_ONCE), self._clock):
            deleted += await self._fading.delete_faded(ids, header)
        if deleted:
            await self._housekeeping.idle()  # where a reader is in the way, the job of wiping does it
        return tuple(deleted)

    async def _over(self, now: datetime) -> list[int]:
        """The faded ones whose grace is over."""
        return await self._fading.faded_until(now - timedelta(seconds=self._forget.grace))


def _slices(ids: Sequence[int], size: int) -> list[Sequence[int]]:
    return [ids[first : first + size] for first in range(0, len(ids), size)]


async def expire_candidates(housekeeping: Upkeep, clock: Clock, days: int) -> None:
    """Reject candidates of any kind that waited so many days for a person, in one operation that can be undone."""
    now = clock.now()
    header = OperationHeader(Actor.CLEAN, EXPIRE, now)
    await housekeeping.expire_candidates(expires_before(now, days), header, expired_fields)
