"""History that was put into the database ahead of the operations and records that it tells of: nobody sees it. A note
says which operations these will be, until they are there: by it anybody takes away what an import left that was killed
(docs/decisions/0032)."""

from __future__ import annotations

import json
from functools import partial

import apsw
from msgspec import Struct

from orca_core.storage.sqlite.engine import owners
from orca_core.storage.sqlite.engine.pacing import until_done
from orca_core.storage.sqlite.engine.rows import to_json
from orca_core.storage.sqlite.engine.scope import Scope

SLICE = 1000
"""Rows in one transaction, which takes some milliseconds. Chosen by hand; `benchmarks/export_import.py` measures it."""
_KEY = "arriving {}"
_NOTED = "SELECT key, value FROM meta WHERE key >= 'arriving ' AND key < 'arriving!'"
_TAKE_AWAY = """
    DELETE FROM memory_history WHERE id IN
    (SELECT id FROM memory_history WHERE operation BETWEEN ? AND ? LIMIT ?)
"""


class Numbers(Struct, frozen=True):
    """Those of the operations that come. The last one is the import itself."""

    first: int
    last: int

    @property
    def key(self) -> str:
        return _KEY.format(self.first)


def note(connection: apsw.Connection, numbers: Numbers) -> None:
    """In the transaction that reserves them."""
    said = to_json({"last": numbers.last, "owner": owners.this_process()})
    connection.execute("INSERT INTO main.meta (key, value) VALUES (?, ?)", (numbers.key, said))


def forget_note(connection: apsw.Connection, numbers: Numbers) -> None:
    """In the transaction in which they come."""
    connection.execute("DELETE FROM main.meta WHERE key = ?", (numbers.key,))


def take_away_slice(connection: apsw.Connection, numbers: Numbers) -> bool:
    """In the caller's transaction: take away some of it, and at last the note; returns whether there is more. Without
    a note they have come."""
    if connection.execute("SELECT 1 FROM main.meta WHERE key = ?", (numbers.key,)).fetchone() is None:
        return False
    connection.execute(_TAKE_AWAY, (numbers.first, numbers.last, SLICE))
    if connection.changes():
        return True
    forget_note(connection, numbers)
    return False


async def take_away_abandoned(scope: Scope) -> None:
    """What imports left that nobody carries on."""
    for numbers in await scope.read(_abandoned):
        await until_done(partial(scope.write, partial(take_away_slice, numbers=numbers)))


def _abandoned(connection: apsw.Connection) -> list[Numbers]:
    noted = [(int(str(key).rpartition(" ")[2]), json.loads(str(said))) for key, said in connection.execute(_NOTED)]
    return [Numbers(first, said["last"]) for first, said in noted if not owners.is_alive(said["owner"])]
