"""Deletes calls of tools for good, in the caller's transaction: their rows, and the exchanges that show them."""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from orca_core.model.records import CALL
from orca_core.store.sqlite.engine.rows import to_json
from orca_core.store.sqlite.memories import gone
from orca_core.store.sqlite.memories.wiping import clear_run

_RUNS = "SELECT DISTINCT run FROM run_records WHERE kind = ? AND record_id IN (SELECT value FROM json_each(?))"
_NOTES = "DELETE FROM run_records WHERE kind = ? AND record_id IN (SELECT value FROM json_each(?)) AND run IN"
_ENDED = " (SELECT id FROM extraction_runs WHERE state IN ('done', 'none'))"
_ROWS = "DELETE FROM tool_calls WHERE id IN (SELECT value FROM json_each(?))"
_OF_SESSION = "SELECT id FROM tool_calls WHERE scope = ? AND session_id = ?"
_OF_TASKS = """
    SELECT c.id FROM tool_calls c JOIN task_steps s ON s.id = c.step AND s.scope = c.scope
    WHERE s.task IN (SELECT value FROM json_each(?))
"""
_OF_TOOL = "SELECT id FROM tool_calls WHERE scope = ? AND folded = ?"


def delete_calls_of(connection: apsw.Connection, scope: str, session_id: str) -> int:
    """Delete the calls of a session; a guide that was written of them stays. Returns how many there were."""
    return _delete(connection, connection.execute(_OF_SESSION, (scope, session_id)))


def delete_calls_of_tasks(connection: apsw.Connection, tasks: Sequence[int]) -> int:
    """Delete the calls that the steps of these tasks were, while their steps are there."""
    return _delete(connection, connection.execute(_OF_TASKS, (to_json(list(tasks)),)))


def delete_calls_of_tool(connection: apsw.Connection, scope: str, folded: str) -> int:
    return _delete(connection, connection.execute(_OF_TOOL, (scope, folded)))


def _delete(connection: apsw.Connection, found: apsw.Cursor) -> int:
    """A run that has not ended keeps its notes: what is said in it after this is not kept."""
    ids = [int(str(row[0])) for row in found]
    those = to_json(ids)
    for (run,) in connection.execute(_RUNS, (CALL.name, those)).fetchall():
        clear_run(connection, int(str(run)))
    connection.execute(_NOTES + _ENDED, (CALL.name, those))
    connection.execute(_ROWS, (those,))
    if ids:
        gone.note(connection)
    return len(ids)
