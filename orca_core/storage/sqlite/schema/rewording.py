"""The words that search works with, made anew for what was stored by older rules.

`rules.text.terms` makes them; where it makes others of the same text, a numbered step calls this."""

from __future__ import annotations

import json
from datetime import datetime

import apsw

from orca_core.domain.times import parse_timestamp
from orca_core.rules.text.scripts import simplified
from orca_core.rules.text.terms import index_terms
from orca_core.storage.sqlite.index import words
from orca_core.storage.sqlite.memories import gone

_WHEN_SAID = """
    SELECT max(r.started_at) FROM rounds r WHERE r.scope = ? AND r.session_id = ? AND r.replaced_by IS NULL
        AND r.number IN (SELECT value FROM json_each(?))
"""


LONG_AGO = "1970-01-01T00:00:00.000000Z"
"""The day of a memory of which none can be read."""


def reword(connection: apsw.Connection) -> None:
    """Memories from their texts and the days on which they were said; of a summary the words are all that is left of
    what they were made of, so these are brought into one script. A memory whose rounds can not be read is found
    by the day on which it was made; where that day can not be read either, by its words alone, and it gets the day of
    its last change, for a time that can not be read would break what lists it.

    Records of further kinds keep the words that they have: a step knows no kind but the built-in ones, and by which
    rule another's words are made stands in its type. They get new ones when they are next changed."""
    columns = "id, scope, content, created_at, updated_at, origin_session, origin_rounds"
    for row in connection.execute(f"SELECT {columns} FROM long_term_memories").fetchall():
        number, scope, content, created_at, updated_at, session, rounds = row
        said = None
        if session is not None and _are_rounds(str(rounds)):
            [said] = connection.execute(_WHEN_SAID, (scope, session, rounds)).fetchone() or (None,)
        tokens = " ".join(index_terms(str(content), _day(said) or _day(created_at)))
        known = (each for each in (created_at, updated_at, said) if _day(each))
        made = next(known, LONG_AGO)
        changed = updated_at if _day(updated_at) else made
        connection.execute(
            "UPDATE long_term_memories SET tokens = ?, created_at = ?, updated_at = ? WHERE id = ?",
            (tokens, made, changed, number),
        )
    words.rebuild(connection, without=gone.IS_GONE)
    for number, kept in connection.execute("SELECT id, tokens FROM short_term_memories").fetchall():
        in_one_script = " ".join(dict.fromkeys(map(simplified, str(kept).split())))
        connection.execute("UPDATE short_term_memories SET tokens = ? WHERE id = ?", (in_one_script, number))


def _are_rounds(written: str) -> bool:
    """Whether a list of rounds can be read, and names one."""
    try:
        rounds = json.loads(written)
    except ValueError:
        return False
    return isinstance(rounds, list) and bool(rounds)


def _day(written: object) -> datetime | None:
    try:
        return parse_timestamp(str(written))
    except ValueError:
        return None
