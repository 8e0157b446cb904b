"""A signal leaves the terminal as it was, also where the app's loop stands still and can not end the app itself."""

from __future__ import annotations

import re
import signal
import sys
import termios
from pathlib import Path

import pytest
from fakes.terminal import OrcaHome

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
