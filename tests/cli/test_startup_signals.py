"""A signal may come at any moment, also while Orca is still being loaded: it ends Orca, and nothing else is said."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from fakes.terminal import PATIENCE_S, PROJECT, OrcaHome

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
LOADED_BY_MEMORY = ("msgspec", "orca_core.open", "apsw", "asyncio", "orca_tui.cli.memory_reading")


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
            for point in ("orca_tui.cli.chat", "orca_core.services.chat.chat", "orca_core.demo.model")
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

    own = {"orca_tui", "orca_tui.__main__", "orca_tui.leaving"}
    assert set(said.stdout.splitlines()[0].split()) == {"__future__", *own}
