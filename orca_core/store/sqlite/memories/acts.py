"""Acts deleted for good with what they are about, and what spoke for a deleted memory."""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from orca_core.model.feedback import ACTIONS, Action
from orca_core.model.records import SUPPORT
from orca_core.operations.acts import supports
from orca_core.operations.operations import OpenOperation
from orca_core.operations.tombstones import Tombstones
from orca_core.store.ports import Condition, Rows, is_
from orca_core.store.sqlite.engine.rows import to_json
from orca_core.store.sqlite.memories import links

_ROWS = (
    f"DELETE FROM memory_history WHERE kind = '{ACTIONS.kind.name}' AND memory_id IN (SELECT value FROM json_each(?))",
    "DELETE FROM actions WHERE id IN (SELECT value FROM json_each(?))",
)
_SUPPORTS = (
    f"DELETE FROM memory_history WHERE kind = '{SUPPORT.name}'"
    " AND memory_id IN (SELECT id FROM supports WHERE memory IN (SELECT value FROM json_each(?)))",
    "DELETE FROM supports WHERE memory IN (SELECT value FROM json_each(?))",
)


def delete_of_session(connection: apsw.Connection, rows: Rows, operation: OpenOperation, session_id: str) -> None:
    """Delete the acts in a session with their data, and the exchanges that show them; they speak for nothing."""
    _delete(connection, rows, operation, _acts(rows, is_("session_id", session_id)))


def delete_of_rounds(
    connection: apsw.Connection,
    rows: Rows,
    operation: OpenOperation,
    rounds: Sequence[tuple[str, int]],
) -> None:
    """As above, those on any attempt at some rounds."""
    for session_id, number in rounds:
        on_it = _acts(rows, is_("session_id", session_id), is_("round", number))
        _delete(connection, rows, operation, on_it)


def forget_supports(connection: apsw.Connection, memory_ids: Sequence[int]) -> None:
    """Delete what spoke for deleted memories."""
    for statement in _SUPPORTS:
        connection.execute(statement, (to_json(list(memory_ids)),))


def _acts(rows: Rows, *where: Condition) -> list[Action]:
    return [ACTIONS.from_row(row) for row in rows.select(ACTIONS.table, ACTIONS.names, *where)]


def _delete(connection: apsw.Connection, rows: Rows, operation: OpenOperation, acts: Sequence[Action]) -> None:
    ids = [each.id for each in acts]
    Tombstones(rows).lay(ACTIONS, acts, operation.at)
    supports.silence(rows, operation, ids)
    for each in acts:
        links.forget(connection, ACTIONS.ref(each))
    for statement in _ROWS:
        connection.execute(statement, (to_json(ids),))
