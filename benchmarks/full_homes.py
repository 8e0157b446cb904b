"""Homes as people have them after years: memories, some of them candidates, chats with receipts, what was done and
learnt. Each size is built once into a folder and found there again; who measures gets a copy."""

from __future__ import annotations

import random
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw
import message_search
from fakes.rows import rows_on
from large_homes import SCOPE, World, fill

from orca_core.model.recall import Injection, Item, Level, Receipt, References, ScoreParts
from orca_core.model.record_types import memory_ref
from orca_core.operations.receipts import save_receipt
from orca_core.store.sqlite.engine.connection import connect
from orca_core.store.sqlite.index.message_search import index_slice
from orca_core.store.sqlite.schema.migrations import NEWEST
from orca_core.store.sqlite.store import open_stores

MESSAGES_A_MEMORY = 2
LONG_CHATS = {"a chat of 20 rounds": 20, "a chat of 200 rounds": 200, "a chat of 2,000 rounds": 2_000}
"""By their numbers. They are in every home, in front of the others."""
A_RUN = 5
CANDIDATES = 0.05
TYPES = {"fact": 60, "preference": 20, "project": 10, "instruction": 7, "event": 3}
TAGS = 100
WHEN = "2026-10-01T12:00:00.000000Z"
_AT_ONCE = 2_000


async def home_of(memories: int) -> Path:
    """The database of a home of so many memories, built where it is not there yet."""
    kept = Path(tempfile.gettempdir()) / "orca-full-homes" / f"schema-{NEWEST}"
    kept.mkdir(parents=True, exist_ok=True)
    path = kept / f"{memories}.db"
    if not path.exists():
        with tempfile.TemporaryDirectory(dir=kept) as folder:
            unfinished = Path(folder) / "orca.db"
            await fill(unfinished, World(), memories)
            await _live_in(unfinished, memories)
            unfinished.rename(path)
    return path


@contextmanager
def copied(path: Path) -> Iterator[Path]:
    """A copy of a database in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(shutil.copyfile(path, Path(folder) / "orca.db"))


async def _live_in(path: Path, memories: int) -> None:
    connection = connect(path)
    connection.execute("PRAGMA synchronous=OFF")
    chance = random.Random(7)
    with connection:
        _hold_back(connection, chance, memories)
        _tell_apart(connection, chance, memories)
    message_search.fill(
        connection, message_search.Speech(random.Random(11)), MESSAGES_A_MEMORY * memories, long_chats=LONG_CHATS
    )
    rounds = [
        (int(str(number)), str(session), int(str(of_session)))
        for number, session, of_session in connection.execute("SELECT id, session_id, number FROM rounds ORDER BY id")
    ]
    for first in range(0, len(rounds), _AT_ONCE):
        with connection:
            for each in rounds[first : first + _AT_ONCE]:
                _answer(connection, chance, memories, *each)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    connection.close()
    stores = await open_stores(path, scope=SCOPE, must_exist=True)
    while await stores.messages.backlog():
        for _ in range(100):
            await stores.upkeep._scope.on_writer(index_slice)  # type: ignore[attr-defined]
    await stores.upkeep._scope.checkpoint()  # type: ignore[attr-defined]
    await stores.upkeep.aclose()


def _hold_back(connection: apsw.Connection, chance: random.Random, memories: int) -> None:
    """Make some memories candidates, and use others."""
    held = [(number,) for number in range(1, memories + 1) if chance.random() < CANDIDATES]
    connection.executemany(
        "UPDATE long_term_memories SET state = 'candidate', held_because = 'not_typed' WHERE id = ? AND state = 'live'",
        held,
    )
    days = [
        (f"2026-09-{chance.randint(1, 30):02}T{chance.randrange(24):02}:00:00.000000Z", number)
        for number in range(1, memories + 1)
    ]
    connection.executemany("UPDATE long_term_memories SET created_at = ?1, updated_at = ?1 WHERE id = ?2", days)
    connection.executemany(
        "UPDATE long_term_memories SET last_accessed = ? WHERE id = ?", [day for day in days if day[1] % 3]
    )


def _tell_apart(connection: apsw.Connection, chance: random.Random, memories: int) -> None:
    """Types, tags on some, pins on few, and few that weigh much."""
    types = chance.choices(tuple(TYPES), tuple(TYPES.values()), k=memories)
    connection.executemany(
        "UPDATE long_term_memories SET type = ?, tags = ?, pinned = ? WHERE id = ?",
        [
            (
                kind,
                f'["tag{chance.randrange(TAGS)}"]' if chance.random() < 0.2 else "[]",
                chance.random() < 0.002,
                number,
            )
            for number, kind in enumerate(types, start=1)
        ],
    )
    heavy = [(round(chance.uniform(5.1, 9), 1), number) for number in range(1, memories + 1) if chance.random() < 0.02]
    connection.executemany("UPDATE long_term_memories SET weight = ? WHERE id = ?", heavy)


def _answer(
    connection: apsw.Connection, chance: random.Random, memories: int, round_id: int, session: str, number: int
) -> None:
    """What a turn leaves: its receipt, the use of what it was shown, an operation with the weights that moved; and
    every few rounds a run that learnt nothing."""
    shown = [chance.randint(1, memories) for _ in range(3)]
    items = tuple(
        Item(memory_ref(each), f"memory {each}", ScoreParts(0.5), "technical") for each in dict.fromkeys(shown)
    )
    receipt = Receipt(session, number, Injection(Level.FULL, ("technical",), items, (), ""), References())
    save_receipt(rows_on(connection, SCOPE), round_id, receipt)
    connection.execute(
        "INSERT INTO operations (scope, actor, action, at, session_id, round, round_id)"
        " VALUES (?, 'turn', 'weights', ?, ?, ?, ?)",
        (SCOPE, WHEN, session, number, round_id),
    )
    operation = connection.last_insert_rowid()
    for each in dict.fromkeys(shown):
        connection.execute(
            "INSERT INTO memory_usage_log (round_id, kind, memory_id, use, weight_before, weight_after, at)"
            " VALUES (?, 'memory', ?, 'used', 1.0, 1.5, ?)",
            (round_id, each, WHEN),
        )
        connection.execute(
            "INSERT INTO memory_history (operation, kind, memory_id, before, after) VALUES (?, 'memory', ?, ?, ?)",
            (operation, each, '{"weight": 1.0}', '{"weight": 1.5}'),
        )
    if number % A_RUN == 0:
        connection.execute(
            "INSERT INTO extraction_runs (scope, session_id, state, tries, started_at, ended_at, rounds)"
            " VALUES (?, ?, 'none', 1, ?, ?, ?)",
            (SCOPE, session, WHEN, WHEN, f"[{round_id}]"),
        )
