"""The app as a process: its signals, its terminal, its end."""

from __future__ import annotations

import os
import pty
import re
import signal
import subprocess
import sys
import termios
import threading
from pathlib import Path

import pytest
from fakes.patience import PATIENCE_S, after
from fakes.terminal import OrcaHome

from orca_tui.app import FRAMES_A_SECOND
from orca_tui.app.terminal import hang_up_calls

ALTERNATE_SCREEN_LEFT = "\x1b[?1049l"
CURSOR_SHOWN = "\x1b[?25h"


@pytest.fixture
def home(tmp_path: Path) -> OrcaHome:
    return OrcaHome(tmp_path / "home")


def test_ctrl_q_leaves_with_nothing_wrong(home: OrcaHome) -> None:
    with home.at_a_terminal(COLUMNS="100", LINES="30") as typist:
        typist.read_until("demo")
        typist.type("\x11")
        assert typist.end() == 0
        assert ALTERNATE_SCREEN_LEFT in typist.seen
        assert CURSOR_SHOWN in typist.seen


@pytest.mark.long
def test_the_app_begins_with_the_latest_chat_or_with_a_new_one(home: OrcaHome) -> None:
    home.orca("chat", "my secret giraffe")
    with home.at_a_terminal(COLUMNS="100", LINES="30") as typist:
        typist.read_until("earlier today")
        assert "giraffe" in typist.seen
        typist.type("\x11")
        assert typist.end() == 0
    with home.at_a_terminal("--new", COLUMNS="100", LINES="30") as typist:
        typist.read_until("I remember what you tell me")
        typist.type("\x11")
        assert typist.end() == 0
        assert "giraffe" not in typist.seen
    assert "behind a command" in home.orca("--new", "chat", "hello").stderr


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)], ids=str
)
def test_signals_leave_the_terminal_whole(home: OrcaHome, number: int, status: int) -> None:
    with home.at_a_terminal(COLUMNS="100", LINES="30") as typist:
        typist.read_until("demo")
        os.kill(typist.process.pid, number)
        assert typist.end() == status
        assert ALTERNATE_SCREEN_LEFT in typist.seen
        assert CURSOR_SHOWN in typist.seen


@pytest.mark.long
@pytest.mark.parametrize("answers", [False, True], ids=["idle", "answering"])
def test_a_window_that_is_closed_leaves_no_process_behind(home: OrcaHome, answers: bool) -> None:
    with home.at_a_terminal(COLUMNS="100", LINES="30") as typist:
        typist.read_until("demo")
        if answers:
            typist.type("记住：我用 neovim\r我用什么编辑器？\r")
            typist.read_until("neovim")
        assert typist.hang_up() == 129


@pytest.mark.long
@pytest.mark.parametrize("answers", [False, True], ids=["idle", "answering"])
def test_a_window_that_goes_without_a_signal_leaves_no_process_behind(home: OrcaHome, answers: bool) -> None:
    """As where the app is no part of the terminal's session: its input is at an end, and would be read for ever."""
    with home.at_a_terminal(COLUMNS="100", LINES="30") as typist:
        typist.read_until("demo")
        if answers:
            typist.type("记住：我用 neovim\r我用什么编辑器？\r")
            typist.read_until("neovim")
        assert typist.hang_up(says_so=False) == 129
    if answers:
        assert "neovim" in home.orca("memory", "list").stdout


@pytest.mark.long
def test_a_database_that_can_not_be_opened_is_said_on_the_screen(home: OrcaHome) -> None:
    home.path.mkdir(parents=True, exist_ok=True)
    (home.path / "orca.db").write_text("this is no database at all " * 100, encoding="utf-8")
    with home.at_a_terminal(COLUMNS="100", LINES="30") as typist:
        typist.read_until("(file is")
        typist.type("\x11")
        assert typist.end() == 0


def test_the_app_chats_without_a_database_and_says_so(home: OrcaHome) -> None:
    home.path.mkdir(parents=True, exist_ok=True)
    (home.path / "orca.db").touch()
    with home.at_a_terminal(COLUMNS="100", LINES="30") as typist:
        typist.read_until("You can chat all the same")
        typist.type("hello there\r")
        typist.read_until("not saved")
        typist.type("\x11")
        assert typist.end() == 0
    assert (home.path / "orca.db").stat().st_size == 0


@pytest.mark.long
def test_the_app_is_seen_where_stderr_is_a_file(home: OrcaHome, tmp_path: Path) -> None:
    class WithAFile(OrcaHome):
        def command(self, arguments: tuple[str, ...]) -> list[str]:
            return ["/bin/sh", "-c", f'exec "$@" 2>"{tmp_path}/log"', "sh", *super().command(arguments)]

    with WithAFile(home.path).at_a_terminal(COLUMNS="100", LINES="30") as typist:
        typist.read_until("demo")
        typist.type("\x11")
        assert typist.end() == 0
        assert ALTERNATE_SCREEN_LEFT in typist.seen
    assert (tmp_path / "log").read_bytes() == b""


@pytest.mark.long
def test_the_app_begins_with_the_chat_that_was_named_and_looks_at_a_round_of_it(home: OrcaHome) -> None:
    for number in range(1, 13):
        home.orca("chat", f"question {number} {'giraffe' if number == 2 else ''}", "--session", "long")
    home.orca("chat", "the latest", "--session", "other")
    for arguments, wanted in (
        (["--session", "long"], "question 12"),
        (["--session", "long", "--round", "2"], "giraffe"),
    ):
        with home.at_a_terminal(*arguments, COLUMNS="100", LINES="30") as typist:
            typist.read_until(wanted)
            typist.type("\x11")
            assert typist.end() == 0
            assert "the latest" not in typist.seen
    for arguments, wanted in (
        (["--session", "nosuch"], "no session"),
        (["--session", "long", "--round", "99"], "no round"),
    ):
        with home.at_a_terminal(*arguments, COLUMNS="100", LINES="30") as typist:
            typist.read_until(wanted)
            typist.type("\x11")
            assert typist.end() == 0


@pytest.mark.long
@pytest.mark.parametrize(("asked", "drawn"), [({}, FRAMES_A_SECOND), ({"TEXTUAL_FPS": "30"}, "30")])
def test_a_word_waits_for_a_frame_no_longer_than_it_must(asked: dict[str, str], drawn: str) -> None:
    environ = {name: value for name, value in os.environ.items() if name != "TEXTUAL_FPS"} | asked
    command = [sys.executable, "-c", "import orca_tui.app.app, textual.constants as c; print(c.MAX_FPS)"]
    said = subprocess.run(command, env=environ, capture_output=True, text=True, check=True)
    assert said.stdout == f"{drawn}\n"


KEYS = "the quick brown fox jumps over the lazy dog " * 3
A_FRAME_S = 0.02


@pytest.mark.long
def test_a_terminal_that_is_gone_already_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    screen, slave = pty.openpty()
    with os.fdopen(slave, encoding="utf-8") as stdin:
        monkeypatch.setattr(sys, "__stdin__", stdin)
        os.close(screen)
        gone = threading.Event()
        with hang_up_calls(gone.set):
            assert gone.wait(PATIENCE_S)


@pytest.mark.long
def test_a_terminal_that_stays_is_no_longer_watched_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    screen, slave = pty.openpty()
    with os.fdopen(slave, encoding="utf-8") as stdin:
        monkeypatch.setattr(sys, "__stdin__", stdin)
        gone = threading.Event()
        with hang_up_calls(gone.set):
            pass
        os.close(screen)
        assert not gone.wait(0.05)
        assert "orca-terminal" not in [each.name for each in threading.enumerate()]


@pytest.mark.long
def test_a_signal_ends_it_where_the_terminal_reads_no_further(tmp_path: Path) -> None:
    """What it draws fills the terminal, and then the queue of writes, at which the loop waits for ever."""
    with OrcaHome(tmp_path / "home").at_a_terminal(COLUMNS="100", LINES="30") as typist:
        typist.read_until("demo")
        for key in KEYS:
            typist.type(key)
            after(A_FRAME_S)
        typist.process.send_signal(signal.SIGTERM)
        assert typist.process.wait(PATIENCE_S) == 128 + signal.SIGTERM
        assert "\x1b[?1049l" in typist.read_rest()  # it may read again


@pytest.mark.long
def test_what_was_typed_ahead_opens_nothing_in_an_app_that_ends(tmp_path: Path) -> None:
    """A dialog would find itself in a screen that is closed, and the app would end as by a crash."""
    with OrcaHome(tmp_path / "home").at_a_terminal(COLUMNS="100", LINES="30") as typist:
        typist.read_until("\x1b[?1049h")  # it has the terminal, and draws nothing yet
        typist.type("\x10")
        assert typist.end(signal.SIGTERM) == 128 + signal.SIGTERM
    assert not list(tmp_path.rglob("crash.log"))


STANDS_STILL = """
import runpy, sys, threading
from orca_tui.app import app

point = sys.argv[1]
sys.argv = ["orca"]
app.LAST_RESORT_S = 0.0  # it is not waited for what can not come

def stand_still(*_arguments, **_named):
    print("stands still", file=sys.__stdout__, flush=True)
    while True:
        threading.Event().wait()

if point == "before the first frame":
    app.MainScreen.complete = stand_still
elif point == "at work":
    app.Bridge.open = stand_still
elif point == "while it ends":
    app.Bridge.open = lambda bridge: print("stands still", file=sys.__stdout__, flush=True)
    app.OrcaApp.exit = stand_still
runpy.run_module("orca_tui", run_name="__main__", alter_sys=True)
"""
TO_BE_LEFT = {"1049", "1000", "1003", "1006", "1015", "2004", "1004"}
"""The alternate screen, four ways of the mouse, pastes, the focus."""
SWITCHED = re.compile(r"\x1b\[\?(\d+)([hl])")


class StandingOrca(OrcaHome):
    """Orca whose loop stands still at a point that is named."""

    def command(self, arguments: tuple[str, ...]) -> list[str]:
        return [sys.executable, "-c", STANDS_STILL, *arguments]


@pytest.fixture
def standing(tmp_path: Path) -> StandingOrca:
    return StandingOrca(tmp_path / "home")


def modes_of(seen: str) -> dict[str, str]:
    """How each mode of a terminal was switched last."""
    return dict(SWITCHED.findall(seen))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP], ids=str)
@pytest.mark.parametrize("point", ["before the first frame", "at work", "while it ends"])
def test_a_signal_leaves_the_terminal_whole_where_the_loop_stands(
    standing: StandingOrca, point: str, number: int
) -> None:
    with standing.at_a_terminal(point, COLUMNS="100", LINES="30") as typist:
        before = termios.tcgetattr(typist.screen)
        typist.read_until("stands still")
        assert termios.tcgetattr(typist.screen) != before
        typist.process.send_signal(number)
        assert typist.end() == 128 + number
        typist.read_rest()
        modes = modes_of(typist.seen)
        assert modes.keys() >= TO_BE_LEFT
        assert {mode for mode in TO_BE_LEFT if modes[mode] == "h"} == set()
        assert modes["25"] == modes["7"] == "h"
        assert termios.tcgetattr(typist.screen) == before
