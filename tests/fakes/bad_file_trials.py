"""Tries what a bad file, database or place does to a home: a refusal in one clean line, and nothing else."""

from __future__ import annotations

import os
import re
import shutil
import struct
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from random import Random
from threading import Thread

import apsw
from fakes.bad_files import (
    ARCHIVE_FAMILIES,
    IS_READ,
    IS_REFUSED,
    LYING_FAMILIES,
    MAY_BE_READ,
    TEXT_FAMILIES,
    BadFile,
    of_families,
    text_of,
)
from fakes.terminal import OrcaHome, Ran

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


Put = Callable[[Path], object]


def piped(data: bytes, path: Path) -> None:
    """A named pipe, into which somebody writes this as soon as it is read."""
    os.mkfifo(path)
    Thread(target=_write, args=(data, path), daemon=True).start()


def _write(data: bytes, path: Path) -> None:
    try:
        path.write_bytes(data)
    except BrokenPipeError:
        return  # who reads had enough


def linked(target: str, path: Path) -> None:
    path.symlink_to(target)


def linked_in_a_circle(path: Path) -> None:
    other = path.with_name("other")
    path.symlink_to(other)
    other.unlink(missing_ok=True)
    other.symlink_to(path)


def linked_to_a_list(path: Path) -> None:
    path.with_name("list").write_text(text_of("lines"), "utf-8")
    path.symlink_to("list")


def long_list(path: Path) -> None:
    with path.open("wb") as file:
        file.write(b"Likes tea\n")
        file.truncate(4 << 30)


LIST = text_of("lines").encode()
NOT_FILES: dict[str, tuple[Put, str]] = {
    "folder": (lambda path: path.mkdir(), IS_REFUSED),
    "nothing": (lambda path: None, IS_REFUSED),
    "link to a folder": (partial(linked, "/"), IS_REFUSED),
    "link to nothing": (partial(linked, "nowhere"), IS_REFUSED),
    "links in a circle": (linked_in_a_circle, IS_REFUSED),
    "device without end": (partial(linked, "/dev/zero"), IS_REFUSED),
    "device of chance": (partial(linked, "/dev/urandom"), IS_REFUSED),
    "device of nothing": (partial(linked, "/dev/null"), IS_REFUSED),
    "file of the kernel": (partial(linked, "/proc/self/mem"), IS_REFUSED),
}
IMPORTED_PLACES: dict[str, tuple[Put, str]] = {
    **NOT_FILES,
    "link to a list": (linked_to_a_list, IS_READ),
    "pipe with a list": (partial(piped, LIST), IS_READ),
    "pipe of nothing": (partial(piped, b""), IS_REFUSED),
    "pipe of bytes": (partial(piped, b"\xff\x00" * 99_999), IS_REFUSED),
    "pipe of an archive": (partial(piped, b"PK\x03\x04" + b"\0" * 99), IS_REFUSED),
    "four gigabytes of a list": (long_list, IS_REFUSED),
}
RESTORED_PLACES: dict[str, tuple[Put, str]] = {**NOT_FILES, "pipe": (os.mkfifo, IS_REFUSED)}
NAMES = ("\x1b[2J\x1b]0;x\x07", "\u202egpj.exe", "a\nb\rc", "x" * 255, "~", "--", "$(id)", "[@click=app.quit]x", b"\xff\xfe".decode(errors="surrogateescape"))  # fmt: skip


def of_places(places: dict[str, tuple[Put, str]]) -> Iterator[BadFile]:
    for family, (put, expected) in places.items():
        yield BadFile(family, 0, expected, put)


def of_names(data: bytes) -> Iterator[BadFile]:
    """What can't be read, under names that are shown."""
    for number, name in enumerate(NAMES):
        yield BadFile("names", number, IS_REFUSED, lambda path: path.write_bytes(data), name)


LONGEST_LINE = 2_000
IMPORT, RESTORE = ("memory", "import"), ("restore", "--yes")
_NOT_FOR_A_TERMINAL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")


class BadFileTrial:
    """A home in which a memory lives and one was deleted, and a folder for the files."""

    def __init__(self, folder: Path) -> None:
        self.home = OrcaHome(folder / "home")
        self._box = folder / "box"
        for text in ("Has a cat", "Has a dog"):
            self.home.orca("memory", "add", text)
        self.home.orca("memory", "delete", "2", "--yes")
        self._backup = _a_backup(OrcaHome(folder / "other"))

    def imports(self, seed: int, count: int | None = None) -> Iterator[BadFile]:
        """What is tried on an import, `count` of a family at most."""
        yield from of_families({**TEXT_FAMILIES, **LYING_FAMILIES, **ARCHIVE_FAMILIES}, seed, count)
        yield from of_places(IMPORTED_PLACES)
        yield from of_names(b"no text\0" * 99)

    def restores(self, seed: int, count: int | None = None) -> Iterator[BadFile]:
        """What is tried on a restore."""
        yield from of_databases(self._backup, seed, count)
        yield from of_places(RESTORED_PLACES)
        yield from of_names(b"no database" * 99)

    def wrongs(self, bad: BadFile, *command: str) -> list[str]:
        """What the command did that it may not do."""
        shutil.rmtree(self._box, ignore_errors=True)
        self._box.mkdir()
        path = self._box / bad.name
        bad.put(path)
        is_database = command == RESTORE and path.is_file() and not path.is_symlink()
        before = _but_for_the_map_of_a_journal(self._box) if is_database else {}
        wrongs = wrongs_of(self.home, bad, *command, "--", str(path))
        if is_database and _but_for_the_map_of_a_journal(self._box) != before:
            wrongs.append(f"{bad}: the file itself was changed")
        return [f"{' '.join(command)}: {wrong}" for wrong in wrongs]


def _a_backup(home: OrcaHome) -> bytes:
    for text in ("Likes tea", "Has a dog", "Has a cat"):
        home.orca("memory", "add", text)
    home.orca("task", "start", "renew the certificate", "--session", "s")
    return Path(home.orca("backup", "--json").json["backup"]["path"]).read_bytes()


def _but_for_the_map_of_a_journal(folder: Path) -> dict[str, bytes]:
    """SQLite makes one beside a WAL where it only reads."""
    return {name: data for name, data in state_of(folder).items() if not name.endswith("-shm")}


def state_of(folder: Path) -> Mapping[str, bytes]:
    """All files of a home, byte by byte."""
    return {
        str(each.relative_to(folder)): _without_counters(each.read_bytes())
        for each in sorted(folder.rglob("*"))
        if each.is_file() and each.name != "orca.log"
    }


def _without_counters(data: bytes) -> bytes:
    """A database is the same whether it has a WAL or not: who wants to replace it sees by that whether it is open."""
    if not data.startswith(b"SQLite format 3\0"):
        return data
    return b"".join((data[:18], b"\2\2", data[20:24], b"\0\0\0\1", data[28:92], b"\0\0\0\1", data[96:]))


def put_back(folder: Path, state: Mapping[str, bytes]) -> None:
    for each in sorted(folder.rglob("*")):
        if each.is_file() and str(each.relative_to(folder)) not in state:
            each.unlink()
    for name, data in state.items():
        (folder / name).write_bytes(data)


def wrongs_of(home: OrcaHome, bad: BadFile, *command: str) -> list[str]:
    """What a command on the file did that it may not do; none where all is well. The home is as before."""
    before = state_of(home.path)
    ran = home.orca(*command)
    try:
        return [f"{bad}: {wrong}" for wrong in _wrongs(home, bad, ran, before)]
    finally:
        put_back(home.path, before)


def _wrongs(home: OrcaHome, bad: BadFile, ran: Ran, before: Mapping[str, bytes]) -> Iterator[str]:
    said = ran.stdout + ran.stderr
    if found := _NOT_FOR_A_TERMINAL.search(said):
        yield f"{found[0]!r} reaches the terminal"
    if "Traceback" in said or "something broke" in said:
        yield f"a mistake of Orca's: {said[:300]}"
    if ran.status == 0:
        if bad.expected == IS_REFUSED:
            yield f"it was taken: {said[:300]}"
        yield from _amiss_afterwards(home)
        return
    if bad.expected == IS_READ:
        yield f"it was refused: {ran.stderr[:300]}"
    if ran.status not in (1, 2):
        yield f"the exit status {ran.status}"
    if ran.stderr.count("\n") != 1 or not ran.stderr.startswith("orca: ") or len(ran.stderr) > LONGEST_LINE:
        yield f"no one line: {ran.stderr[:300]!r}"
    if (after := state_of(home.path)) != before:
        changed = [name for name in {*after, *before} if after.get(name) != before.get(name)]
        yield f"changed: {', '.join(sorted(changed))}"


def _amiss_afterwards(home: OrcaHome) -> Iterator[str]:
    """What can't be done any more in a home that took it."""
    for command in (("memory", "list", "--status", "all"), ("memory", "inbox"), ("memory", "export"), ("activity",)):
        ran = home.orca(*command)
        if ran.status != 0 or (command[1:] != ("export",) and _NOT_FOR_A_TERMINAL.search(ran.stdout)):
            yield f"afterwards {' '.join(command)} fails: {ran.stderr[:200]}"
