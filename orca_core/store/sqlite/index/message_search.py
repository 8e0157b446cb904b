"""Finds messages by their words, through the index, and makes it in slices."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator

import apsw

from orca_core.model.diagnosis import NAMED
from orca_core.model.record_types import parse_timestamp
from orca_core.model.sessions import FoundMessage, Judge, MessageIndexState, MessagesHeld, MessagesSought
from orca_core.store.sqlite import deleted_rows
from orca_core.store.sqlite.engine.connection import NEARNESS
from orca_core.store.sqlite.engine.meta import count_of
from orca_core.store.sqlite.index import message_index
from orca_core.store.sqlite.index.index_tables import BROKEN, broken_index, damage_of
from orca_core.store.sqlite.index.message_index import TABLE, Said

COMPARED = 1_000
"""So many of the newest messages that hold the words are compared for the best. `benchmarks/message_search.py` bounds
it."""
READ_OF_THE_BEST = 50
"""So many of the nearest are read, for the index does not tell whole words from beginnings. Chosen by hand."""
SLICE_MESSAGES, SLICE_CHARS = 20, 8_000
"""Indexed in one transaction, which is then some ten milliseconds long: `benchmarks/message_search.py`."""
READ_ONE_BY_ONE = 200
"""So many messages that wait to be indexed are read by every search: those of a fork, an answer that is coming.
Chosen by hand."""

_IS_GONE = deleted_rows.IS_GONE.replace("scope", "r.scope")
_FOUND = """
    SELECT r.session_id, s.title, r.number, m.role, m.content, m.at
    FROM main_messages m JOIN rounds r ON r.id = m.round_id
    JOIN sessions s ON s.scope = r.scope AND s.id = r.session_id
    WHERE m.id = ?1 AND r.scope = ?2 AND r.replaced_by IS NULL
    AND (?3 IS NULL OR r.session_id = ?3) AND (?4 IS NULL OR m.role = ?4)
"""
# An answer that is coming changes every second.
_WAITING = """
    FROM unindexed_messages q JOIN main_messages m ON m.id = q.id JOIN rounds r ON r.id = m.round_id
    WHERE NOT (m.role = 'assistant' AND r.state = 'streaming' AND r.replaced_by IS NULL)
"""
_SLICE = f"""
    SELECT m.id, r.scope, r.session_id, m.role, m.content, r.replaced_by IS NULL AND NOT ({_IS_GONE}) {_WAITING}
    ORDER BY q.id DESC LIMIT {SLICE_MESSAGES}
"""
_MISSING = f"""
    FROM main_messages m JOIN rounds r ON r.id = m.round_id
    WHERE r.replaced_by IS NULL AND NOT ({_IS_GONE})
    AND NOT EXISTS (SELECT 1 FROM {TABLE}_docsize d WHERE d.id = m.id)
    AND NOT EXISTS (SELECT 1 FROM unindexed_messages q WHERE q.id = m.id)
"""
_ORPHANS = f"""
    {TABLE}_docsize d WHERE NOT EXISTS (
        SELECT 1 FROM main_messages m JOIN rounds r ON r.id = m.round_id WHERE m.id = d.id AND r.replaced_by IS NULL
    )
"""


def find(connection: apsw.Connection, scope: str, sought: MessagesSought, judge: Judge) -> MessagesHeld:
    """The messages of a scope that stand and hold what is looked for."""
    if not sought.phrases or sought.limit < 1:
        return MessagesHeld(())
    search = _Search(scope, sought, judge)
    with broken_index():
        waiting, unsearched = _read_one_by_one(connection)
        found = search.best(connection, waiting) if sought.best_first else search.newest(connection, waiting)
    return MessagesHeld(tuple(found), unsearched)


def waiting_count(connection: apsw.Connection) -> int:
    """How many messages of any scope wait to be indexed."""
    if message_index.is_stale(connection):
        return count_of(connection, "main_messages")
    return count_of(connection, _WAITING.partition("FROM")[2])


def examine(connection: apsw.Connection) -> MessageIndexState:
    """How the index stands beside the messages."""
    waiting = _WAITING.partition("FROM")[2]
    try:
        return MessageIndexState(
            indexed=count_of(connection, f"{TABLE}_docsize"),
            waiting=count_of(connection, waiting),
            missing=count_of(connection, _MISSING.partition("FROM")[2]),
            orphans=count_of(connection, _ORPHANS),
            is_stale=message_index.is_stale(connection),
            is_damaged=bool(damage_of(connection, TABLE)),
            missed=_missed(connection),
        )
    except BROKEN:  # a part of it is missing
        return MessageIndexState(0, count_of(connection, waiting), 0, 0, is_damaged=True)


def _missed(connection: apsw.Connection) -> tuple[tuple[str, int], ...]:
    rows = connection.execute(f"SELECT DISTINCT r.session_id, r.number {_MISSING} ORDER BY r.id LIMIT {NAMED}")
    return tuple((str(session), int(str(number))) for session, number in rows)


class _Search:
    """One search, in one snapshot."""

    def __init__(self, scope: str, sought: MessagesSought, judge: Judge) -> None:
        further = [] if sought.speaker is None else [message_index.word_of_role(sought.speaker)]
        if sought.session_id is not None:
            further.append(message_index.word_of_session(sought.session_id))
        phrases = [(phrase.words, phrase.is_open) for phrase in sought.phrases]
        self._query = message_index.expression(scope, phrases, *further)
        self._where = (scope, sought.session_id, sought.speaker)
        self._limit = sought.limit
        self._judge = judge

    def newest(self, connection: apsw.Connection, waiting: list[int]) -> list[FoundMessage]:
        rows = connection.execute(
            f"SELECT rowid FROM {TABLE} WHERE {TABLE} MATCH ? ORDER BY rowid DESC", (self._query,)
        )
        numbers = heapq.merge(_numbers(rows), waiting, reverse=True)
        return [found for found, _ in self._judged(connection, numbers, self._limit)]

    def best(self, connection: apsw.Connection, waiting: list[int]) -> list[FoundMessage]:
        rows = connection.execute(
            f"SELECT rowid, {NEARNESS}({TABLE}) FROM {TABLE} WHERE {TABLE} MATCH ? ORDER BY rowid DESC LIMIT ?",
            (self._query, COMPARED),
        )
        nearest = sorted(rows, key=lambda row: -row[1])
        most = max(self._limit, READ_OF_THE_BEST)
        found = [
            *self._judged(connection, waiting, most),
            *self._judged(connection, (number for number, _ in nearest), most),
        ]
        found.sort(key=lambda each: -each[1])
        return [message for message, _ in found[: self._limit]]

    def _judged(
        self, connection: apsw.Connection, numbers: Iterable[int], limit: int
    ) -> Iterator[tuple[FoundMessage, int]]:
        """The messages that hold all that is looked for, at most so many, each with how much of it as whole words."""
        found = 0
        for number in numbers:
            row = connection.execute(_FOUND, (number, *self._where)).fetchone()
            if row is None or (whole := self._judge(str(row[4]))) is None:
                continue
            session_id, title, of_round, role, content, at = row
            yield FoundMessage(session_id, title, of_round, role, content, parse_timestamp(at)), whole
            found += 1
            if found == limit:
                return


def _numbers(rows: apsw.Cursor) -> Iterator[int]:
    return (int(str(number)) for (number,) in rows)


def _read_one_by_one(connection: apsw.Connection) -> tuple[list[int], int]:
    """The messages that wait to be indexed and are few enough to be read, newest first; else how many there are."""
    if message_index.is_stale(connection):
        return [], count_of(connection, "main_messages")
    waiting = count_of(connection, "unindexed_messages")
    if waiting > READ_ONE_BY_ONE:
        return [], waiting
    return list(_numbers(connection.execute("SELECT id FROM unindexed_messages ORDER BY id DESC"))), 0


def index_slice(connection: apsw.Connection) -> bool:
    """Index some of the messages that wait, newest first; returns whether there were any."""
    if message_index.is_stale(connection):
        return False
    taken: list[tuple[Said, bool]] = []
    chars = 0
    for *said, stands in connection.execute(_SLICE):
        taken.append((Said(*said), bool(stands)))
        chars += len(taken[-1][0].content)
        if chars >= SLICE_CHARS:
            break
    for message, is_searched in taken:
        if is_searched:
            message_index.put(connection, message)
        else:
            connection.execute("DELETE FROM unindexed_messages WHERE id = ?", (message.id,))
    return bool(taken)
