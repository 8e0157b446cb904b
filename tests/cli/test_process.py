"""Orca as a process: signals, closed and full streams, poor locales, crashes."""

from __future__ import annotations

import os
import select
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from fakes.slow_server import unending_answers
from fakes.terminal import PATIENCE_S, OrcaHome

from orca_tui.cli.root import orca


@pytest.fixture
def slow_home(home: OrcaHome) -> Iterator[OrcaHome]:
    with unending_answers() as base_url:
        home.configure(f'provider = "slow"\n[slow]\nbase_url = "{base_url}"\nmodel = "m"\napi_key = "k"\n')
        yield home


def read_until(stream: int, wanted: bytes) -> bytes:
    came = b""
    while wanted not in came:
        ready, _, _ = select.select([stream], [], [], PATIENCE_S)
        assert ready, came
        piece = os.read(stream, 65536)
        assert piece, f"the stream ended after {came!r}"
        came += piece
    return came


@pytest.mark.long
@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)], ids=str
)
def test_a_signal_keeps_the_answer_so_far_and_has_its_own_status(slow_home: OrcaHome, number: int, status: int) -> None:
    process = slow_home.spawn("chat", "tell me a long story", "--session", "s1", "--json")
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.close()
    read_until(process.stdout.fileno(), b"half an")

    process.send_signal(number)
    process.stdin = None
    stdout, stderr = process.communicate(timeout=PATIENCE_S)

    assert process.returncode == status
    assert b'"finish": "interrupted"' in stdout
    assert b"Traceback" not in stderr
    [said] = slow_home.orca("session", "show", "s1", "--json").json["rounds"]
    assert (said["assistant"], said["state"]) == ("half an", "interrupted")


@pytest.mark.long
def test_ctrl_c_in_a_talk_stops_the_answer_and_the_talk_goes_on(slow_home: OrcaHome) -> None:
    with slow_home.at_a_terminal("chat", "--session", "s1") as typist:
        typist.read_until("you> ")
        typist.type("tell me a long story\n")
        typist.read_until("half an")
        typist.process.send_signal(signal.SIGINT)
        assert "stopped" in typist.read_until("you> ")
        typist.type("\x04")

        assert typist.end() == 0

    [said] = slow_home.orca("session", "show", "s1", "--json").json["rounds"]
    assert (said["assistant"], said["state"]) == ("half an", "interrupted")


def test_a_reader_that_leaves_early_is_no_noise(home: OrcaHome) -> None:
    for number in range(3):
        home.orca("memory", "add", f"fact number {number} of many")
    process = home.spawn("memory", "list")
    assert process.stdout is not None

    process.stdout.close()
    process.stdout = None
    _stdout, stderr = process.communicate(timeout=PATIENCE_S)

    assert stderr == b""
    assert process.returncode == 128 + signal.SIGPIPE


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no full device")
def test_a_full_device_is_one_line_and_status_1(home: OrcaHome) -> None:
    home.orca("memory", "add", "something to list")

    with Path("/dev/full").open("wb") as full:
        process = subprocess.run(
            home.command(("memory", "list")),
            env=home.whole_environ(),
            stdin=subprocess.DEVNULL,
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )

    assert process.returncode == 1
    assert process.stderr.startswith(b"orca: ")
    assert process.stderr.count(b"\n") == 1


def test_a_locale_without_unicode_shows_escapes_and_does_not_fail(home: OrcaHome) -> None:
    home.orca("memory", "add", "我用 neovim 写 Python")
    poor = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii:strict"}

    listed, stderr = home.spawn("memory", "list", **poor).communicate(timeout=PATIENCE_S)
    assert (stderr, b"\\u6211" in listed, b"neovim" in listed) == (b"", True, True)

    process = home.spawn("memory", "list", "--json", **poor)
    document, _stderr = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0
    assert b'"content": "\\u6211\\u7528 neovim' in document


@click.command()
def breaking() -> None:
    api_key = "sk-live-0123456789"
    raise RuntimeError(f"refused: Bearer {api_key} at {len(api_key)}")


@pytest.fixture
def broken_home(home: OrcaHome, monkeypatch: pytest.MonkeyPatch) -> OrcaHome:
    monkeypatch.setattr(orca, "get_command", lambda ctx, name: breaking)
    return home


def test_a_crash_is_one_line_and_its_report_holds_no_secret(broken_home: OrcaHome) -> None:
    ran = broken_home.orca("break")

    report = broken_home.path / "crash.log"
    assert (ran.status, ran.stdout) == (1, "")
    assert ran.stderr == f"orca: something broke that should not: RuntimeError — the details are in {report}\n"
    assert report.stat().st_mode & 0o777 == 0o600
    assert "raise RuntimeError" in report.read_text()
    assert "sk-live" not in report.read_text()
