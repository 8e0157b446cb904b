"""The ages of episodes, without their texts: ten thousand are read at once."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import apsw

from orca_core.model.episodes import Episode
from orca_core.model.memories import ArchivedBecause, State
from orca_core.model.operations import OperationHeader
from orca_core.model.records import parse_timestamp, timestamp
from orca_core.model.tasks import Outcome, Trigger
from orca_core.model.views import EpisodeAge
from orca_core.store.sqlite.engine.scope import Scope
from orca_core.store.sqlite.memories.records import SQLiteRecords

_AGES = (
    "SELECT id, aged_from, outcome, trigger_type, json_array_length(steps), access_count, pinned,"
    " consolidated_into IS NOT NULL FROM episodes WHERE scope = ? AND state = 'live' ORDER BY id"
)
_FADED = (
    "SELECT id FROM episodes WHERE scope = ? AND state = 'archived' AND archived_because = 'faded'"
    " AND archived_at <= ? ORDER BY archived_at, id"
)
_OUTCOMES = {each.value: each for each in Outcome}
_TRIGGERS = {each.value: each for each in Trigger}


class SQLiteFading:
    """The episodes of one scope, as forgetting looks at them."""

    def __init__(self, scope: Scope, records: SQLiteRecords[Episode]) -> None:
        self._scope = scope
        self._records = records

    async def ages(self) -> list[EpisodeAge]:
        def read(connection: apsw.Connection) -> list[EpisodeAge]:
            rows = connection.execute(_AGES, (self._scope.own,))
            return [
                EpisodeAge(
                    number,
                    parse_timestamp(aged_from),
                    _OUTCOMES[outcome],
                    _TRIGGERS[trigger],
                    steps,
                    accesses,
                    pinned == 1,
                    consolidated == 1,
                )
                for number, aged_from, outcome, trigger, steps, accesses, pinned, consolidated in rows
            ]

        return await self._scope.read(read)

    async def faded_until(self, at: datetime) -> list[int]:
        def read(connection: apsw.Connection) -> list[int]:
            return [number for (number,) in connection.execute(_FADED, (self._scope.own, timestamp(at)))]

        return await self._scope.read(read)

    async def delete_faded(self, ids: Sequence[int], header: OperationHeader) -> list[int]:
        def write(connection: apsw.Connection) -> list[int]:
            faded = [each for each in self._records.there(connection, ids) if _is_faded(each)]
            if faded:
                self._records.erase(connection, faded, header)
            return [each.id for each in faded]

        return await self._scope.write(write)


def _is_faded(episode: Episode) -> bool:
    return episode.state is State.ARCHIVED and episode.archived_because is ArchivedBecause.FADED
