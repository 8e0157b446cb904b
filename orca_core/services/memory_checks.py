"""Checks memories: what they say that they should not, what they say twice, who waits."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from datetime import timedelta

from orca_core.jobs.cleaning import Cleaning
from orca_core.model.diagnosis import NAMED, Check, Evidence, Finding, Leave, Repair, Says
from orca_core.model.llm import Clock
from orca_core.model.memories import Memory, Merged, State, UndecidedPair, Why
from orca_core.model.records import memory_ref
from orca_core.model.views import MemoryQuery, MemorySort, StatusCriteria
from orca_core.operations.stores import Stores
from orca_core.rules.text.memory_wording import holds_secret, shown_without_secrets
from orca_core.rules.text.relative_dates import ageing_words
from orca_core.services.inbox import waiting_in

AT_ONCE = 100
"""So many memories are read and looked at before others have their turn."""
LONG = timedelta(days=30)
"""What has waited longer waits long. Chosen by hand."""
_MAY_BE_SHOWN = (State.LIVE, State.CANDIDATE)


class MemoryChecks:
    """The checks of one examination: all memories are read once."""

    def __init__(self, stores: Stores, cleaning: Cleaning, clock: Clock, within: Callable[[float], None]) -> None:
        """Those that read all memories tell `within` how much of them is read, from 0 to 1."""
        self._stores = stores
        self._cleaning = cleaning
        self._clock = clock
        self._within = within
        self._texts: tuple[list[Memory], list[Memory]] | None = None

    @property
    def checks(self) -> list[Check]:
        return [
            Check("secrets", self._secrets, weight=20),
            Check("days", self._days),
            Check("duplicates", self._duplicates, self._merge_twins, weight=10),
            Check("conflicts", self._conflicts),
            Check("undo", self._undo),
            Check("inbox", self._inbox),
        ]

    async def _secrets(self, say: Says) -> Finding:
        found, _ageing = await self._read_texts()
        if not found:
            return say.ok("no memory holds a key, a token or a password")
        return say.warns(
            "{count} with what looks like a key, a token or a password",
            "orca memory delete {ids} deletes for good; then change what it was",
            count=len(found),
            ids=" ".join(str(each.id) for each in found[:NAMED]),
        ).named(_memories(found, "orca memory delete"), len(found))

    async def _days(self, say: Says) -> Finding:
        _secret, found = await self._read_texts()
        if not found:
            return say.ok("no memory counts from the day on which it was said")
        return say.warns(
            "{count} with words that count from the day on which they were said, and go wrong with time",
            "orca memory edit {first} --content TEXT names the date",
            count=len(found),
            first=found[0].id,
        ).named(_memories(found, "orca memory edit"), len(found))

    async def _read_texts(self) -> tuple[list[Memory], list[Memory]]:
        """The memories that hold a secret, and those whose words count from a day. Raises StorageError."""
        if self._texts is None:
            secret, ageing = [], []
            async for memory in self._all_memories():
                if holds_secret(memory.content):
                    secret.append(memory)
                if memory.state in _MAY_BE_SHOWN and ageing_words(memory.content):
                    ageing.append(memory)
            self._texts = secret, ageing
        return self._texts

    async def _all_memories(self) -> AsyncIterator[Memory]:
        """By their number, some at once."""
        read, after, whole = 0, 0, sum((await self._stores.memories.counts())["state"].values())
        every = StatusCriteria(tuple(State))
        while True:
            query = MemoryQuery(every, sort=MemorySort.ID, counted=False, limit=AT_ONCE, after=after)
            page = (await self._stores.memories.page(query)).records
            for memory in page:
                yield memory
            if len(page) < AT_ONCE:
                return
            read, after = read + AT_ONCE, page[-1].id
            self._within(min(read / whole, 1.0) if whole else 1.0)

    async def _duplicates(self, say: Says) -> Finding:
        same = (await self._cleaning.due(lambda reached: self._within(reached.share))).merged
        near = [each for each in await self._stores.memories.undecided() if each.why == Why.UNDECIDED]
        if not same and not near:
            return say.ok("no two memories say the same")
        detail = "memories that say just what another says: {same}, pairs that may say the same: {near}"
        fix = "orca memory clean merges what says just the same, orca memory duplicates lists the rest"
        if not same:
            detail = "pairs that may say the same: {near}"
            fix = "orca memory duplicates lists them; --keep ID ID keeps both"
        return say.warns(
            detail,
            fix,
            same=sum(len(each.others) for each in same),
            near=len(near),
        ).named([*await self._groups(same), *_pairs(near, "orca memory merge")], len(same) + len(near))

    async def _groups(self, same: Sequence[Merged]) -> list[Evidence]:
        """Memories that say just the same, with the one that stays."""
        named = same[:NAMED]
        kept = {each.id: each for each in await self._stores.memories.get([each.kept for each in named])}
        return [
            Evidence(
                memory_ref(each.kept),
                f"{_shown(kept[each.kept])} | {' '.join(f'#{other}' for other in each.others[:NAMED])}",
                command=f"orca memory merge {' '.join(map(str, (each.kept, *each.others[:NAMED])))}",
            )
            for each in named
        ]

    async def _merge_twins(self, say: Says, leave: Leave) -> Repair | None:
        cleaned = await (self._cleaning.due() if leave.is_dry else self._cleaning.merge())
        count = sum(len(each.others) for each in cleaned.merged)
        if not count:
            return None
        if leave.is_dry:
            return say.repaired("would", "{count} that say just what another says are merged", count=count)
        detail = "{count} that said just what another says were merged: orca memory undo {operation} takes it back"
        return say.repaired("done", detail, count=count, operation=cleaned.operation).by(cleaned.operation)

    async def _conflicts(self, say: Says) -> Finding:
        found = [each for each in await self._stores.memories.undecided() if each.why != Why.UNDECIDED]
        if not found and (waiting := await self._stores.exchange.uncompared()):
            detail = "none so far: {count} of those imported are still to be compared, which Orca does by itself"
            return say.ok(detail, count=waiting)
        if not found:
            return say.ok("no two memories contradict each other")
        return say.warns(
            "pairs that contradict each other or give one thing two values: {count}",
            "archive, edit or merge one of the two; orca memory duplicates lists them, --keep ID ID keeps both",
            count=len(found),
        ).named(_pairs(found, "orca memory archive", older_only=True), len(found))

    async def _undo(self, say: Says) -> Finding:
        if waiting := await self._stores.history.waiting():
            first = waiting[0]
            return say.warns(
                "[{operation}] is half done ({percent} %), and waits",
                "{command} finishes it; Orca does by itself once it is open",
                operation=first.id,
                percent=0 if first.under_way is None else first.under_way.percent,
                command=f"orca memory {first.header.action}",
            )
        going = await self._stores.history.under_way()
        if not going:
            return say.ok("nothing is half taken back")
        return say.warns(
            "much is being taken back or brought back, slice by slice: {percent} % of it is done",
            "Orca goes on by itself while it is open; orca activity shows how far it is",
            percent=min(each.under_way.percent for each in going if each.under_way is not None),
        )

    async def _inbox(self, say: Says) -> Finding:
        found = await waiting_in(self._stores)
        if found.since is None:
            return say.ok("nothing waits for you")
        waited = self._clock.now() - found.since
        detail = "{count} wait for you, the oldest for {days} days"
        if waited < LONG:
            return say.ok(detail, count=found.count, days=waited.days)
        query = MemoryQuery(StatusCriteria((State.CANDIDATE,)), sort=MemorySort.ID, counted=False, limit=NAMED)
        return say.warns(
            detail,
            "orca memory inbox lists them; orca memory accept and orca memory reject decide",
            count=found.count,
            days=waited.days,
        ).named(_memories((await self._stores.memories.page(query)).records, "orca memory show"), found.count)


def _memories(memories: Sequence[Memory], command: str) -> list[Evidence]:
    return [Evidence(memory_ref(each.id), _shown(each), command=f"{command} {each.id}") for each in memories[:NAMED]]


def _pairs(pairs: Sequence[UndecidedPair], command: str, *, older_only: bool = False) -> list[Evidence]:
    """The newer of each, and what it stands against."""
    return [
        Evidence(
            memory_ref(each.newer.id),
            f"{_shown(each.newer)} | #{each.older.id} {_shown(each.older)}",
            command=f"{command} {each.older.id}" if older_only else f"{command} {each.newer.id} {each.older.id}",
        )
        for each in pairs[:NAMED]
    ]


def _shown(memory: Memory) -> str:
    return shown_without_secrets(memory.content)
