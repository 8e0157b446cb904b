"""The suite's own guard: a failure that nobody took fails the test that left it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parent.parent
LEAVES_THEM = """
import asyncio

def test_leaves_a_task():
    async def fails():
        raise ValueError
    async def scenario():
        await asyncio.wait({asyncio.create_task(fails())})
    asyncio.run(scenario())

def test_leaves_a_future():
    async def scenario():
        asyncio.get_running_loop().create_future().set_exception(ValueError())
    asyncio.run(scenario())

def test_started_a_process_that_left_one(tmp_path):
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "orca.log").write_text("at noon ERROR orca_tui 1: Task exception was never retrieved")

def test_leaves_nothing():
    asyncio.run(asyncio.sleep(0))
"""


@pytest.mark.long
def test_a_failure_that_nobody_took_fails_its_test(tmp_path: Path) -> None:
    (tmp_path / "test_leaves.py").write_text(LEAVES_THEM, "utf-8")
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join([str(TESTS), str(TESTS.parent)])}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "conftest", "-p", "no:cacheprovider", "test_leaves.py"]

    ran = subprocess.run(command, cwd=tmp_path, env=environ, capture_output=True, text=True, check=False)

    assert "4 passed, 3 errors" in ran.stdout, ran.stdout + ran.stderr
    assert ran.stdout.count("never retrieved") >= 3
