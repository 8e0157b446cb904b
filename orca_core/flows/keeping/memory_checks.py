"""What the doctor looks at of memories: what they say that they should not, what they say twice, who waits."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from datetime import timedelta

from orca_core.domain.cleaning import Merged
from orca_core.domain.diagnosis import NAMED, Check, Evidence
from orca_core.domain.memories import Memory, State
from orca_core.domain.pairs import UndecidedPair
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
            "undo": self._undo,
            "inbox": self._inbox,
        }

    async def _secrets(self, texts: _Texts) -> Check:
        await texts.read()
        found = texts.secret
        if not found:
            return Check("secrets", "ok", "no memory holds a key, a token or a password")
        ids = " ".join(str(each.id) for each in found[:NAMED])
        return Check(
            "secrets",
            "warn",
            "{count} with what looks like a key, a token or a password",
            "orca memory delete {ids} deletes for good; then change what it was",
            {"count": len(found), "ids": ids},
            evidence=_evidence(found, "orca memory delete"),
            found=len(found),
        )

    async def _days(self, texts: _Texts) -> Check:
        await texts.read()
        found = texts.ageing
        if not found:
            return Check("days", "ok", "no memory counts from the day on which it was said")
        return Check(
            "days",
            "warn",
            "{count} with words that count from the day on which they were said, and go wrong with time",
            "orca memory edit {first} --content TEXT names the date",
            {"count": len(found), "first": found[0].id},
            evidence=_evidence(found, "orca memory edit"),
            found=len(found),
        )

    async def _duplicates(self, within: Callable[[float], None]) -> Check:
        same = (await self._cleaning.due(lambda reached: within(reached.share))).merged
        near = [each for each in await self._stores.memories.undecided() if each.why == Likeness.UNDECIDED]
        if not same and not near:
            return Check("duplicates", "ok", "no two memories say the same")
        fields = {"same": sum(len(each.others) for each in same), "near": len(near)}
        evidence, found = [*await self._groups(same), *_pairs(near, "orca memory merge")], len(same) + len(near)
        if not same:
            return Check(
                "duplicates",
                "warn",
                "pairs that may say the same: {near}",
                "orca memory duplicates lists them; --keep ID ID keeps both",
                fields,
                evidence=tuple(evidence[:NAMED]),
                found=found,
            )
        return Check(
            "duplicates",
            "warn",
            "memories that say just what another says: {same}, pairs that may say the same: {near}",
            "orca memory clean merges what says just the same, orca memory duplicates lists the rest",
            fields,
            evidence=tuple(evidence[:NAMED]),
            found=found,
        )

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

    async def _undo(self) -> Check:
        if waiting := await self._stores.history.waiting():
            return Check(
                "undo",
                "warn",
                "[{operation}] is half done ({percent} %), and waits",
                "{command} finishes it; Orca does by itself once it is open",
                {
                    "operation": waiting[0].id,
                    "percent": 0 if waiting[0].under_way is None else waiting[0].under_way.percent,
                    "command": f"orca memory {waiting[0].header.action}",
                },
            )
        going = await self._stores.history.under_way()
        if not going:
            return Check("undo", "ok", "nothing is half taken back")
        parts = [each.under_way.percent for each in going if each.under_way is not None]
        return Check(
            "undo",
            "warn",
            "much is being taken back or brought back, slice by slice: {percent} % of it is done",
            "Orca goes on by itself while it is open; orca activity shows how far it is",
            {"percent": min(parts)},
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
            "archive, edit or merge one of the two; orca memory duplicates lists them, --keep ID ID keeps both",
            {"count": len(found)},
            evidence=tuple(_pairs(found, "orca memory archive", older_only=True)),
            found=len(found),
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
            evidence=await self._oldest(),
            found=found.count,
        )

    async def _oldest(self) -> tuple[Evidence, ...]:
        query = MemoryQuery(StatusCriteria((State.CANDIDATE,)), sort=MemorySort.ID, counted=False, limit=NAMED)
        return _evidence((await self._stores.memories.page(query)).memories, "orca memory show")


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
        read, after, whole = 0, 0, sum((await self._stores.memories.counts())["state"].values())
        while True:
            query = MemoryQuery(
                StatusCriteria(tuple(State)), sort=MemorySort.ID, counted=False, limit=AT_ONCE, after=after
            )
            page = (await self._stores.memories.page(query)).memories
            for memory in page:
                yield memory
            if len(page) < AT_ONCE:
                return
            read, after = read + AT_ONCE, page[-1].id
            self._within(min(read / whole, 1.0) if whole else 1.0)


def _evidence(memories: Sequence[Memory], command: str) -> tuple[Evidence, ...]:
    return tuple(
        Evidence(memory_ref(each.id), _shown(each), command=f"{command} {each.id}") for each in memories[:NAMED]
    )


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
