"""A terminal that is gone, or reads no further, leaves no process behind."""

from __future__ import annotations

import os
import pty
import signal
import sys
import threading
from pathlib import Path

import pytest
from fakes.patience import PATIENCE_S, after
from fakes.terminal import OrcaHome

from orca_tui.app.terminal import hang_up_calls

pytestmark = pytest.mark.long

KEYS = "the quick brown fox jumps over the lazy dog " * 3
A_FRAME_S = 0.02


def test_a_terminal_that_is_gone_already_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    screen, slave = pty.openpty()
    with os.fdopen(slave, encoding="utf-8") as stdin:
        monkeypatch.setattr(sys, "__stdin__", stdin)
        os.close(screen)
        gone = threading.Event()
        with hang_up_calls(gone.set):
            assert gone.wait(PATIENCE_S)


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


def test_what_was_typed_ahead_opens_nothing_in_an_app_that_ends(tmp_path: Path) -> None:
    """A dialog would find itself in a screen that is closed, and the app would end as by a crash."""
    with OrcaHome(tmp_path / "home").at_a_terminal(COLUMNS="100", LINES="30") as typist:
        typist.read_until("\x1b[?1049h")  # it has the terminal, and draws nothing yet
        typist.type("\x10")
        assert typist.end(signal.SIGTERM) == 128 + signal.SIGTERM
    assert not list(tmp_path.rglob("crash.log"))
