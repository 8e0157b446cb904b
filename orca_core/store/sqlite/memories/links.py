"""What still names a deleted episode or deleted knowledge: exchanges with the memory agent, sources, marks."""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from orca_core.model.records import EPISODE, KNOWLEDGE, Ref
from orca_core.store.sqlite.engine.rows import to_json
from orca_core.store.sqlite.index import vector_store
from orca_core.store.sqlite.memories import texts
from orca_core.store.sqlite.memories.wiping import clear_run

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


_VERSIONS = " UNION ".join(
    f"SELECT memory_id FROM memory_history WHERE kind = '{KNOWLEDGE.name}' AND EXISTS"
    f" (SELECT 1 FROM json_each({array}) s JOIN json_each(?1) d ON d.value = s.value)"
    for array in _IN_HISTORY.values()
)
_OF_A_VERSION = ("text", "topic", "content", "key_points", "source_episodes", "confidence", "version", "origin_model")
_PATHS = ", ".join(f"'$.{name}'" for name in _OF_A_VERSION)
_OLD_TEXTS = (
    "SELECT value FROM (SELECT json_extract(before, '$.text') AS value FROM memory_history WHERE kind = ?1 AND"
    " memory_id = ?2 UNION SELECT json_extract(after, '$.text') FROM memory_history WHERE kind = ?1 AND memory_id = ?2)"
    " WHERE value IS NOT NULL AND value <> (SELECT text FROM knowledge WHERE id = ?2)"
)
_FORGET_VERSIONS = (
    f"UPDATE memory_history SET before = json_remove(before, {_PATHS}), after = json_remove(after, {_PATHS})"
    " WHERE kind = ?1 AND memory_id = ?2",
    "DELETE FROM memory_history WHERE kind = ?1 AND memory_id = ?2 AND before = '{}' AND after = '{}'",
)


def versions_of(connection: apsw.Connection, refs: Sequence[Ref]) -> set[int]:
    """The knowledge that was made of any of these episodes in some version of it."""
    episodes = [ref.id for ref in refs if ref.kind == EPISODE]
    found = connection.execute(_VERSIONS, (to_json(episodes),)) if episodes else ()
    return {int(str(number)) for (number,) in found}


def forget_versions(connection: apsw.Connection, knowledge: Sequence[int]) -> None:
    """Delete what knowledge said before, wherever it is kept: no undo brings it back."""
    for number in knowledge:
        same = (KNOWLEDGE.name, number)
        vector_store.forget_vectors(
            connection, {str(text) for (text,) in connection.execute(_OLD_TEXTS, same).fetchall()}
        )
        for (run,) in connection.execute(_RUNS, same).fetchall():
            clear_run(connection, int(str(run)))
        for statement in _FORGET_VERSIONS:
            connection.execute(statement, same)
    texts.forget_texts(connection, KNOWLEDGE, knowledge)


def forget(connection: apsw.Connection, ref: Ref) -> None:
    """Delete every exchange that shows the record, and its number where others name it; these stay."""
    for (run,) in connection.execute(_RUNS, (ref.kind.name, ref.id)).fetchall():
        clear_run(connection, int(str(run)))
    for statement in _STATEMENTS.get(ref.kind, ()):
        connection.execute(statement, (ref.id,))
