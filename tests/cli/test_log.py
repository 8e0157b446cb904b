"""What nobody waits for: into a private file of the home, never to the terminal, and without a user's words."""

from __future__ import annotations

import asyncio
import gc
import logging
from pathlib import Path

import pytest

from orca_core.model.errors import StoreBusy
from orca_tui.cli.loop_thread import LoopThread
from orca_tui.log import LOG_NAME, log_kept


@pytest.fixture
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("elsewhere")  # what is in a test's own folder fails it


@pytest.fixture(autouse=True)
def heard_by_nobody_else() -> None:
    """These failures are meant: the fixture that fails a test for them must not hear."""
    root = logging.getLogger()
    for handler in [each for each in root.handlers if type(each).__name__ == "Complaints"]:
        root.removeHandler(handler)


async def leave_failures() -> None:
    async def fails(error: Exception) -> None:
        raise error

    tasks = [
        asyncio.create_task(fails(ValueError("what the user wrote"))),
        asyncio.create_task(fails(StoreBusy(path="orca.db"))),
    ]
    await asyncio.wait(tasks)


def test_a_failure_that_nobody_took_is_in_the_log_and_nowhere_else(
    home: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with log_kept(home), LoopThread() as loop:
        loop.run(leave_failures())
        gc.collect()

    log = home / LOG_NAME
    written = log.read_text("utf-8")
    assert written.count("Task exception was never retrieved") == 2
    assert "ValueError\n" in written
    assert "StoreBusy: orca.db: another process" in written
    assert "what the user wrote" not in written
    assert "test_log.py" in written
    assert log.stat().st_mode & 0o777 == 0o600
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("kind", ["folder", "link"])
def test_a_log_that_can_not_be_written_is_done_without(home: Path, kind: str) -> None:
    target = home / "target"
    target.write_text("mine", "utf-8")
    if kind == "folder":
        (home / LOG_NAME).mkdir()
    else:
        (home / LOG_NAME).symlink_to(target)
    with log_kept(home):
        logging.getLogger("orca_tui").warning("lost")
    assert target.read_text("utf-8") == "mine"
