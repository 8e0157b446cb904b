"""kill -9 in the middle of an import: nothing of it is there, and nothing is left of it; once it is done, all is there."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import apsw
import pytest
from fakes import dying_importer
from fakes.asking import asked

from orca_core.store.sqlite.store import open_stores

pytestmark = pytest.mark.long

IMPORTER = Path(dying_importer.__file__)
NEVER = 0


def imported(folder: Path, last: int) -> subprocess.CompletedProcess[str]:
    folder.mkdir()
    return subprocess.run([sys.executable, IMPORTER, folder, str(last)], check=False, capture_output=True, text=True)


async def held(folder: Path) -> tuple[int, int, str]:
    """How many memories, operations and hits of a search there are, and whether the database is whole."""
    stores = await open_stores(folder / "orca.db", scope="me", must_exist=True)
    counts = await stores.memories.counts()
    operations = len(await stores.history.operations(10))
    found = len(await asked(stores).by_tokens(["giraff"], 1000))
    await stores.housekeeping.idle()
    health = await stores.housekeeping.health()
    await stores.housekeeping.aclose()
    assert found == sum(counts["state"].values())
    return found, operations, health.integrity


def history_in(folder: Path) -> int:
    """How many changes there are."""
    connection = apsw.Connection(str(folder / "orca.db"))
    [changes] = connection.execute("SELECT count(*) FROM memory_history").fetchone()
    connection.close()
    return int(changes)


def test_an_import_that_is_killed_leaves_nothing(run: Any, tmp_path: Path) -> None:
    whole = imported(tmp_path / "whole", NEVER)
    statements = int(whole.stdout)
    assert run(held(tmp_path / "whole")) == (dying_importer.MEMORIES, 2, "ok")

    seen: set[int] = set()
    for last in (statements // 4, statements // 2, *range(statements - 24, statements, 6), statements):
        folder = tmp_path / str(last)
        assert imported(folder, last).returncode == -signal.SIGKILL
        changes = history_in(folder)
        memories, operations, integrity = run(held(folder))
        assert (memories, operations, integrity) in ((0, 0, "ok"), (dying_importer.MEMORIES, 2, "ok"))
        assert changes == history_in(folder) == 2 * memories
        seen.add(memories)
        left = [path.name for path in folder.iterdir() if path.is_file() and b"giraffe" in path.read_bytes()]
        assert left in ([], ["orca.db"])
        assert {path.name for path in folder.iterdir()} <= {"orca.db", "orca.db-wal", "orca.db-shm"}
    assert seen == {0, dying_importer.MEMORIES}
