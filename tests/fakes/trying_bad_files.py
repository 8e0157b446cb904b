"""Tries what a bad file does to a home: a refusal in one clean line, and nothing else."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from fakes.bad_archives import ARCHIVE_FAMILIES
from fakes.bad_databases import of_databases
from fakes.bad_exports import LYING_FAMILIES
from fakes.bad_files import IS_READ, IS_REFUSED, TEXT_FAMILIES, BadFile, of_families
from fakes.bad_places import IMPORTED_PLACES, RESTORED_PLACES, of_names, of_places
from fakes.terminal import OrcaHome, Ran

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
