"""Which memories stand beside one in the conversation that both come from."""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from orca_core.model.recall import Neighbours
from orca_core.store.sqlite.engine.rows import Row, to_json
from orca_core.store.sqlite.index.tables import MEMORY_TABLES

_ROUND = "coalesce(json_extract(m.origin_rounds, '$[0]'), 0)"
"""As the index `memories_of_session` has it."""
_BEFORE, _AFTER = 3, 2
"""So far around a memory stands what is beside it, and what is beside that."""


def _next(than: str, way: str, count: int) -> str:
    """The numbers of what stands next to the memory `a` in its conversation, nearest first, separated by commas."""
    round_of_a = _ROUND.replace("m.", "a.")
    return (
        "(SELECT group_concat(id) FROM (SELECT m.id AS id FROM long_term_memories m"
        " WHERE m.scope = a.scope AND m.origin_session = a.origin_session AND m.origin_session IS NOT NULL"
        f" AND {_ROUND} {than}= {round_of_a} AND ({_ROUND} {than} {round_of_a} OR m.id {than} a.id)"
        f" AND ({MEMORY_TABLES.live} OR NOT ?1) ORDER BY {_ROUND} {way}, m.id {way} LIMIT {count}))"
    )


_WITH_NEIGHBOURS = (
    f"SELECT a.id, {_next('<', 'DESC', _BEFORE)}, {_next('>', 'ASC', _AFTER)}"
    " FROM (SELECT value FROM json_each(?2)) w CROSS JOIN long_term_memories a ON a.id = w.value"
    f" WHERE a.origin_session IS NOT NULL AND ({MEMORY_TABLES.live.replace('m.', 'a.')} OR NOT ?1)"
    " AND a.scope IN (SELECT value FROM json_each(?3)) ORDER BY a.id"
)


def neighbours(
    connection: apsw.Connection, scopes: tuple[str, ...], ids: Sequence[int], *, live_only: bool
) -> dict[int, Neighbours]:
    """The neighbours of each of these memories that comes from a conversation, and of those beside it. However long the
    conversation is, only what stands around them is read."""
    found: dict[int, Neighbours] = {}
    rows: Sequence[Row] = connection.execute(
        _WITH_NEIGHBOURS, (live_only, to_json(list(ids)), to_json(list(scopes)))
    ).fetchall()
    for number, earlier, later in rows:
        before = _numbers(earlier)[::-1]
        window, at = [*before, number, *_numbers(later)], len(before)
        found |= {window[near]: _beside(window, near) for near in range(max(0, at - 1), min(at + 2, len(window)))}
    return found


def _numbers(joined: str | None) -> list[int]:
    return [int(each) for each in joined.split(",")] if joined else []


def _beside(said: Sequence[int], at: int) -> Neighbours:
    return Neighbours(
        before=said[at - 1] if at >= 1 else None,
        after=said[at + 1] if at + 1 < len(said) else None,
        before_that=said[at - 2] if at >= 2 else None,
    )
