"""A signal may come at any moment: while Orca is loaded, in the middle of an import, an undo, a backup."""

from __future__ import annotations

import fcntl
import json
import signal
import struct
import subprocess
import sys
import termios
from collections.abc import Callable
from pathlib import Path

import pytest
from fakes.patience import after
from fakes.terminal import PATIENCE_S, PROJECT, MadeOnce, OrcaHome, Ran

from orca_tui.cli.runtime import OpenOrca

pytestmark = pytest.mark.long

SIGNAL_AT = """
import os, runpy, signal, sys

point, number = sys.argv[1], int(sys.argv[2])
sys.argv = ["orca", *sys.argv[3:]]

def strike():
    os.kill(os.getpid(), number)

class Watch:
    def find_spec(self, name, path=None, target=None):
        if name == point:
            strike()

sys.meta_path.insert(0, Watch())
if point == "the end":
    import atexit
    atexit.register(strike)
elif point == "the first screen":
    from orca_tui.app.app import OrcaApp
    screen_of = OrcaApp.get_default_screen
    OrcaApp.get_default_screen = lambda app: (strike(), screen_of(app))[1]
runpy.run_module("orca_tui", run_name="__main__", alter_sys=True)
"""
LOADED_BY_ALL = ("orca_tui.program", "click", "orca_tui.cli.root", "gettext", "orca_core.model.errors")
LOADED_BY_MEMORY = ("msgspec", "orca_core.open", "apsw", "asyncio", "orca_tui.cli.memory")


class StruckOrca(OrcaHome):
    """Orca that is sent a signal at a point of its own start: the import of a module, or another that has a name."""

    def command(self, arguments: tuple[str, ...]) -> list[str]:
        return [sys.executable, "-c", SIGNAL_AT, *arguments]


@pytest.fixture
def struck(tmp_path: Path) -> StruckOrca:
    return StruckOrca(tmp_path / "home")


@pytest.mark.parametrize(
    ("point", "arguments"),
    [
        *((point, ("--help",)) for point in LOADED_BY_ALL),
        *((point, ("memory", "list")) for point in LOADED_BY_MEMORY),
        *(
            (point, ("chat", "hi"))
            for point in ("orca_tui.cli.chat", "orca_core.services.chat.chat", "orca_core.demo.demo_model")
        ),
    ],
    ids=str,
)
def test_ctrl_c_while_orca_is_loaded_is_no_traceback(
    struck: StruckOrca, point: str, arguments: tuple[str, ...]
) -> None:
    process = struck.spawn(point, "2", *arguments)
    _stdout, stderr = process.communicate(timeout=PATIENCE_S)

    assert b"Traceback" not in stderr
    assert b"ignored" not in stderr
    assert process.returncode == 130


@pytest.mark.parametrize(("number", "status"), [("2", 130), ("15", 143), ("1", 129)])
def test_a_signal_at_the_interpreters_end_is_no_traceback(struck: StruckOrca, number: str, status: int) -> None:
    process = struck.spawn("the end", number, "--help")
    _stdout, stderr = process.communicate(timeout=PATIENCE_S)

    assert (stderr, process.returncode) == (b"", status)


@pytest.mark.parametrize(("number", "status"), [("2", 130), ("15", 143), ("1", 129)])
@pytest.mark.parametrize("point", ["textual.app", "orca_tui.app.main", "the first screen"])
def test_a_signal_while_the_app_is_made_leaves_the_terminal_whole(
    struck: StruckOrca, point: str, number: str, status: int
) -> None:
    with struck.at_a_terminal(point, number, COLUMNS="100", LINES="30") as typist:
        assert typist.end() == status
        assert "Traceback" not in typist.seen
        assert "something broke" not in typist.seen
        assert typist.seen.count("\x1b[?1049h") == typist.seen.count("\x1b[?1049l")


LOADED_BEFORE = """
import sys

before = set(sys.modules)
import _signal

set_handler = _signal.signal
seen = []

def watched(number, handler):
    if not seen:
        new = [sys.modules[each] for each in sys.modules if each not in before]
        seen.extend(each.__name__ for each in new if each.__spec__.origin not in ("built-in", "frozen"))
        print(*seen)
    return set_handler(number, handler)

_signal.signal = watched
sys.path.insert(0, sys.argv.pop(1))
from orca_tui.__main__ import main
main()
"""


def test_next_to_nothing_is_read_before_signals_have_their_answer(tmp_path: Path) -> None:
    """Python itself says what it has to say of Ctrl+C in that time: a traceback."""
    command = [sys.executable, "-I", "-S", "-c", LOADED_BEFORE, str(PROJECT), "--version"]
    said = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)

    own = {"orca_tui", "orca_tui.__main__", "orca_tui.exit_on_signal"}
    assert set(said.stdout.splitlines()[0].split()) == {"__future__", *own}


MANY = 3000
ENOUGH = 400
"""Their export is longer than a pipe holds."""


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

    assert (process.returncode, stdout, stderr) == (130, b"", b"")
    assert names_in(home.path) == ["orca.db"]
    assert (home.path / "orca.db").read_bytes() == before


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


LINES = "\n".join(f"Uses tool number {number}" for number in range(8))
run = OpenOrca.run


def bring(home: OrcaHome) -> None:
    home.orca("memory", "import", "--trust", stdin=LINES)


@pytest.fixture
def brought(made_once: MadeOnce) -> OrcaHome:
    return made_once(bring)


def stopped(ran: Ran) -> str:
    assert ran.status == 130
    [told] = [ran.json["error"]]
    assert (told["kind"], ran.stderr) == ("stopped", f"orca: {told['message']}\n")
    return str(told["message"])
