"""Ctrl+C in the middle of an import, an export, a backup, a restore: it ends at once, says in one line what became of
it, and that is so."""

from __future__ import annotations

import fcntl
import json
import signal
import struct
import subprocess
import termios
from collections.abc import Callable
from pathlib import Path

import pytest
from fakes.patience import PATIENCE_S, after
from fakes.terminal import MadeOnce, OrcaHome

pytestmark = pytest.mark.long

MANY = 3000
ENOUGH = 400
"""Their export is longer than a pipe holds."""
NOTHING_CAME = b"orca: stopped: nothing was brought in\n"


def lines(count: int) -> str:
    return "\n".join(f"Uses tool number {number} of the workshop" for number in range(count)) + "\n"


def mem0(count: int) -> str:
    """As far as it came, when its writer began to hang."""
    return "[" + "".join(json.dumps({"memory": line}) + "," for line in lines(count).splitlines())


def of_orca(count: int) -> str:
    return '{"orca_export": 1, "memories": ' + mem0(count).replace('"memory"', '"content"')


def waiting_in(pipe: int) -> int:
    """How many bytes nobody has read yet."""
    return int(struct.unpack("i", fcntl.ioctl(pipe, termios.FIONREAD, b"\0\0\0\0"))[0])


def until(is_so: Callable[[], bool], process: subprocess.Popen[bytes]) -> None:
    for _ in range(round(PATIENCE_S / 0.01)):
        if is_so() or process.poll() is not None:
            return
        after(0.01)
    pytest.fail("it did not come so far")


def ended_by_ctrl_c(process: subprocess.Popen[bytes]) -> tuple[bytes, bytes]:
    """What it said, when nobody closes its pipes."""
    process.send_signal(signal.SIGINT)
    with process:
        status = process.wait(PATIENCE_S)
        assert process.stderr is not None
        assert process.stdout is not None
        stdout, stderr = process.stdout.read(), process.stderr.read()
    assert b"Traceback" not in stderr
    assert status in (0, 130), (status, stderr)
    return stdout, stderr


def names_in(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


def keep_enough(home: OrcaHome) -> None:
    assert home.orca("memory", "import", "--trust", stdin=lines(ENOUGH)).status == 0


@pytest.fixture
def kept(made_once: MadeOnce) -> OrcaHome:
    return made_once(keep_enough)


@pytest.mark.parametrize(
    ("given", "in_json"),
    [("", ()), ("Uses tool", ("--json",)), (lines(MANY), ()), (mem0(MANY), ("--json",)), (of_orca(MANY), ("--json",))],
    ids=lambda each: each[:9],
)
def test_a_pipe_that_hangs_is_left_at_once(home: OrcaHome, given: str, in_json: tuple[str, ...]) -> None:
    home.orca("memory", "add", "I use vim")
    before = (home.path / "orca.db").read_bytes()
    process = home.spawn("memory", "import", "--trust", "-", *in_json)
    assert process.stdin is not None
    process.stdin.write(given.encode() + b" ")
    process.stdin.flush()
    until(lambda: waiting_in(process.stdin.fileno()) == 0, process)

    stdout, stderr = ended_by_ctrl_c(process)

    assert (process.returncode, stderr) == (130, NOTHING_CAME)
    told = {"error": {"kind": "stopped", "message": "stopped: nothing was brought in", "hint": ""}}
    assert [json.loads(line) for line in stdout.splitlines()] == ([told] if in_json else [])
    assert names_in(home.path) == ["orca.db"]
    assert (home.path / "orca.db").read_bytes() == before


def test_an_import_that_is_stopped_says_whether_it_came(home: OrcaHome) -> None:
    home.orca("memory", "add", "I use vim")
    process = home.spawn("memory", "import", "--trust", "-")
    assert process.stdin is not None
    process.stdin.write(lines(MANY).encode())
    process.stdin.close()

    _stdout, stderr = ended_by_ctrl_c(process)

    told = home.orca("memory", "list", "--json").json["total"]
    assert told in (1, MANY + 1)
    assert (stderr == NOTHING_CAME) == (told == 1 and process.returncode == 130)
    assert names_in(home.path) == ["orca.db"]


def test_an_export_that_nobody_reads_is_left_at_once(kept: OrcaHome) -> None:
    process = kept.spawn("memory", "export")
    assert process.stdout is not None
    until(lambda: waiting_in(process.stdout.fileno()) > 1 << 15, process)

    _stdout, stderr = ended_by_ctrl_c(process)

    assert (process.returncode, stderr) == (130, b"orca: stopped: the export is not whole\n")
    assert names_in(kept.path) == ["orca.db"]


@pytest.mark.parametrize(
    ("arguments", "made"), [(("backup",), "backups/orca-*.db"), (("memory", "export", "-o", "{home}/m.json"), "m.json")]
)
def test_a_file_that_is_being_made_is_there_or_nothing_of_it(
    kept: OrcaHome, arguments: tuple[str, ...], made: str
) -> None:
    process = kept.spawn(*(each.format(home=kept.path) for each in arguments))
    until(lambda: bool(list(kept.path.rglob(".*.part"))), process)

    _stdout, stderr = ended_by_ctrl_c(process)

    is_there = bool(list(kept.path.glob(made)))
    assert is_there == (b"stopped" not in stderr)
    assert stderr.count(b"\n") == 1
    assert not list(kept.path.rglob(".*.part*"))


def test_a_restore_that_is_stopped_leaves_what_was(kept: OrcaHome) -> None:
    backup = kept.orca("backup", "--json").json["backup"]["name"]
    kept.orca("memory", "add", "I use vim")
    process = kept.spawn("restore", backup, "--yes")
    until(lambda: bool(list(kept.path.glob(".orca.db.*"))), process)

    _stdout, stderr = ended_by_ctrl_c(process)

    total = kept.orca("memory", "list", "--json").json["total"]
    if process.returncode == 130:
        said = b"the database is as it was" if total == ENOUGH + 1 else b"but it is restored"
        assert said in stderr
    assert total in (ENOUGH, ENOUGH + 1)
    assert not list(kept.path.glob(".orca.db.*"))
