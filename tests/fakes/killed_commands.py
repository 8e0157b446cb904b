"""Commands that are killed at random moments, each on a copy of one home: before or after, never between. A cleaning
is written in slices of one operation: of it a part may be done, and the next one does the rest."""

from __future__ import annotations

import json
import shutil
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import apsw
from fakes.patience import after
from fakes.terminal import OrcaHome
from msgspec import Struct

from orca_core.store.sqlite.engine.connection import load_vectors

MEMORIES = 400
FIRST, SECOND = "first.json", "second.json"
LEFT = ("*.part*", ".*.part*", ".*.spool", ".*.new*")
_FACTS = (
    "SELECT state, count(*), count(DISTINCT content) FROM long_term_memories GROUP BY state ORDER BY state",
    "SELECT action, count(*) FROM operations GROUP BY action ORDER BY action",
    "SELECT count(*) FROM memory_history",
    "SELECT count(*) FROM tombstones",
    "SELECT count(*) FROM long_term_text_docsize",
)


class Kind(Struct, frozen=True):
    """What is killed: how the home is made ready, and the command."""

    prepare: Callable[[OrcaHome, Path, int], None]
    command: tuple[str, ...]
    may_wait: frozenset[str] = frozenset()
    """What the doctor may say until Orca runs next."""
    changes_facts: bool = True
    is_in_slices: bool = False
    finishing: tuple[tuple[str, ...], ...] = ()
    """What finishes it where it was killed between two slices; the same command, where nothing is said."""


def _document(path: Path, start: int, count: int) -> str:
    """An export of Orca's with many memories, some of them hardly worth keeping."""
    memories = [
        {"uid": f"u{number}", "content": f"Keeps tool {number} in the shed", "weight": number % 3 / 2}
        for number in range(start, start + count)
    ]
    path.write_text(json.dumps({"orca_export": 1, "memories": memories}), "utf-8")
    return str(path)


def _full(home: OrcaHome, folder: Path, count: int) -> None:
    assert home.orca("memory", "import", "--trust", _document(folder / FIRST, 0, count)).status == 0
    _document(folder / SECOND, count, count)


def _imported(home: OrcaHome, folder: Path, count: int) -> None:
    _full(home, folder, count)
    assert home.orca("memory", "import", "--trust", str(folder / SECOND)).status == 0


def _faded(home: OrcaHome, folder: Path, count: int) -> None:
    """What sank since the cleaning that the import's own process did."""
    _full(home, folder, count)
    connection = apsw.Connection(str(home.path / "orca.db"))
    connection.execute("UPDATE long_term_memories SET weight = 0 WHERE state = 'live'").fetchall()
    connection.close()


def _backed_up(home: OrcaHome, folder: Path, count: int) -> None:
    _full(home, folder, count)
    backup = Path(home.orca("backup", "--json").json["backup"]["path"])
    backup.replace(folder / "backup.db")
    assert home.orca("memory", "delete", "1", "2", "3", "--yes").status == 0
    assert home.orca("memory", "add", "Has a cat").status == 0


KINDS = {
    "import": Kind(_full, ("memory", "import", "--trust", f"{{folder}}/{SECOND}"), frozenset({"vectors: warn"})),
    # Repeated, an undo that was under way is finished, and the operation before is taken back as well: the background
    # only finishes it.
    "undo": Kind(
        _imported,
        ("memory", "undo"),
        frozenset({"undo: warn"}),
        is_in_slices=True,
        finishing=(("extract",),),
    ),
    "restore": Kind(_backed_up, ("restore", "{folder}/backup.db", "--yes")),
    "clean": Kind(_faded, ("memory", "clean"), is_in_slices=True),
    "reindex": Kind(_full, ("memory", "reindex"), changes_facts=False),
}


class KilledCommand:
    """One kind, in a folder of its own."""

    def __init__(self, kind: Kind, folder: Path, count: int = MEMORIES) -> None:
        self._folder = folder
        self._command = tuple(each.format(folder=folder) for each in kind.command)
        self._first = OrcaHome(folder / "first")
        kind.prepare(self._first, folder, count)
        self._before = facts(self._first)
        self._complaints = complaints(self._first)
        self._may_wait = kind.may_wait
        self._changes_facts, self._is_in_slices = kind.changes_facts, kind.is_in_slices
        self._finishing = kind.finishing or (self._command,)
        self._after = self._before

    def run_through(self) -> None:
        """As nobody kills it: what it comes to."""
        home = self._copy()
        process = home.spawn(*self._command)
        process.communicate()
        assert process.returncode == 0, self._command
        self._after = facts(home)
        assert (self._after != self._before) == self._changes_facts, self._command
        self._complaints |= complaints(home)

    def killed(self, after_s: float) -> Counter[str]:
        """`before` or `after`, whatever it came to, and everything that is wrong then."""
        home = self._copy()
        process = home.spawn(*self._command)
        after(after_s)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        return Counter(self._found(home))

    def _found(self, home: OrcaHome) -> Iterator[str]:
        listed = home.orca("memory", "list", "--limit", "1")
        if listed.status != 0:
            yield f"wrong: it does not open: {listed.stderr}"
            return
        found = facts(home)
        if found == self._after and found != self._before:
            yield "after"
        elif found == self._before:
            yield "before"
        elif self._is_in_slices and self._is_finished_by_the_next(home):
            yield "slices"
        else:
            yield f"wrong: between: {found}"
        for complaint in complaints(home) - self._complaints - self._may_wait:
            yield f"wrong: the doctor: {complaint}"
        for pattern in LEFT:
            for left in home.path.rglob(pattern):
                yield f"wrong: left behind: {left.name}"

    def _is_finished_by_the_next(self, home: OrcaHome) -> bool:
        """All but the number of operations is then as after one."""
        for command in self._finishing:
            assert home.orca(*command).status == 0
        records, _operations, *rest = facts(home)
        wanted, _done_at_once, *as_after = self._after
        return (records, rest) == (wanted, as_after)

    def _copy(self) -> OrcaHome:
        path = self._folder / "copy"
        shutil.rmtree(path, ignore_errors=True)
        shutil.copytree(self._first.path, path)
        return OrcaHome(path)


def facts(home: OrcaHome) -> tuple[Any, ...]:
    """What is there, but for times and numbers; whole to the last page, and how many can be found by words."""
    connection = apsw.Connection(str(home.path / "orca.db"))
    try:
        load_vectors(connection)
        [verdict] = connection.execute("PRAGMA integrity_check").fetchone() or ("none",)
        found = [tuple(connection.execute(each).fetchall()) for each in _FACTS]
    finally:
        connection.close()
    return (*found, verdict)


def complaints(home: OrcaHome) -> set[str]:
    """What the doctor finds amiss."""
    checks = home.orca("doctor", "--json").json["checks"]
    return {f"{each['name']}: {each['state']}" for each in checks if each["state"] not in ("ok", "info")}
