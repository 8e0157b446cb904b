"""Joins the pieces of a full-text index: each write leaves one, and a search looks for every word in each."""

from __future__ import annotations

import apsw

from orca_core.storage.sqlite.index.damage import broken_index

FEW = 4
"""So many are left as they are: the next writes make as many. `benchmarks/find_speed.py`: 17 words are looked up in 0.4
ms in nine pieces, in 0.06 in one."""
PAGES_A_PART = 4
"""So many pages are written for each part of a slice. Chosen by hand: a slice is measured and takes more or fewer."""


def many(connection: apsw.Connection, words: str) -> bool:
    """Whether this index has more pieces than a few."""
    return _count(connection, words) > FEW


def join_some(connection: apsw.Connection, words: str, parts: int) -> bool:
    """Write some pages of what is to be one piece; whether more is to be joined.

    What an earlier call began is gone on with, whoever made it: the index itself knows how far it is."""
    before = connection.total_changes()
    with broken_index():
        connection.execute(f"INSERT INTO {words} ({words}, rank) VALUES ('merge', ?)", (-PAGES_A_PART * parts,))
    # One change is the command itself. What others write meanwhile is a piece of its own, and left for the next time.
    return connection.total_changes() - before > 1 and _count(connection, words) > 1


def _count(connection: apsw.Connection, words: str) -> int:
    """How many pieces there are: the least of each is looked up, for an index has thousands of pages."""
    with broken_index():
        rows = connection.execute(
            f"WITH RECURSIVE piece (id) AS (SELECT min(segid) FROM {words}_idx UNION ALL"
            f" SELECT (SELECT min(segid) FROM {words}_idx WHERE segid > piece.id) FROM piece WHERE id IS NOT NULL)"
            " SELECT count(id) FROM piece"
        )
        [[count]] = rows.fetchall()
    return int(str(count))
