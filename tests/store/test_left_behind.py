"""What killed processes left beside a database is deleted when it is opened, and nothing else is."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from orca_core.store.sqlite.store import open_stores

DEAD, OWN, RUNNING = "dead", "own", "running"


def number_of(process: str) -> int:
    if process == DEAD:
        ended = subprocess.Popen([sys.executable, "-c", ""])
        ended.wait()
        return ended.pid
    return os.getpid() if process == OWN else os.getppid()


async def opened(path: Path) -> None:
    stores = await open_stores(path, scope="me", must_exist=False)
    await stores.housekeeping.aclose()


@pytest.mark.parametrize("process", [DEAD, OWN, RUNNING])
@pytest.mark.parametrize(
    "name",
    [
        ".orca.db.{process}.part",
        ".orca.db.{process}.part-journal",
        ".orca.db.{process}.part.restored",
        ".orca.db.{process}.part.restored-wal",
        ".orca.db.{process}-0a1b2c3d.spool",
        "backups/.orca.db.{process}.part",
    ],
)
def test_what_a_dead_process_was_making_is_deleted(run: Any, tmp_path: Path, name: str, process: str) -> None:
    run(opened(tmp_path / "orca.db"))
    left = tmp_path / name.format(process=number_of(process))
    left.parent.mkdir(exist_ok=True)
    left.write_text("I live in Oslo")

    run(opened(tmp_path / "orca.db"))

    assert left.exists() == (process != DEAD)


@pytest.mark.parametrize(
    "name", [".other.db.999999999.part", ".orca.db.part", ".orca.db.x.part", "orca.db.9.part", "m.json"]
)
def test_what_is_not_of_this_database_stays(run: Any, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("x")

    run(opened(tmp_path / "orca.db"))

    assert (tmp_path / name).exists()
