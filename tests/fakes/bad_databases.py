"""Databases that `orca restore` may not put in the place of one: damaged, of others, lying, or made to do harm."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from random import Random

import apsw
from fakes.bad_files import IS_READ, IS_REFUSED, MAY_BE_READ, BadFile

from orca_core.store.sqlite.engine.connection import load_vectors

Harm = Callable[[Path, Random], object]


def bytes_changed(change: Callable[[bytearray, Random], bytes | bytearray]) -> Harm:
    def harm(path: Path, chance: Random) -> None:
        path.write_bytes(change(bytearray(path.read_bytes()), chance))

    return harm


def _cut(data: bytearray, chance: Random) -> bytes:
    return data[: chance.choice((1, 99, 100, 511, 512, 8191, 8192, 20_000, len(data) // 2, len(data) - 8192))]


def _flipped(data: bytearray, chance: Random) -> bytes:
    for _ in range(chance.choice((1, 8, 64))):
        data[chance.randrange(100, len(data))] ^= 1 << chance.randrange(8)
    return data


def _scratched(data: bytearray, chance: Random) -> bytes:
    at = chance.randrange(1, len(data) // 8192) * 8192
    data[at : at + 8192] = chance.choice((bytes(8192), b"\xff" * 8192, chance.randbytes(8192)))
    return data


def _header(data: bytearray, chance: Random) -> bytes:
    at, value = chance.choice(
        (
            (0, b"SQLite format 4\0"),
            (16, struct.pack(">H", chance.choice((0, 1, 3, 511, 4096, 512)))),
            (18, b"\x09\x09"),
            (20, b"\xff"),
            (21, b"\x01\x01\x01"),
            (44, struct.pack(">I", 99)),
            (56, struct.pack(">I", chance.choice((2, 3, 77)))),
        )
    )
    data[at : at + len(value)] = value
    return data


def _pages(data: bytearray, chance: Random) -> bytes:
    """How many pages there are, and how many of them are free."""
    at = chance.choice((28, 32, 36))
    data[at : at + 4] = struct.pack(">I", chance.choice((1, 2, 5, 0x7FFFFFFF, 0xFFFFFFFF)))
    return data


def statements(*texts: str) -> Harm:
    """Damage that SQL does, as anybody can who has the file; one of the texts, or several with semicolons."""

    def harm(path: Path, chance: Random) -> None:
        connection = apsw.Connection(str(path))
        load_vectors(connection)
        for pragma in ("foreign_keys=OFF", "writable_schema=ON", "journal_mode=DELETE"):
            connection.execute(f"PRAGMA {pragma}").fetchall()
        for _ in connection.execute(chance.choice(texts)):
            pass
        connection.close()

    return harm


def other(text: str) -> Harm:
    """Another application's database."""

    def harm(path: Path, chance: Random) -> None:
        path.unlink()
        statements(text)(path, chance)

    return harm


def beside(path: Path, chance: Random) -> None:
    """A journal that does not belong to it."""
    side = chance.choice(("-wal", "-journal", "-shm"))
    path.with_name(path.name + side).write_bytes(
        chance.choice((b"", b"x", chance.randbytes(70_000), b"\x37\x7f\x06\x82" * 9_000))
    )


ENDLESS = "WITH RECURSIVE n(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n"
_MISSING = ("long_term_memories", "meta", "operations", "memory_history", "tombstones", "sessions", "rounds", "knowledge",
            "words_long_term_memories", "turn_receipts", "episodes", "tool_calls", "actions")  # fmt: skip
TRIGGERS = tuple(
    f"CREATE TRIGGER harm AFTER {act} ON {table} BEGIN {does}; END"
    for act, table, does in (
        ("INSERT", "operations", "DELETE FROM long_term_memories"),
        ("INSERT", "operations", f"SELECT ({ENDLESS})"),
        ("DELETE", "long_term_memories", "INSERT INTO long_term_memories SELECT * FROM long_term_memories"),
        ("UPDATE", "long_term_memories", "UPDATE long_term_memories SET content = 'x'"),
        ("DELETE", "meta", "SELECT RAISE(ABORT, '\x1b[2J')"),
        ("INSERT", "rounds", f"SELECT ({ENDLESS})"),
    )
)
VIEWS = (
    f"CREATE VIEW harm AS {ENDLESS}",
    f"ALTER TABLE long_term_memories RENAME TO kept; CREATE VIEW long_term_memories AS {ENDLESS}",
    "ALTER TABLE meta RENAME TO kept; CREATE VIEW meta AS SELECT * FROM kept",
    f"ALTER TABLE tombstones RENAME TO kept; CREATE VIEW tombstones AS {ENDLESS}",
)
CHANGED = (
    "ALTER TABLE long_term_memories RENAME COLUMN content TO said",
    "ALTER TABLE operations DROP COLUMN round",
    "ALTER TABLE meta ADD COLUMN x",
    "UPDATE sqlite_schema SET sql = replace(sql, 'value TEXT', 'value TEXT CHECK (length(zeroblob(900000000)))') WHERE name = 'meta'",
    "UPDATE sqlite_schema SET sql = replace(sql, 'NOT NULL', 'NULL') WHERE name = 'operations'",
    "UPDATE sqlite_schema SET sql = 'CREATE TABLE operations (' WHERE name = 'operations'",
    "UPDATE sqlite_schema SET rootpage = 2 WHERE name = 'operations'",
    "UPDATE sqlite_schema SET rootpage = 99999 WHERE name = 'rounds'",
    "DROP TRIGGER receipt_ends",
)
NOTES = (
    "INSERT OR REPLACE INTO meta (key, value) VALUES ('backup', 'no json')",
    "INSERT OR REPLACE INTO meta (key, value) VALUES ('backup', '[1]')",
    'INSERT OR REPLACE INTO meta (key, value) VALUES (\'backup\', \'{"at": "never", "counts": 7}\')',
    'INSERT OR REPLACE INTO meta (key, value) VALUES (\'backup\', \'{"at": null, "counts": {"memories": "\x1b[2J"}}\')',
    f"INSERT OR REPLACE INTO meta (key, value) VALUES ('backup', '{'[' * 100_000}')",
    "INSERT OR REPLACE INTO meta (key, value) VALUES ('backup', CAST(x'ff80' AS TEXT))",
)
ROWS = (
    "UPDATE rounds SET started_at = 'never'",
    "UPDATE long_term_memories SET created_at = '0000-00-00'",
    "UPDATE long_term_memories SET created_at = '9999-12-31T23:59:59.999999Z'",
    "UPDATE long_term_memories SET tags = 'no json'",
    "UPDATE long_term_memories SET origin_rounds = '[\"a\"]'",
    "UPDATE long_term_memories SET content = CAST(x'ff80fe' AS TEXT)",
    "UPDATE long_term_memories SET content = char(27) || '[2J' || content",
    "UPDATE long_term_memories SET weight = 9e999",
    "UPDATE long_term_memories SET superseded_by = id",
    "UPDATE sqlite_sequence SET seq = 9223372036854775807",
    "UPDATE sqlite_sequence SET seq = 'many'",
    "UPDATE sqlite_sequence SET seq = NULL",
    "UPDATE operations SET undone_by = id, undoes = id",
    "UPDATE operations SET at = ''",
    "UPDATE memory_history SET after = 'no json'",
    "DELETE FROM operations",
    "UPDATE meta SET value = ''",
)

DATABASE_FAMILIES: Mapping[str, tuple[Harm, str, int]] = {
    "database cut": (bytes_changed(_cut), IS_REFUSED, 8),
    "database with bits flipped": (bytes_changed(_flipped), MAY_BE_READ, 20),
    "database with a page gone": (bytes_changed(_scratched), MAY_BE_READ, 12),
    "database with another header": (bytes_changed(_header), MAY_BE_READ, 10),
    "database that lies of its pages": (bytes_changed(_pages), MAY_BE_READ, 8),
    "database of chance": (bytes_changed(lambda data, chance: chance.randbytes(90_000)), IS_REFUSED, 2),
    "database of chance with a header": (bytes_changed(lambda data, chance: data[:100] + chance.randbytes(90_000)), IS_REFUSED, 3),
    "database of nothing": (bytes_changed(lambda data, chance: chance.choice((b"", b"\0" * 99, b"\0" * 9_000, b"SQLite format 3\0"))), IS_REFUSED, 4),
    "newer database": (statements("PRAGMA user_version = 99", "PRAGMA user_version = 13", "PRAGMA user_version = 2147483647"), IS_REFUSED, 3),
    "database of no version": (statements("PRAGMA user_version = 0", "PRAGMA user_version = -1", "PRAGMA user_version = 3", "PRAGMA user_version = 11"), IS_REFUSED, 4),
    "another application": (statements("PRAGMA application_id = 7", "PRAGMA application_id = -1"), IS_REFUSED, 2),
    "of no application": (statements("PRAGMA application_id = 0"), IS_REFUSED, 1),
    "somebody else's database": (other("CREATE TABLE cookies (host TEXT); INSERT INTO cookies VALUES ('x')"), IS_REFUSED, 1),
    "empty database": (other("PRAGMA user_version = 12; PRAGMA application_id = 1330856769; CREATE TABLE x (y)"), IS_REFUSED, 1),
    "table missing": (statements(*(f'DROP TABLE IF EXISTS "{each}"' for each in _MISSING)), MAY_BE_READ, 12),
    "indexes missing": (statements("DELETE FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL"), IS_REFUSED, 1),
    "hostile trigger": (statements(*TRIGGERS), IS_REFUSED, 6),
    "hostile view": (statements(*VIEWS), IS_REFUSED, 4),
    "changed table": (statements(*CHANGED), IS_REFUSED, 9),
    "lying note": (statements(*NOTES), MAY_BE_READ, 6),
    "lying rows": (statements(*ROWS), MAY_BE_READ, 17),
    "journal beside it": (beside, MAY_BE_READ, 8),
    "as it should be": (lambda path, chance: None, IS_READ, 1),
}  # fmt: skip


def of_databases(whole: bytes, seed: int, count: int | None = None) -> Iterator[BadFile]:
    """Files of every family, made of a database that is as it should be."""
    for family, (harm, expected, most) in DATABASE_FAMILIES.items():
        for number in range(min(most, count or most)):
            put = partial(_put, whole, harm, f"{seed} {family} {number}")
            yield BadFile(family, number, expected, put, "backup.db")


def _put(whole: bytes, harm: Harm, seed: str, path: Path) -> None:
    path.write_bytes(whole)
    harm(path, Random(seed))
