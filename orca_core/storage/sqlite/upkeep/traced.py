"""Where of each kind of what can be deleted rows may be left, and which of its texts are looked for."""

from __future__ import annotations

from collections.abc import Iterator

import apsw

from orca_core.domain.proofs import SESSION
from orca_core.domain.refs import CALL, EPISODE, KNOWLEDGE, MEMORY, Kind
from orca_core.domain.work.tasks import TASK

AMONG = "IN (SELECT value FROM json_each(?1))"
LEAST_BYTES = 16
"""A text beside the one of a record is looked for word for word from here on: "ok" stands everywhere."""
MOST_TEXTS = 50
"""So many of these are, the longest: each is looked for in every row. Chosen by hand."""
RUNS = {
    MEMORY: f"SELECT DISTINCT run FROM run_memories WHERE memory_id {AMONG}",
    SESSION: "SELECT x.id FROM extraction_runs x JOIN sessions s ON s.scope = x.scope AND s.id = x.session_id"
    f" WHERE s.rowid {AMONG}",
}
RUNS_OF_RECORDS = f"SELECT DISTINCT run FROM run_records WHERE kind = ?2 AND record_id {AMONG}"
ROUNDS_OF_SESSION = (
    f"SELECT r.id FROM rounds r JOIN sessions s ON s.scope = r.scope AND s.id = r.session_id WHERE s.rowid {AMONG}"
)
ROUNDS = """
    SELECT DISTINCT r.id FROM {table} m, json_each(m.origin_rounds) n
    JOIN rounds r ON r.scope = m.scope AND r.number = n.value
        AND (r.session_id = m.origin_session OR r.said_in = m.origin_session)
    WHERE m.id IN (SELECT value FROM json_each(?1))
"""
OF_ROUNDS = {
    "queue": f"dialogue_buffer WHERE state <> 'done' AND round_id {AMONG}",
    "messages": f"main_messages WHERE round_id {AMONG}",
    "summaries": f"short_term_memories WHERE round_id {AMONG}",
    "acts": f"actions WHERE round_id {AMONG}",
}
NAMED = {
    MEMORY: (
        f"long_term_memories WHERE superseded_by {AMONG}",
        f"long_term_memories WHERE would_replace {AMONG}",
        f"undecided_pairs WHERE newer {AMONG} OR older {AMONG}",
    ),
    EPISODE: (f"knowledge WHERE EXISTS (SELECT 1 FROM json_each(source_episodes) WHERE value {AMONG})",),
    KNOWLEDGE: (f"episodes WHERE consolidated_into {AMONG}",),
    TASK: (f"task_steps WHERE task {AMONG}",),
}
_FIRST_SAID = "SELECT r.scope, coalesce(r.said_in, r.session_id) FROM rounds r"
# The same words that another chat, task or call has of its own are no trace; a fork has them of this one.
_TEXTS = {
    TASK: f"""
        SELECT request FROM tasks WHERE id {AMONG} UNION SELECT summary FROM tasks WHERE id {AMONG}
        UNION SELECT description FROM task_steps WHERE task {AMONG}
        UNION SELECT result FROM task_steps WHERE task {AMONG}
        EXCEPT SELECT request FROM tasks WHERE NOT id {AMONG} EXCEPT SELECT summary FROM tasks WHERE NOT id {AMONG}
        EXCEPT SELECT description FROM task_steps WHERE NOT task {AMONG}
        EXCEPT SELECT result FROM task_steps WHERE NOT task {AMONG}
    """,
    CALL: f"""
        SELECT input FROM tool_calls WHERE id {AMONG} UNION SELECT output FROM tool_calls WHERE id {AMONG}
        EXCEPT SELECT input FROM tool_calls WHERE NOT id {AMONG}
        EXCEPT SELECT output FROM tool_calls WHERE NOT id {AMONG}
    """,
    SESSION: f"""
        SELECT summary FROM sessions WHERE rowid {AMONG} AND summary IS NOT NULL
        UNION SELECT content FROM main_messages WHERE round_id IN ({ROUNDS_OF_SESSION})
        EXCEPT SELECT m.content FROM main_messages m JOIN rounds o ON o.id = m.round_id
        WHERE (o.scope, coalesce(o.said_in, o.session_id)) NOT IN
              ({_FIRST_SAID} WHERE r.id IN ({ROUNDS_OF_SESSION}))
    """,
}


def texts_beside(connection: apsw.Connection, kind: Kind, those: str) -> Iterator[str]:
    """What is said in what has no one text of its own: a chat, a task, a call of a tool."""
    if kind in _TEXTS:
        said = {str(text) for (text,) in connection.execute(_TEXTS[kind], (those,))}
        telling = (each for each in said if len(each.encode("utf-8", "replace")) >= LEAST_BYTES)
        yield from sorted(telling, key=len, reverse=True)[:MOST_TEXTS]
