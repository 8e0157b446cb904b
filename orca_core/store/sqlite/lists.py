"""Lists that conditions on columns do not say: pages of memories and of records of any kind, and what waits.

A page of memories costs what it shows, however many there are and wherever it lies. It is merged out of branches, one
a scope, state and type, each of which an index has in the order of the list. A
page goes on behind a memory; one of the second half is read from the end. Only what is looked for in texts, tags and
histories is looked for in all memories."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import product
from typing import Any

import apsw
from msgspec import Struct
from msgspec.structs import replace

from orca_core.model.learning import WaitingSession
from orca_core.model.memories import MemoryType, ShortTerm, State
from orca_core.model.recall import Neighbours
from orca_core.model.record_types import R, RecordType, Ref, parse_timestamp, timestamp
from orca_core.model.views import MemoryQuery, MemorySort, RecordQuery, TextPlace
from orca_core.operations.columns import to_json
from orca_core.rules.text.literal_search import Pieces, wanted_pieces
from orca_core.store.ports import Row
from orca_core.store.sql.rows import scopes_of
from orca_core.store.sqlite import deleted_rows
from orca_core.store.sqlite.engine.scope import among
from orca_core.store.sqlite.index.index_tables import MEMORY_TABLES


class _Key(Struct, frozen=True):
    """An expression by which a list is in order, upwards or downwards."""

    of: str
    is_down: bool = False

    @property
    def turned(self) -> _Key:
        return _Key(self.of, not self.is_down)

    @property
    def beyond(self) -> str:
        return "<" if self.is_down else ">"


_TYPE, _ID = _Key("type"), _Key("id")
_WEIGHT = _Key("weight", is_down=True)
_ORDERS: dict[MemorySort, tuple[_Key, ...]] = {
    MemorySort.WEIGHT: (_Key("pinned", is_down=True), _WEIGHT, _ID),
    MemorySort.USED: (_Key("coalesce(last_accessed, '')", is_down=True), _ID),
    MemorySort.NEW: (_Key("created_at", is_down=True), _ID.turned),
    MemorySort.TYPE: (_TYPE, _WEIGHT, _ID),
    MemorySort.WAITING: (_Key("updated_at"), _ID),
    MemorySort.ID: (_ID,),
}
_OF_WEIGHTS = (MemorySort.WEIGHT, MemorySort.TYPE)
_OF_BRANCHES = (*_OF_WEIGHTS, MemorySort.USED, MemorySort.NEW)
"""An index has each branch of a list in these orders; where weights are bounded, in the first ones alone."""
_OF_ANY_TYPE = ""
"""The branch of those that wait: their index holds all types in one order."""
# Conditions of a query, each only where it is asked for: SQLite uses an index only for written-out ones.
_BOUNDS = {"weight_above": " AND weight > :weight_above", "weight_at_most": " AND weight <= :weight_at_most"}
_NUMBERED = {
    "operation": " AND id IN (SELECT memory_id FROM memory_history WHERE kind = 'memory' AND operation = :operation)",
    "ids": " AND id IN (SELECT value FROM json_each(:ids))",
}
_SOUGHT = {
    "tags": (
        " AND NOT EXISTS (SELECT 1 FROM json_each(:tags) wanted"
        " WHERE wanted.value NOT IN (SELECT value FROM json_each(long_term_memories.tags)))"
    ),
    "program": " AND elsewhere_program = :program",
}
_PINNED = " AND pinned = {:d}"
_LAST_OF_SLICE = """
    SELECT content FROM long_term_memories WHERE scope = ? AND content > ? ORDER BY content LIMIT 1 OFFSET ?
"""
# Sessions first: of each that was read through, one look into the index finds nothing behind.
_WAITING = """
    SELECT s.id, count(*), min(r.id), s.used_at,
           s.used_at < (SELECT max(n.created_at) FROM sessions n WHERE n.scope = ?1)
    FROM sessions s CROSS JOIN rounds r CROSS JOIN dialogue_buffer b
    WHERE s.scope = ?1 AND r.scope = s.scope AND r.session_id = s.id AND r.number > s.episodes_through
    AND r.replaced_by IS NULL AND b.round_id = r.id
    GROUP BY s.id
"""


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


class SQLiteLists:
    """The port `Lists` on a connection: `own` is the scope of what is learnt, `scopes` are those of records."""

    def __init__(self, connection: apsw.Connection, own: str, scopes: tuple[str, ...]) -> None:
        self._connection = connection
        self._own = own
        self._scopes = scopes

    def get(self, record_type: RecordType[R], ids: Sequence[int]) -> list[R]:
        scopes = scopes_of(record_type.table, self._own, self._scopes)
        # The number is looked up, not the scope: an index of that would be walked.
        rows = self._connection.execute(
            f"SELECT {', '.join(record_type.names)} FROM {record_type.table}"
            f" WHERE {among('+scope', scopes)} AND id IN (SELECT value FROM json_each(?))",
            (*scopes, to_json(list(ids))),
        )
        there = {row[0]: record_type.from_row(row) for row in rows}
        return [there[number] for number in ids if number in there]

    def neighbours(self, ids: Sequence[int], *, live_only: bool = True) -> dict[int, Neighbours]:
        return neighbours(self._connection, self._scopes, ids, live_only=live_only)

    def short_term(self, session_id: str, now: datetime, ttl_days: int, limit: int) -> list[ShortTerm]:
        rows = self._connection.execute(
            "SELECT id, session_id, round, content, question, trusted, tokens, created_at"
            " FROM short_term_memories WHERE scope = ? AND created_at >= ?"
            " ORDER BY session_id = ? DESC, id DESC LIMIT ?",
            (self._own, timestamp(now - timedelta(days=ttl_days)), session_id, limit),
        )
        return [
            ShortTerm(
                row[0], row[1], row[2], row[3], row[4], bool(row[5]), frozenset(row[6].split()),
                parse_timestamp(row[7]),
            )
            for row in rows
        ]  # fmt: skip

    def memories(self, query: MemoryQuery) -> tuple[list[int], int]:
        return MemoryList(self._connection, self._scopes, query).page()

    def memories_among_texts(
        self, query: MemoryQuery, behind: TextPlace | None, most: int
    ) -> tuple[list[int], TextPlace | None]:
        at = behind or TextPlace(self._scopes[0], "")
        row = self._connection.execute(_LAST_OF_SLICE, (at.scope, at.text, most - 1)).fetchone()
        up_to = None if row is None else str(row[0])
        whole = replace(query, counted=False, limit=None, offset=0, after=None)
        found, _total = MemoryList(self._connection, self._scopes, whole, (at, up_to)).page()
        if up_to is not None:
            return found, TextPlace(at.scope, up_to)
        further = self._scopes[self._scopes.index(at.scope) + 1 :]
        return found, TextPlace(further[0], "") if further else None

    def records(self, record_type: RecordType[Any], query: RecordQuery) -> tuple[list[Row], int]:
        scopes = scopes_of(record_type.table, self._own, self._scopes)
        return _records(self._connection, scopes, record_type, query)

    def sessions_to_read(self) -> list[WaitingSession]:
        return [
            WaitingSession(session_id, rounds, first, parse_timestamp(used_at), bool(is_left), is_held=False)
            for session_id, rounds, first, used_at, is_left in self._connection.execute(_WAITING, (self._own,))
        ]

    def gone(self, refs: Iterable[Ref]) -> frozenset[Ref]:
        return deleted_rows.gone_refs(self._connection, refs)


class MemoryList:
    """What one query lists, in one transaction."""

    def __init__(
        self,
        connection: apsw.Connection,
        scopes: tuple[str, ...],
        query: MemoryQuery,
        texts: tuple[TextPlace, str | None] | None = None,
    ) -> None:
        """With `texts` only those that lie behind a place, up to this text or to the end of the scope."""
        self._connection = connection
        self._query = query
        self._keys = _ORDERS[query.sort]
        self._scopes = {f"scope{number}": scope for number, scope in enumerate(scopes)}
        self._states = [state.value for state in query.criteria.states]
        self._types = [each.value for each in query.types or MemoryType]
        asked: dict[str, Any] = {
            "weight_above": query.criteria.weight_above,
            "weight_at_most": query.criteria.weight_at_most,
            "operation": query.operation,
            "ids": None if query.ids is None else to_json(query.ids),
            "tags": to_json(query.tags) if query.tags else None,
            "program": query.program or None,
        }
        there = {name: value for name, value in asked.items() if value is not None}
        patterns = {f"word{number}": pattern for number, pattern in enumerate(patterns_of(query.text))}
        titles = {f"title{number}": pattern for number, pattern in enumerate(patterns_of(query.chat))}
        self._bindings = {**self._scopes, **there, **patterns, **titles}
        conditions = _BOUNDS | _NUMBERED | _SOUGHT
        self._further = "".join(conditions[name] for name in there)
        said = "".join(f" AND content LIKE :{name} ESCAPE '!'" for name in patterns)
        where = among("scope", scopes, "scope")
        if texts is not None:
            behind, up_to = texts
            where = "scope = :text_scope AND content > :text_behind" + " AND content <= :up_to" * (up_to is not None)
            self._bindings |= {"text_scope": behind.scope, "text_behind": behind.text, "up_to": up_to}
        if query.ids is not None:
            self._further += said
        elif patterns or texts:  # the index of texts is read, a tenth of the memories, then those that were found
            self._further += f" AND id IN (SELECT id FROM long_term_memories WHERE {where}{said})"
        self._further += "".join(f" AND elsewhere_chat LIKE :{name} ESCAPE '!'" for name in titles)
        self._is_numbered = bool(patterns or texts) or not there.keys().isdisjoint(_NUMBERED)
        self._is_bounded = not there.keys().isdisjoint(_BOUNDS)
        self._is_sought = bool(patterns or texts or titles) or not there.keys() <= _BOUNDS.keys()

    def page(self) -> tuple[list[int], int]:
        """The memories of the page, by their numbers, and how many the list has, 0 where that is not asked for."""
        query = self._query
        if self._is_sought:
            found = self._sorted(None, 0)
            return self._cut(found), len(found)
        total = self._counted() if query.counted else 0
        if query.limit == 0:
            return [], total
        if query.limit is not None and self._has_branches:
            return self._from_branches(query.limit, total), total
        if query.after is None or query.sort is MemorySort.ID:
            return self._sorted(query.limit, query.offset), total
        return self._cut(self._sorted(None, 0)), total

    @property
    def _has_branches(self) -> bool:
        if self._query.pinned is not None:
            return self._query.sort is MemorySort.WEIGHT
        if self._query.sort is MemorySort.WAITING:
            return self._states == [State.CANDIDATE.value] and not self._query.types and not self._is_bounded
        return self._query.sort in (_OF_WEIGHTS if self._is_bounded else _OF_BRANCHES)

    def _counted(self) -> int:
        if self._query.pinned is None:
            table, what = "memory_counts", "sum(memories)"
        else:
            table, what = "long_term_memories", "count(*)"
        row = self._connection.execute(f"SELECT coalesce({what}, 0) FROM {table}{self._where()}", self._bindings)
        [number] = row.fetchone() or (0,)
        return int(number)

    def _where(self) -> str:
        query, own = self._query, tuple(self._scopes.values())
        # Found by their numbers, or walked through in their order: no index of the scope is to be taken instead.
        is_walked = query.sort is MemorySort.ID and query.limit is not None
        which = among("+scope" if self._is_numbered or is_walked else "scope", own, "scope")
        where = f" WHERE {which} AND {_is_one_of('state', self._states)}{self._further}"
        # Pinned ones are found by their types, too: the index has them of a scope, a state and a type.
        where += f" AND {_is_one_of('type', self._types)}" if query.types or query.pinned is not None else ""
        return where + ("" if query.pinned is None else _PINNED.format(query.pinned))

    def _sorted(self, limit: int | None, offset: int) -> list[int]:
        after = self._query.after if self._query.sort is MemorySort.ID and not self._is_sought else None
        behind = "" if after is None else " AND id > :after"
        order = ", ".join(key.of + " DESC" * key.is_down for key in self._keys)
        rows = self._connection.execute(
            f"SELECT id FROM long_term_memories{self._where()}{behind} ORDER BY {order} LIMIT :limit OFFSET :offset",
            {**self._bindings, "after": after, "limit": -1 if limit is None else limit, "offset": offset},
        )
        return [int(str(number)) for (number,) in rows]

    def _cut(self, found: list[int]) -> list[int]:
        query = self._query
        first = query.offset if query.after is None else found.index(query.after) + 1 if query.after in found else 0
        return found[first:] if query.limit is None else found[first : first + query.limit]

    def _from_branches(self, limit: int, total: int) -> list[int]:
        query = self._query
        if query.place is not None:
            since, number = query.place
            given = {"since": timestamp(since), "number": number}
            return self._merged(self._keys, limit, where=" AND (updated_at, id) > (:since, :number)", given=given)
        if query.after is not None:
            return self._behind(query.after, limit)
        if query.counted and query.offset > total // 2:
            most = min(limit, max(0, total - query.offset))
            turned = tuple(key.turned for key in self._keys)
            return self._merged(turned, most, offset=max(0, total - query.offset - most))[::-1]
        return self._merged(self._keys, limit, offset=query.offset)

    def _behind(self, after: int, limit: int) -> list[int]:
        """What comes behind a memory: first what is equal to it in all keys but the last, then in fewer and fewer."""
        expressions = ", ".join(key.of for key in self._keys)
        at = self._connection.execute(f"SELECT {expressions} FROM long_term_memories WHERE id = ?", (after,)).fetchone()
        found: list[int] = []
        if at is None:
            return found
        for level in reversed(range(len(self._keys))):
            where, types = "", self._types
            for place, key in enumerate(self._keys[: level + 1]):
                is_last = place == level
                if key == _TYPE:  # a branch has one
                    types = [each for each in types if (each > at[place] if is_last else each == at[place])]
                else:
                    where += f" AND {key.of} {key.beyond if is_last else '='} :at{place}"
            given = {f"at{place}": value for place, value in enumerate(at)}
            found += self._merged(self._keys[level:], limit - len(found), where=where, given=given, types=types)
        return found

    def _merged(
        self,
        keys: tuple[_Key, ...],
        limit: int,
        *,
        offset: int = 0,
        where: str = "",
        given: Mapping[str, Any] | None = None,
        types: Sequence[str] | None = None,
    ) -> list[int]:
        """Out of the branches of these types, of all where none are named."""
        of_types = self._types if types is None else types
        if self._query.sort is MemorySort.WAITING:
            of_types = [_OF_ANY_TYPE]
        if not of_types or limit < 1:
            return []
        columns = ", ".join(f"{key.of} AS key{place}" for place, key in enumerate(keys))
        text = " UNION ALL ".join(
            f"SELECT id, {columns} FROM long_term_memories"
            f" WHERE scope = :{scope} AND state = '{state}'{_of(of_type)}{pinned}{self._further}{where}"
            for scope, state, of_type, pinned in product(self._scopes, self._states, of_types, self._of_pinned)
        )
        order = ", ".join(f"key{place}" + " DESC" * key.is_down for place, key in enumerate(keys))
        bindings = {**self._bindings, **(given or {}), "limit": limit, "offset": offset}
        rows = self._connection.execute(f"{text} ORDER BY {order} LIMIT :limit OFFSET :offset", bindings)
        return [int(str(row[0])) for row in rows]

    @property
    def _of_pinned(self) -> Sequence[str]:
        """Weights are in order among pinned ones, and among others."""
        if self._query.pinned is not None:
            return (_PINNED.format(self._query.pinned),)
        is_split = self._is_bounded and self._query.sort is MemorySort.WEIGHT
        return (_PINNED.format(1), _PINNED.format(0)) if is_split else ("",)


def _of(memory_type: str) -> str:
    return f" AND type = '{memory_type}'" if memory_type != _OF_ANY_TYPE else ""


def _is_one_of(column: str, words: Sequence[str]) -> str:
    """A single one is compared alone: by that SQLite knows an index of such rows."""
    return f"{column} = '{words[0]}'" if len(words) == 1 else f"{column} IN ({', '.join(map(repr, words))})"


_WAITS = {"state": (State.CANDIDATE.value,)}


def _records(
    connection: apsw.Connection, scopes: tuple[str, ...], record_type: RecordType[Any], query: RecordQuery
) -> tuple[list[Row], int]:
    where, bindings = _conditions(scopes, record_type, query)
    total = 0
    if query.counted:
        [total] = connection.execute(f"SELECT count(*) FROM {record_type.table}{where}", bindings).fetchone() or (0,)
    if query.limit == 0:
        return [], total
    columns = ", ".join(f'"{name}"' for name in record_type.names)
    order = ", ".join(_sorted_by(record_type, each) for each in query.order)
    if query.place is not None:
        marks = [f":place{number}" for number in range(len(query.place))]
        where += f" AND ({order}) > ({', '.join(marks)})"
        bindings |= {mark[1:]: value for mark, value in zip(marks, query.place, strict=True)}
    rows = connection.execute(
        f"SELECT {columns} FROM {record_type.table}{where} ORDER BY {order} LIMIT :limit OFFSET :offset",
        {**bindings, "limit": -1 if query.limit is None else query.limit, "offset": query.offset},
    )
    found = list[Row](rows)
    return found, total if query.counted else len(found)


def _conditions(
    scopes: tuple[str, ...], record_type: RecordType[Any], query: RecordQuery
) -> tuple[str, dict[str, Any]]:
    bindings: dict[str, Any] = {f"scope{number}": scope for number, scope in enumerate(scopes)}
    where = " WHERE " + among("scope", scopes, "scope")
    for column, values in query.where.items():
        name = _named(record_type, column)
        if values == _WAITS.get(name):  # written out, SQLite knows the index of such rows
            where += f" AND \"{name}\" = '{values[0]}'"
            continue
        marks = [f":{name}{number}" for number in range(len(values))]
        where += f' AND "{name}" IN ({", ".join(marks)})'
        bindings |= {mark[1:]: value for mark, value in zip(marks, values, strict=True)}
    if query.tags:
        tags = _named(record_type, "tags")
        where += (
            " AND NOT EXISTS (SELECT 1 FROM json_each(:wanted_tags) wanted"
            f" WHERE wanted.value NOT IN (SELECT value FROM json_each({record_type.table}.{tags})))"
        )
        bindings["wanted_tags"] = json.dumps(list(query.tags), ensure_ascii=False)
    for number, pattern in enumerate(patterns_of(query.text)):
        where += f" AND \"{record_type.text_column}\" LIKE :word{number} ESCAPE '!'"
        bindings[f"word{number}"] = pattern
    return where, bindings


def _sorted_by(record_type: RecordType[Any], column: str) -> str:
    return f'"{_named(record_type, column.removeprefix("-"))}"' + " DESC" * column.startswith("-")


def _named(record_type: RecordType[Any], column: str) -> str:
    assert column in record_type.names, f"a {record_type.kind.name} has no {column}"
    return column


def patterns_of(text: str) -> list[str]:
    """A LIKE pattern a word."""
    return [_pattern(pieces) for pieces in wanted_pieces(text)]


def _pattern(pieces: Pieces) -> str:
    return "%" + "%".join(map(_literal, pieces)) + "%"


def _literal(piece: str) -> str:
    return "".join(f"!{character}" if character in "%_!" else character for character in piece)
