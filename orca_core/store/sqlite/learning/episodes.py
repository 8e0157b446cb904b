"""Which sessions have rounds that nobody has read for episodes."""

from __future__ import annotations

from orca_core.model.learning import WaitingSession
from orca_core.model.records import parse_timestamp
from orca_core.operations.episodes import EpisodeRuns
from orca_core.operations.records import RecordTypes
from orca_core.settings import MemorySettings
from orca_core.store.ports import Rows, Transactions
from orca_core.store.sqlite.engine.scope import SQLiteRows
from orca_core.store.sqlite.learning.runs import read_rounds

# Sessions first: of each that was read through, one look into the index finds nothing behind.
_WAITING = """
    SELECT s.id, count(*), min(r.id), s.used_at,
           s.used_at < (SELECT max(n.created_at) FROM sessions n WHERE n.scope = ?1)
    FROM sessions s CROSS JOIN rounds r CROSS JOIN dialogue_buffer b
    WHERE s.scope = ?1 AND r.scope = s.scope AND r.session_id = s.id AND r.number > s.episodes_through
    AND r.replaced_by IS NULL AND b.round_id = r.id
    GROUP BY s.id
"""


def episodes_of(transactions: Transactions, types: RecordTypes, settings: MemorySettings) -> EpisodeRuns:
    """The readings of one scope. The journal claims them."""
    return EpisodeRuns(transactions, types, settings, read_rounds, read_waiting)


def read_waiting(rows: Rows) -> list[WaitingSession]:
    assert isinstance(rows, SQLiteRows)
    return [
        WaitingSession(session_id, rounds, first, parse_timestamp(used_at), bool(is_left), is_held=False)
        for session_id, rounds, first, used_at, is_left in rows.connection.execute(_WAITING, (rows.own,))
    ]
