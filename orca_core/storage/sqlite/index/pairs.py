"""Reads the pairs of memories that give one thing two values, for a recall that may show only one of each."""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from orca_core.domain.learning import OTHER_VALUE, UndecidedPair
from orca_core.domain.times import parse_timestamp
from orca_core.storage.sqlite.engine.rows import MEMORY_COLUMNS, memory_from_row, to_json
from orca_core.storage.sqlite.engine.scope import among

_OF = "SELECT p.* FROM json_each(:ids) w CROSS JOIN undecided_pairs p ON p.{} = w.value WHERE p.why = :why AND {}"
_LISTED = f"""
    SELECT newer, older, at, settled FROM ({_OF.format("newer", "{0}")} UNION {_OF.format("older", "{0}")})
    ORDER BY at DESC, newer DESC, older DESC
"""


def open_among(connection: apsw.Connection, scopes: tuple[str, ...], ids: Sequence[int]) -> list[UndecidedPair]:
    """Pairs of these memories with another one, all of them live; both statements run in one snapshot."""
    named = {f"scope{number}": scope for number, scope in enumerate(scopes)}
    listed = _LISTED.format(among("p.scope", scopes, "scope"))
    found = list(connection.execute(listed, {**named, "ids": to_json(list(ids)), "why": OTHER_VALUE}))
    if not found:
        return []
    rows = connection.execute(
        f"SELECT {MEMORY_COLUMNS} FROM long_term_memories WHERE state = 'live' AND {among('scope', scopes, 'scope')}"
        " AND id IN (SELECT value FROM json_each(:ids))",
        {**named, "ids": to_json(sorted({each for pair in found for each in pair[:2]}))},
    )
    there = {row[0]: memory_from_row(row) for row in rows}
    return [
        UndecidedPair(there[newer], there[older], OTHER_VALUE, parse_timestamp(str(at)), bool(settled))
        for newer, older, at, settled in found
        if newer in there and older in there
    ]
