"""What upkeep looks for in one scope: memories to clean, episodes to forget, candidates that waited too long, and when
it was done last."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from orca_core.model.episodes import EPISODES
from orca_core.model.knowledge import Knowledge
from orca_core.model.memories import MEMORIES, ArchivedBecause, DecideWaiting, MemoryText, MemoryType, State
from orca_core.model.operations import Actor, OperationHeader, RecordsChanged
from orca_core.model.record_types import MEMORY, RecordType, parse_timestamp, timestamp
from orca_core.model.tasks import Outcome, Trigger
from orca_core.model.views import EpisodeAge
from orca_core.operations import deletion
from orca_core.operations.operations import OpenOperation, ScopedStore
from orca_core.operations.records import RecordTypes, records_there
from orca_core.operations.tombstones import Tombstones
from orca_core.settings import MemorySettings
from orca_core.store.ports import Rows, above, any_of, at_most, below, is_, is_not


def expire_candidates(
    rows: Rows,
    types: RecordTypes,
    settings: MemorySettings,
    untouched_since: datetime,
    header: OperationHeader,
    decide: DecideWaiting,
) -> RecordsChanged[Any]:
    """Carry out the rule on the candidates of this scope that nothing happened to since then, as one operation."""
    operation = OpenOperation(rows, types, settings, header)
    changed: list[Any] = []
    for record_type in types:
        if not record_type.may_wait:
            continue
        found = _waiting(rows, record_type, untouched_since)
        wanted = decide(found, _sources(rows, found))
        for each in found:
            if fields := wanted.get(each.id):
                changed.append(operation.change(record_type.ref(each), fields, each))
    return RecordsChanged(operation.number, tuple(changed))


def _waiting(rows: Rows, record_type: RecordType[Any], untouched_since: datetime) -> list[Any]:
    old = at_most("updated_at", timestamp(untouched_since))
    found = rows.select(record_type.table, record_type.names, is_("state", State.CANDIDATE.value), old, order=("id",))
    return [record_type.from_row(row) for row in found]


def _sources(rows: Rows, candidates: Sequence[Any]) -> Mapping[int, State]:
    """The states of the episodes that knowledge was made of."""
    named = {number for each in candidates if isinstance(each, Knowledge) for number in each.source_episodes}
    found = rows.select(EPISODES.table, ("id", "state"), any_of("id", sorted(named))) if named else []
    return {number: State(state) for number, state in found}


CLEANED, UPKEEP = "cleaned_at", "upkeep_at"
"""When each was done last: keys in `meta`, with the scope behind them."""
_AGE = (
    *("id", "aged_from", "outcome", "trigger_type", "steps", "access_count", "pinned"),
    "consolidated_into",
)
_LIVE, _ARCHIVED = is_("state", State.LIVE.value), State.ARCHIVED
_FADED = (is_("state", _ARCHIVED.value), is_("archived_because", ArchivedBecause.FADED.value))
_OUTCOMES = {each.value: each for each in Outcome}
_TRIGGERS = {each.value: each for each in Trigger}


class RetentionStore(ScopedStore):
    """What is to be cleaned or to fade of one scope, and when that was done last."""

    async def cleaned_at(self) -> datetime | None:
        """When it was cleaned last; None where it never was."""
        return await self._latest(CLEANED)

    async def note_cleaned(self, at: datetime) -> None:
        await self._note(CLEANED, at)

    async def upkeep_at(self) -> datetime | None:
        """When upkeep was noted, or all was cleaned, whichever is later; None where neither ever was."""
        return await self._latest(UPKEEP, CLEANED)

    async def note_upkeep(self, at: datetime) -> None:
        await self._note(UPKEEP, at)

    async def sunk(self, threshold: float) -> Sequence[int]:
        """The live memories that weigh less, but for pinned ones, by number."""

        def read(rows: Rows) -> list[int]:
            where = (_LIVE, is_("pinned", 0), below("weight", threshold))
            return [number for (number,) in rows.select(MEMORIES.table, ("id",), *where, order=("id",))]

        return await self._transactions.read(read, own=True)

    async def texts(self, after: int, limit: int) -> Sequence[MemoryText]:
        """What live memories behind this number say, by number."""

        def read(rows: Rows) -> list[MemoryText]:
            where = (_LIVE, above("id", after))
            found = rows.select(MEMORIES.table, ("id", "content", "type"), *where, order=("id",), limit=limit)
            return [MemoryText(number, content, MemoryType(kind)) for number, content, kind in found]

        return await self._transactions.read(read, own=True)

    async def left_alone(self) -> frozenset[int]:
        """The memories of cleanings that were undone."""

        def read(rows: Rows) -> frozenset[int]:
            cleanings = (is_("actor", Actor.CLEAN.value), is_("action", "clean"), is_not("undone_by", None))
            undone = [number for (number,) in rows.select("operations", ("id",), *cleanings)]
            of_memories = (any_of("operation", undone), is_("kind", MEMORY.name))
            return frozenset(number for (number,) in rows.select("memory_history", ("memory_id",), *of_memories))

        return await self._transactions.read(read, own=True)

    async def expired(self, before: datetime) -> int:
        """How many short-term memories are older."""

        def read(rows: Rows) -> int:
            return rows.count("short_term_memories", below("created_at", timestamp(before)))

        return await self._transactions.read(read, own=True)

    async def _latest(self, *names: str) -> datetime | None:
        def read(rows: Rows) -> datetime | None:
            keys = [f"{name} {rows.own}" for name in names]
            latest = max(
                (str(value) for (value,) in rows.select("meta", ("value",), any_of("key", keys))), default=None
            )
            return None if latest is None else parse_timestamp(latest)

        return await self._transactions.read(read, own=True)

    async def _note(self, name: str, at: datetime) -> None:
        def write(rows: Rows) -> None:
            key = f"{name} {rows.own}"
            if not rows.update("meta", {"value": timestamp(at)}, is_("key", key)):
                rows.insert("meta", {"key": key, "value": timestamp(at)})

        await self._transactions.write(write)

    async def ages(self) -> list[EpisodeAge]:
        """How old and how used each live episode is."""
        return await self._transactions.read(_ages, own=True)

    async def faded_until(self, at: datetime) -> list[int]:
        """The episodes that faded by then and are not deleted yet, the first to fade first."""

        def read(rows: Rows) -> list[int]:
            where = (*_FADED, at_most("archived_at", timestamp(at)))
            return [number for (number,) in rows.select(EPISODES.table, ("id",), *where, order=("archived_at", "id"))]

        return await self._transactions.read(read, own=True)

    async def delete_faded(self, ids: Sequence[int], header: OperationHeader) -> list[int]:
        """Delete for good, in one operation, those that are there and still faded; returns them. What was made of them
        stays as it is. Old pages wait to be wiped."""

        def write(rows: Rows) -> list[int]:
            there = records_there(rows, EPISODES, ids)
            faded = [
                each for each in there if each.archived_because is ArchivedBecause.FADED and each.state is _ARCHIVED
            ]
            if faded:
                Tombstones(rows).lay_faded(EPISODES, faded, header.at)
                self._operation(rows, header).insert_row()
                deletion.erase(rows, EPISODES, faded)
            return [each.id for each in faded]

        return await self._transactions.write(write)


def _ages(rows: Rows) -> list[EpisodeAge]:
    return [
        EpisodeAge(
            number,
            parse_timestamp(aged_from),
            _OUTCOMES[outcome],
            _TRIGGERS[trigger],
            len(json.loads(steps)),
            accesses,
            pinned == 1,
            consolidated is not None,
        )
        for number, aged_from, outcome, trigger, steps, accesses, pinned, consolidated in rows.select(
            EPISODES.table, _AGE, _LIVE, order=("id",)
        )
    ]
