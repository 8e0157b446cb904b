"""What the doctor looks at of memories: what they say that they should not, what they say twice, who waits."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from datetime import timedelta

from orca_core.domain.diagnosis import Check, Evidence
from orca_core.domain.learning import UndecidedPair
from orca_core.domain.memories import Memory, State
from orca_core.domain.ports import Clock
from orca_core.domain.queries import MemoryQuery, MemorySort, StatusCriteria
from orca_core.domain.refs import memory_ref
from orca_core.domain.stores import Stores
from orca_core.domain.views import Waiting
from orca_core.flows.jobs.cleaning import Cleaning
from orca_core.flows.keeping.inbox import waiting_in
from orca_core.rules.keeping.exposed import holds_secret, shown_without_secrets
from orca_core.rules.learning.likeness.duplicates import Likeness
from orca_core.rules.text.ageing import ageing_words

NAMED = 5
"""So many memories are named."""
AT_ONCE = 100
"""So many memories are read and looked at before others have their turn."""
LONG = timedelta(days=30)
"""What has waited longer waits long. Chosen by hand."""

_MAY_BE_SHOWN = (State.LIVE, State.CANDIDATE)


class MemoryChecks:
    """Each says what it found, with some of the memories, and the command that mends it."""

    def __init__(self, stores: Stores, cleaning: Cleaning, clock: Clock) -> None:
        self._stores = stores
        self._cleaning = cleaning
        self._clock = clock

    def looks(self, within: Callable[[float], None]) -> Mapping[str, Callable[[], Awaitable[Check]]]:
        """Those that read all memories tell how much of them is read, from 0 to 1."""
        texts = _Texts(self._stores, within)
        return {
            "secrets": lambda: self._secrets(texts),
            "days": lambda: self._days(texts),
            "duplicates": lambda: self._duplicates(within),
            "conflicts": self._conflicts,
            "inbox": self._inbox,
        }

    async def _secrets(self, texts: _Texts) -> Check:
        await texts.read()
        found = texts.secret
        if not found:
            return Check("secrets", "ok", "no memory holds a key, a token or a password")
        fields = {"count": len(found), "first": found[0].id}
        return Check(
            "secrets",
            "warn",
            "{count} with what looks like a key, a token or a password",
            "orca memory delete {first} deletes one for good; then change what it was",
            fields,
            evidence=_evidence(found),
        )

    async def _days(self, texts: _Texts) -> Check:
        await texts.read()
        found = texts.ageing
        if not found:
            return Check("days", "ok", "no memory counts from the day on which it was said")
        fields = {"count": len(found), "first": found[0].id}
        return Check(
            "days",
            "warn",
            "{count} with words that count from the day on which they were said, and go wrong with time",
            "orca memory edit {first} --content TEXT names the date",
            fields,
            evidence=_evidence(found),
        )

    async def _duplicates(self, within: Callable[[float], None]) -> Check:
        same = (await self._cleaning.due(lambda reached: within(reached.share))).merged
        near = [each for each in await self._stores.memories.undecided() if each.why == Likeness.UNDECIDED]
        if not same and not near:
            return Check("duplicates", "ok", "no two memories say the same")
        fields = {"same": sum(len(each.others) for each in same), "near": len(near)}
        told = await self._stores.memories.get(
            [member for each in same for member in (each.kept, *each.others)][:NAMED]
        )
        evidence = [*_evidence(told), *_pairs(near)]
        if not same:
            return Check(
                "duplicates",
                "warn",
                "pairs that may say the same: {near}",
                "orca memory duplicates lists them",
                fields,
                evidence=tuple(evidence[:NAMED]),
            )
        return Check(
            "duplicates",
            "warn",
            "memories that say just what another says: {same}, pairs that may say the same: {near}",
            "orca memory clean merges what says just the same, orca memory duplicates lists the rest",
            fields,
            evidence=tuple(evidence[:NAMED]),
        )

    async def _conflicts(self) -> Check:
        found = [each for each in await self._stores.memories.undecided() if each.why != Likeness.UNDECIDED]
        if not found and (waiting := await self._stores.exchange.uncompared()):
            return Check(
                "conflicts",
                "ok",
                "none so far: {count} of those imported are still to be compared, which Orca does by itself",
                fields={"count": waiting},
            )
        if not found:
            return Check("conflicts", "ok", "no two memories contradict each other")
        return Check(
            "conflicts",
            "warn",
            "pairs that contradict each other or give one thing two values: {count}",
            "orca memory duplicates lists them; archive, edit or merge one of the two",
            {"count": len(found)},
            evidence=_pairs(found),
        )

    async def _inbox(self) -> Check:
        found: Waiting = await waiting_in(self._stores.memories, self._stores.records)
        if found.since is None:
            return Check("inbox", "ok", "nothing waits for you")
        waited = self._clock.now() - found.since
        fields = {"count": found.count, "days": waited.days}
        if waited < LONG:
            return Check("inbox", "ok", "{count} wait for you, the oldest for {days} days", fields=fields)
        return Check(
            "inbox",
            "warn",
            "{count} wait for you, the oldest for {days} days",
            "orca memory inbox lists them; orca memory accept and orca memory reject decide",
            fields,
        )


class _Texts:
    """What memories say that they should not, all of them read once."""

    def __init__(self, stores: Stores, within: Callable[[float], None]) -> None:
        self._stores = stores
        self._within = within
        self._is_read = False
        self.secret: list[Memory] = []
        self.ageing: list[Memory] = []

    async def read(self) -> None:
        """Raises StorageError."""
        if self._is_read:
            return
        self.secret, self.ageing = [], []
        async for memory in self._memories():
            if holds_secret(memory.content):
                self.secret.append(memory)
            if memory.state in _MAY_BE_SHOWN and ageing_words(memory.content):
                self.ageing.append(memory)
        self._is_read = True

    async def _memories(self) -> AsyncIterator[Memory]:
        """By their number, some at once."""
        offset, whole = 0, sum((await self._stores.memories.counts())["state"].values())
        while True:
            query = MemoryQuery(
                StatusCriteria(tuple(State)), sort=MemorySort.ID, counted=False, limit=AT_ONCE, offset=offset
            )
            page = (await self._stores.memories.page(query)).memories
            for memory in page:
                yield memory
            if len(page) < AT_ONCE:
                return
            offset += AT_ONCE
            self._within(min(offset / whole, 1.0) if whole else 1.0)


def _evidence(memories: Iterable[Memory]) -> tuple[Evidence, ...]:
    named = list(memories)[:NAMED]
    return tuple(Evidence(memory_ref(each.id), _shown(each)) for each in named)


def _pairs(pairs: Sequence[UndecidedPair]) -> tuple[Evidence, ...]:
    """The newer of each, and what it stands against."""
    return tuple(
        Evidence(memory_ref(each.newer.id), f"{_shown(each.newer)} | #{each.older.id} {_shown(each.older)}")
        for each in pairs[:NAMED]
    )


def _shown(memory: Memory) -> str:
    return shown_without_secrets(memory.content)
