"""Joins the pieces of a full-text index: each write leaves one, and a search looks for every word in each."""

from __future__ import annotations

import apsw

from orca_core.store.sqlite.index.damage import broken_index

FEW = 4
"""So many are left as they are: the next writes make as many. `benchmarks/find_speed.py`: 17 words are looked up in 0.4
ms in nine pieces, in 0.06 in one."""
PAGES_A_PART = 4
"""So many pages are written for each part of a slice. Chosen by hand: a slice is measured and takes more or fewer."""


def many(connection: apsw.Connection, words: str) -> bool:
    """Whether this index has more pieces than a few."""
    return _count(connection, words) > FEW


def join_some(connection: apsw.Connection, words: str, parts: int, *, is_begun: bool) -> bool:
    """Write some pages of what is to be one piece; whether more is to be joined. The index itself knows how far it is.

    What is written after the beginning is a piece of its own: to begin again would give up what is joined so far."""
    pages = PAGES_A_PART * parts
    before = connection.total_changes()
    with broken_index():
        # A negative number begins: all pieces that there are become one. A positive one goes on.
        connection.execute(f"INSERT INTO {words} ({words}, rank) VALUES ('merge', ?)", (pages if is_begun else -pages,))
    return connection.total_changes() - before > 1  # one change is the command itself


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
