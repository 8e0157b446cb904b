"""Finds messages by their words, through the index, and makes it in slices."""

from __future__ import annotations

import asyncio
import heapq
import time
from collections.abc import Iterable, Iterator
from itertools import chain

import apsw

from orca_core.model.diagnosis import NAMED
from orca_core.model.errors import IndexDamaged
from orca_core.model.record_types import parse_timestamp
from orca_core.model.sessions import FoundMessage, Judge, MessageIndexState, MessagesHeld, MessagesSought
from orca_core.store.sqlite import deleted_rows
from orca_core.store.sqlite.engine.connection import NEARNESS
from orca_core.store.sqlite.engine.scope import Scope
from orca_core.store.sqlite.index import message_index
from orca_core.store.sqlite.index.index_tables import BROKEN, damage_of
from orca_core.store.sqlite.index.message_index import TABLE, Said

COMPARED = 1_000
"""So many of the newest messages that hold the words are compared for the best. `benchmarks/message_search.py` bounds
it."""
READ_OF_THE_BEST = 50
"""So many of the nearest are read, for the index does not tell whole words from beginnings. Chosen by hand."""
SLICE_MESSAGES, SLICE_CHARS = 20, 8_000
"""Indexed in one transaction, which is then some ten milliseconds long: `benchmarks/message_search.py`."""
PAUSE_S = 0.005
"""The least pause between two slices; at least as long as the slice took, so that a waiting writer finds the lock
free (docs/decisions/0007)."""
READ_ONE_BY_ONE = 200
"""So many messages that wait to be indexed are read by every search: those of a fork, an answer that is coming.
Chosen by hand."""

FEW_PAGES = 80
"""Words that begin as the one that is looked for and fill no more pages are looked up at once: some eight
milliseconds."""
READ_A_PAGE = 5
"""Where they fill more, so many of the newest messages for each page are read first, which takes no longer than the
index would: such a beginning stands in every seventh of 200,000 messages, or in more. `benchmarks/what_grows.py`."""

_IS_GONE = deleted_rows.IS_GONE.replace("scope", "r.scope")
_FOUND = """
    SELECT r.session_id, s.title, r.number, m.role, m.content, m.at
    FROM main_messages m JOIN rounds r ON r.id = m.round_id
    JOIN sessions s ON s.scope = r.scope AND s.id = r.session_id
    WHERE m.id = ?1 AND r.scope = ?2 AND r.replaced_by IS NULL
    AND (?3 IS NULL OR r.session_id = ?3) AND (?4 IS NULL OR m.role = ?4)
"""
_NEWEST = "SELECT id FROM main_messages ORDER BY id DESC LIMIT ?1"
_NEWEST_OF_SESSION = """
    SELECT m.id FROM rounds r CROSS JOIN main_messages m ON m.round_id = r.id
    WHERE r.scope = ?2 AND r.session_id = ?3 ORDER BY m.id DESC LIMIT ?1
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
    SELECT count(*) FROM {TABLE}_docsize d WHERE NOT EXISTS (
        SELECT 1 FROM main_messages m JOIN rounds r ON r.id = m.round_id WHERE m.id = d.id AND r.replaced_by IS NULL
    )
"""


class SQLiteMessageSearch:
    """Searches the messages of one scope; the index is that of the whole file."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._was_looked_at = False

    async def find(self, sought: MessagesSought, judge: Judge) -> MessagesHeld:
        if not sought.phrases or sought.limit < 1:
            return MessagesHeld(())
        search = _Search(self._scope.own, sought, judge)

        def read(connection: apsw.Connection) -> MessagesHeld:
            try:
                waiting, unsearched = _read_one_by_one(connection)
                found = search.best(connection, waiting) if sought.best_first else search.newest(connection, waiting)
            except BROKEN as error:
                raise IndexDamaged(path=self._scope.path, detail=str(error)) from error
            return MessagesHeld(tuple(found), unsearched)

        return await self._scope.on_reader(read)

    async def backlog(self) -> int:
        def read(connection: apsw.Connection) -> int:
            if message_index.is_stale(connection):
                return _count(connection, "SELECT count(*) FROM main_messages")
            return _count(connection, f"SELECT count(*) {_WAITING}")

        return await self._scope.on_reader(read)

    async def catch_up(self, patience_s: float | None = None) -> int:
        began = time.monotonic()
        if not self._was_looked_at:
            self._was_looked_at = True  # two Orcas of other rules would else make it anew for ever
            if await self._scope.on_reader(message_index.is_stale):
                await self.rebuild()
        while await self._scope.on_reader(_waits):
            started = time.monotonic()
            await self._scope.on_writer(index_slice)
            took_s = time.monotonic() - started
            if patience_s is not None and time.monotonic() - began > patience_s:
                break
            await asyncio.sleep(max(PAUSE_S, took_s))
        return await self.backlog()

    async def examine(self) -> MessageIndexState:
        def read(connection: apsw.Connection) -> MessageIndexState:
            try:
                return looked_at(connection)
            except BROKEN:  # a part of it is missing
                return MessageIndexState(0, _count(connection, f"SELECT count(*) {_WAITING}"), 0, 0, is_damaged=True)

        def looked_at(connection: apsw.Connection) -> MessageIndexState:
            return MessageIndexState(
                indexed=_count(connection, f"SELECT count(*) FROM {TABLE}_docsize"),
                waiting=_count(connection, f"SELECT count(*) {_WAITING}"),
                missing=_count(connection, f"SELECT count(*) {_MISSING}"),
                orphans=_count(connection, _ORPHANS),
                is_stale=message_index.is_stale(connection),
                is_damaged=bool(damage_of(connection, TABLE)),
                missed=_missed(connection),
            )

        return await self._scope.on_reader(read)

    async def rebuild(self) -> None:
        await self._scope.on_writer(message_index.rebuild)


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
        self._beginnings = [words[-1] for words, is_open in phrases if is_open]
        self._query = message_index.expression(scope, phrases, *further)
        self._where = (scope, sought.session_id, sought.speaker)
        self._limit = sought.limit
        self._judge = judge

    def newest(self, connection: apsw.Connection, waiting: list[int]) -> list[FoundMessage]:
        read_first = self._read_first(connection)
        others = heapq.merge(self._indexed(connection), waiting, reverse=True)
        if read_first:
            others = (number for number in others if number < read_first[-1])
        return [found for found, _ in self._judged(connection, chain(read_first, others), self._limit)]

    def _indexed(self, connection: apsw.Connection) -> Iterator[int]:
        """What the index finds; it is asked when the first is wanted."""
        yield from _numbers(
            connection.execute(f"SELECT rowid FROM {TABLE} WHERE {TABLE} MATCH ? ORDER BY rowid DESC", (self._query,))
        )

    def _read_first(self, connection: apsw.Connection) -> list[int]:
        """The newest messages, where reading them is likely to find enough before the index would give the first."""
        scope, session_id, _speaker = self._where
        pages = sum(message_index.pages_of_beginning(connection, scope, each) for each in self._beginnings)
        if pages <= FEW_PAGES:
            return []
        most = READ_A_PAGE * pages
        if session_id is None:
            return list(_numbers(connection.execute(_NEWEST, (most,))))
        return list(_numbers(connection.execute(_NEWEST_OF_SESSION, (most, scope, session_id))))

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
        return [], _count(connection, "SELECT count(*) FROM main_messages")
    waiting = _count(connection, "SELECT count(*) FROM unindexed_messages")
    if waiting > READ_ONE_BY_ONE:
        return [], waiting
    return list(_numbers(connection.execute("SELECT id FROM unindexed_messages ORDER BY id DESC"))), 0


def index_slice(connection: apsw.Connection) -> None:
    """Index some of the messages that wait in the caller's transaction, newest first."""
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


def _waits(connection: apsw.Connection) -> bool:
    is_any = connection.execute(f"SELECT 1 {_WAITING} LIMIT 1").fetchone() is not None
    return is_any and not message_index.is_stale(connection)


def _count(connection: apsw.Connection, query: str) -> int:
    [found] = connection.execute(query).fetchone() or (0,)
    return int(found)
