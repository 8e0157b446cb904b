"""Keeps the codes of the vectors that are searched in memory: a cache, made from the rows and gone without harm.

From the second search of a kind on they are read, in slices on a thread of their own, while sqlite-vec finds. What
changes is noted in `vector_changes` by whoever changes it, in whichever process: each search first reads again what
was noted since the last one, so that it knows all that its snapshot knows.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import apsw
from msgspec import Struct

from orca_core.model.recall import VectorHit, Which
from orca_core.operations.columns import to_json
from orca_core.owned_tasks import log_failure, make_task
from orca_core.store.ports import Row
from orca_core.store.sqlite.engine.connection import SideConnection
from orca_core.store.sqlite.engine.meta import count_of
from orca_core.store.sqlite.index import vector_format, vector_index
from orca_core.store.sqlite.index.index_tables import IndexTables
from orca_core.store.sqlite.index.vector_index import Sought

if TYPE_CHECKING:
    from orca_core.store.sqlite.index.vector_codes import Codes

A_SLICE = 1_000
"""So many vectors are read at once: some ten milliseconds, of which Python does
nothing else for less than two at a time."""
MOST_CAUGHT_UP = 2_000
"""So many changes a search reads by itself; more are read anew in the background. Chosen by hand."""
SEARCHES_UNTIL_ANEW = 100
"""After so many searches what could not be read is tried again. Chosen by hand."""
A_BREATH_S = 0.004
"""So long a break between two slices. Chosen by hand."""
EXACT = 64
"""So many of the nearest are compared by their exact vectors, or as many as are wanted, and a quarter."""

Key = tuple[str, str, int]
"""Kind, model and dimensions."""


class _Held(Struct):
    """The codes of one kind and model, with the last change that they know."""

    tables: IndexTables
    codes: Codes
    seq: int


class _Wanted(Struct):
    """What a search asked for and did not find at hand."""

    tables: IndexTables
    key: Key
    searches: int = 0


class RamIndex:
    """Those of one file, common to all scopes and threads."""

    def __init__(self, where: Path | str) -> None:
        self._where = where
        self._held: dict[Key, _Held] = {}
        self._wanted: dict[Key, _Wanted] = {}
        self._lock = threading.Lock()
        self._bringing: asyncio.Task[None] | None = None
        self._is_due = False
        """Written by whoever searches, read by the event loop: that must not wait for the lock."""
        self._is_closed = False

    def nearest(self, connection: apsw.Connection, sought: Sought) -> list[VectorHit] | None:
        """The nearest records; None where the codes are not at hand, or too few of what they found may be found."""
        tables, limit, key = sought.tables, sought.limit, _key(sought)
        with self._lock:
            held = self._held.get(key)
            if held is None or not _is_caught_up(connection, held, key):
                self._held.pop(key, None)
                wanted_now = self._wanted.setdefault(key, _Wanted(tables, key))
                wanted_now.searches += 1
                self._is_due = self._is_due or wanted_now.searches > 1
                return None
            count = max(EXACT, limit + limit // 4)
            ids = held.codes.nearest(sought.vector, count, sought.scopes, live_only=sought.which is Which.LIVE)
            is_all = len(ids) < count
        hits = vector_index.best_of(connection, sought, ids)
        return hits if is_all or len(hits) >= limit else None

    def bring(self) -> None:
        """Have read, in the background, what was searched twice and is not at hand."""
        if self._is_due and not self._is_closed and (self._bringing is None or self._bringing.done()):
            self._is_due = False
            self._bringing = make_task(self._bring_all())
            self._bringing.add_done_callback(log_failure)

    async def wait(self) -> None:
        """Wait until all is at hand that is being read."""
        if self._bringing is not None:
            await asyncio.wait({self._bringing})

    async def aclose(self) -> None:
        """Read no further, for good."""
        self._is_closed = True
        if self._bringing is not None:
            self._bringing.cancel()
            await self.wait()
        self._held = {}

    async def _bring_all(self) -> None:
        side = SideConnection(self._where)
        try:
            failed: Exception | None = None
            for each in await asyncio.to_thread(self._take_due):
                try:
                    await self._bring(each, side)
                except Exception as error:  # noqa: BLE001  # what is wrong with one kind keeps no other from memory
                    failed = error
            if failed is not None:
                raise failed
        finally:
            await side.aclose()

    def _take_due(self) -> list[_Wanted]:
        with self._lock:
            due = [each for each in self._wanted.values() if each.searches > 1]
            for each in due:
                each.searches = -SEARCHES_UNTIL_ANEW  # should it fail
            return due

    async def _bring(self, wanted: _Wanted, side: SideConnection) -> None:
        """Read the codes of one kind and model, slice by slice; others may search, write and draw between two."""
        from orca_core.store.sqlite.index.vector_codes import Codes  # with numpy, for who searches by vectors alone

        kind, model, dimensions = wanted.key
        await side.run(lambda connection: vector_index.check_width(connection, (kind,), model, dimensions))
        codes = Codes(dimensions, await side.run(partial(_count, kind, model)))
        seq = await side.run(_last_change)
        after: int | None = 0
        while after is not None:
            after = await side.run(partial(_next_slice, codes, wanted, after))
            await asyncio.sleep(A_BREATH_S)
        await asyncio.to_thread(self._hold, wanted.key, _Held(wanted.tables, codes, seq))

    def _hold(self, key: Key, held: _Held) -> None:
        """In the place of those of another model: who went over to one does not search by both."""
        with self._lock:
            self._held = {known: each for known, each in self._held.items() if known[0] != key[0]} | {key: held}
            self._wanted.pop(key, None)


def _key(sought: Sought) -> Key:
    return sought.tables.kind.name, sought.model, len(sought.vector)


def _next_slice(codes: Codes, wanted: _Wanted, after: int, connection: apsw.Connection) -> int | None:
    """Hold the next vectors; returns the number of the last one, None where there is none left."""
    _kind, model, dimensions = wanted.key
    rows = vector_index.vectors_after(connection, wanted.tables, model, dimensions, after, A_SLICE)
    _put(codes, rows, dimensions)
    return rows[-1][0] if len(rows) == A_SLICE else None


def _is_caught_up(connection: apsw.Connection, held: _Held, key: Key) -> bool:
    """Read again what changed since; False where that is too much, or no longer known."""
    changes = _changes(connection, held, MOST_CAUGHT_UP + 1)
    if not changes:
        return True
    if len(changes) > MOST_CAUGHT_UP or changes[0][0] != held.seq + 1:
        return False
    _read_again(connection, held, key, changes)
    return True


def _changes(connection: apsw.Connection, held: _Held, most: int) -> Sequence[Row]:
    return connection.execute(
        "SELECT seq, kind, id FROM vector_changes WHERE seq > ? ORDER BY seq LIMIT ?", (held.seq, most)
    ).fetchall()


def _read_again(connection: apsw.Connection, held: _Held, key: Key, changes: Sequence[Row]) -> None:
    kind, model, dimensions = key
    changed = {number for _seq, of_kind, number in changes if of_kind == kind}
    if changed:
        found: Sequence[Row] = connection.execute(
            f"SELECT v.id, m.scope, {held.tables.live}, v.vector FROM json_each(?) w CROSS JOIN vectors v"
            f" ON v.kind = ? AND v.id = w.value AND v.model = ? CROSS JOIN {held.tables.rows} m ON m.id = v.id"
            " WHERE length(v.vector) = ?",
            (to_json(sorted(changed)), kind, model, 2 * dimensions),
        ).fetchall()
        held.codes.drop(changed - {row[0] for row in found})
        _put(held.codes, found, dimensions)
    held.seq = changes[-1][0]


def _put(codes: Codes, rows: Sequence[Row], dimensions: int) -> None:
    if rows:
        ids, scopes, live, blobs = zip(*rows, strict=True)
        codes.put(ids, scopes, live, vector_format.from_blobs(blobs, dimensions))


def _count(kind: str, model: str, connection: apsw.Connection) -> int:
    return count_of(connection, "vectors WHERE kind = ? AND model = ?", kind, model)


def _last_change(connection: apsw.Connection) -> int:
    row = connection.execute("SELECT max(seq) FROM vector_changes").fetchone()
    return row[0] or 0 if row else 0
