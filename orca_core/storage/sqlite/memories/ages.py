"""The ages of episodes, without their texts: ten thousand are read at once."""

from __future__ import annotations

import apsw

from orca_core.domain.times import parse_timestamp
from orca_core.domain.work.tasks import Outcome, Trigger
from orca_core.domain.work.views import EpisodeAge
from orca_core.storage.sqlite.engine.scope import Scope

_AGES = (
    "SELECT id, aged_from, outcome, trigger_type, json_array_length(steps), access_count, pinned,"
    " consolidated_into IS NOT NULL FROM episodes WHERE scope = ? AND state = 'live' ORDER BY id"
)


class SQLiteFading:
    """The episodes of one scope, as forgetting looks at them."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    async def ages(self) -> list[EpisodeAge]:
        def read(connection: apsw.Connection) -> list[EpisodeAge]:
            return [
                EpisodeAge(
                    number,
                    parse_timestamp(str(aged_from)),
                    Outcome(outcome),
                    Trigger(trigger),
                    steps,
                    accesses,
                    bool(pinned),
                    bool(consolidated),
                )
                for number, aged_from, outcome, trigger, steps, accesses, pinned, consolidated in connection.execute(
                    _AGES, (self._scope.own,)
                )
            ]

        return await self._scope.read(read)
