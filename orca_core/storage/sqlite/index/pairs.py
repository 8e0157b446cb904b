"""Reads the pairs of memories that give one thing two values, for a recall that may show only one of each."""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from orca_core.domain.pairs import OTHER_VALUE, ListedPair, Side
from orca_core.domain.times import parse_timestamp
from orca_core.storage.sqlite.engine.rows import to_json
from orca_core.storage.sqlite.engine.scope import among

_OF = "SELECT p.* FROM json_each(:ids) w CROSS JOIN undecided_pairs p ON p.{} = w.value WHERE p.why = :why AND {}"
_LISTED = f"""
    SELECT p.newer, a.pinned, p.older, b.pinned, p.at, p.settled
    FROM ({_OF.format("newer", "{0}")} UNION {_OF.format("older", "{0}")}) p
    CROSS JOIN long_term_memories a ON a.id = p.newer AND a.state = 'live' AND {{1}}
    CROSS JOIN long_term_memories b ON b.id = p.older AND b.state = 'live' AND {{2}}
    ORDER BY p.at DESC, p.newer DESC, p.older DESC
"""


def open_among(connection: apsw.Connection, scopes: tuple[str, ...], ids: Sequence[int]) -> list[ListedPair]:
    """Pairs of these memories with another one, all of them live."""
    named = {f"scope{number}": scope for number, scope in enumerate(scopes)}
    listed = _LISTED.format(*(among(f"{table}.scope", scopes, "scope") for table in ("p", "a", "b")))
    rows = connection.execute(listed, {**named, "ids": to_json(list(ids)), "why": OTHER_VALUE})
    return [
        ListedPair(Side(row[0], bool(row[1])), Side(row[2], bool(row[3])), parse_timestamp(row[4]), bool(row[5]))
        for row in rows
    ]
