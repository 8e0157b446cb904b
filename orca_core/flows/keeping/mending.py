"""What the doctor may mend unasked of a database: nothing is lost by it, and what changes memories can be undone."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from orca_core.domain.diagnosis import Repair, failed_repair
from orca_core.domain.errors import OrcaError
from orca_core.domain.ports import Clock
from orca_core.domain.progress import tell_nobody
from orca_core.domain.stores import Stores
from orca_core.flows.jobs.cleaning import Cleaning
from orca_core.flows.keeping.reindexing import reindexed_messages

Step = Callable[[], Awaitable[Repair | None]]


class Mending:
    """Each step says what it did, or would do; None where there was nothing to do."""

    def __init__(self, stores: Stores, cleaning: Cleaning, clock: Clock) -> None:
        self._stores = stores
        self._cleaning = cleaning
        self._clock = clock

    async def mend(self, *, is_dry: bool, may_ask: bool) -> Sequence[Repair]:
        """Parked runs are tried again where the memory agent `may_ask`: that costs tokens."""
        steps: dict[str, Step] = {
            "search index": lambda: self._index(is_dry=is_dry),
            "messages": lambda: self._messages(is_dry=is_dry),
            "duplicates": lambda: self._twins(is_dry=is_dry),
            "learning": lambda: self._parked(is_dry=is_dry, may_ask=may_ask),
        }
        return [each for name, step in steps.items() if (each := await _done(name, step)) is not None]

    async def _index(self, *, is_dry: bool) -> Repair | None:
        broken = [each for each in await self._stores.indexes.states() if not each.is_in_step]
        if not broken:
            return None
        fields = {
            "kinds": ", ".join(each.kind.name for each in broken),
            "vectors": sum(each.orphan_vectors for each in broken),
        }
        if is_dry:
            return Repair(
                "search index",
                "would",
                "the index of {kinds} is made anew, vectors of what is gone are dropped: {vectors}",
                fields,
            )
        for each in broken:
            await self._stores.indexes.mend(each.kind)
        return Repair(
            "search index",
            "done",
            "the index of {kinds} was made anew, vectors of what is gone were dropped: {vectors}",
            fields,
        )

    async def _messages(self, *, is_dry: bool) -> Repair | None:
        """What merely waits to be indexed is left to the work in the background."""
        if (await self._stores.messages.examine()).is_in_step:
            return None
        if is_dry:
            return Repair("messages", "would", "the index of what was said is made anew")
        await reindexed_messages(self._stores, tell_nobody)
        return Repair("messages", "done", "the index of what was said was made anew")

    async def _twins(self, *, is_dry: bool) -> Repair | None:
        cleaned = await (self._cleaning.due() if is_dry else self._cleaning.merge())
        count = sum(len(each.others) for each in cleaned.merged)
        if not count:
            return None
        if is_dry:
            return Repair("duplicates", "would", "{count} that say just what another says are merged", {"count": count})
        fields = {"count": count, "operation": cleaned.operation}
        return Repair(
            "duplicates",
            "done",
            "{count} that said just what another says were merged: orca memory undo {operation} takes it back",
            fields,
            cleaned.operation,
        )

    async def _parked(self, *, is_dry: bool, may_ask: bool) -> Repair | None:
        count = (await self._stores.learning.queue()).parked
        if not count:
            return None
        if not may_ask:
            return Repair(
                "learning",
                "left",
                "{count} parked runs would ask the memory agent: orca doctor --fix --network has them tried again",
                {"count": count},
            )
        if is_dry:
            return Repair("learning", "would", "{count} parked runs are to be tried again", {"count": count})
        tried = await self._stores.learning.retry(None, self._clock.now())
        return Repair(
            "learning", "done", "{count} runs are tried again at the next start, or now: orca extract", {"count": tried}
        )


async def _done(name: str, step: Step) -> Repair | None:
    try:
        return await step()
    except OrcaError as error:  # what can't be mended keeps nothing else from being mended
        return failed_repair(name, error)
