"""The app as a process at a real terminal: how it begins, and how it leaves the terminal."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from fakes.terminal import OrcaHome

from orca_tui.app import FRAMES_A_SECOND

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
        typist.read_until("remembers you")
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
def test_what_was_said_is_learnt_from_when_the_app_is_left(home: OrcaHome) -> None:
    with home.at_a_terminal(COLUMNS="100", LINES="30") as typist:
        typist.read_until("demo")
        typist.type("我用 neovim 写代码\r")
        typist.read_until("learns at 5: 1")
        typist.type("\x11")
        assert typist.end() == 0
    listed = home.orca("memory", "list", "--json").json
    assert [memory["content"] for memory in listed["memories"]] == ["用户用 neovim 写代码"]


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
