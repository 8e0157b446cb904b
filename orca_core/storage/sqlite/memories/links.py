"""What still names a deleted episode or deleted knowledge: exchanges with the memory agent, sources, marks."""

from __future__ import annotations

import apsw

from orca_core.domain.refs import EPISODE, KNOWLEDGE, Ref
from orca_core.storage.sqlite.memories.wiping import clear_run

_RUNS = "SELECT run FROM run_records WHERE kind = ? AND record_id = ?"
_WITHOUT = "(SELECT json_group_array(value) FROM json_each({array}) WHERE value <> ?1)"
_NAMES = "EXISTS (SELECT 1 FROM json_each({array}) WHERE value = ?1)"
_IN_HISTORY = {side: f"{side}, '$.source_episodes'" for side in ("before", "after")}
_SOURCES = (
    f"UPDATE knowledge SET source_episodes = {_WITHOUT.format(array='source_episodes')}"
    f" WHERE {_NAMES.format(array='source_episodes')}",
    *(
        f"UPDATE memory_history SET {side} = json_set({array}, json({_WITHOUT.format(array=array)}))"
        f" WHERE kind = '{KNOWLEDGE.name}' AND {_NAMES.format(array=array)}"
        for side, array in _IN_HISTORY.items()
    ),
)
# Redo must not mark an episode with what is gone. That it was read stays noted with the run.
_MARKS = (
    "UPDATE episodes SET consolidated_into = NULL WHERE consolidated_into = ?1",
    *(
        f"UPDATE memory_history SET before = json_remove(before, '$.consolidated_into'),"
        f" after = json_remove(after, '$.consolidated_into')"
        f" WHERE kind = '{EPISODE.name}' AND json_extract({side}, '$.consolidated_into') = ?1"
        for side in ("before", "after")
    ),
    f"DELETE FROM memory_history WHERE kind = '{EPISODE.name}' AND before = '{{}}' AND after = '{{}}' AND ?1 > 0",
)
_STATEMENTS = {EPISODE: _SOURCES, KNOWLEDGE: _MARKS}


def forget(connection: apsw.Connection, ref: Ref) -> None:
    """Delete every exchange that shows the record, and its number where others name it; these stay."""
    for (run,) in connection.execute(_RUNS, (ref.kind.name, ref.id)).fetchall():
        clear_run(connection, int(str(run)))
    for statement in _STATEMENTS.get(ref.kind, ()):
        connection.execute(statement, (ref.id,))
