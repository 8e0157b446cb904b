"""Reads the pairs of memories that give one thing two values, for a recall that may show only one of each."""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from orca_core.domain.learning import OTHER_VALUE, UndecidedPair
from orca_core.storage.sqlite.engine.rows import MEMORY_COLUMNS, memory_from_row, to_json
from orca_core.storage.sqlite.engine.scope import among

_OPEN = "p.settled = 0 AND p.why = :why"
_CONNECTED = f"""
    WITH RECURSIVE connected (id) AS (
        SELECT value FROM json_each(:ids)
        UNION
        SELECT p.older FROM connected JOIN undecided_pairs p ON p.newer = connected.id
        JOIN long_term_memories m ON m.id = p.older WHERE m.state = 'live' AND {_OPEN}
        UNION
        SELECT p.newer FROM connected JOIN undecided_pairs p ON p.older = connected.id
        JOIN long_term_memories m ON m.id = p.newer WHERE m.state = 'live' AND {_OPEN}
    )
    SELECT p.newer, p.older, p.settled FROM connected JOIN undecided_pairs p ON p.newer = connected.id
    WHERE p.why = :why AND p.older IN connected AND {{}} ORDER BY p.at DESC, p.newer DESC, p.older DESC
"""


def open_among(connection: apsw.Connection, scopes: tuple[str, ...], ids: Sequence[int]) -> list[UndecidedPair]:
    """Open pairs of live memories that hang together with these, and those of them that a person keeps both of; both
    statements run in one snapshot."""
    named = {f"scope{number}": scope for number, scope in enumerate(scopes)}
    found = list(
        connection.execute(
            _CONNECTED.format(among("p.scope", scopes, "scope")),
            {**named, "ids": to_json(list(ids)), "why": OTHER_VALUE},
        )
    )
    if not found:
        return []
    rows = connection.execute(
        f"SELECT {MEMORY_COLUMNS} FROM long_term_memories WHERE state = 'live' AND {among('scope', scopes, 'scope')}"
        " AND id IN (SELECT value FROM json_each(:ids))",
        {**named, "ids": to_json(sorted({each for pair in found for each in pair[:2]}))},
    )
    there = {row[0]: memory_from_row(row) for row in rows}
    return [
        UndecidedPair(there[newer], there[older], OTHER_VALUE, bool(settled))
        for newer, older, settled in found
        if newer in there and older in there
    ]
