"""Orca as its users start it: in this process, as a process of its own, or at a terminal."""

from __future__ import annotations

import json
import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from click.testing import CliRunner
from fakes.patience import PATIENCE_S
from msgspec import Struct

import orca_tui
from orca_tui.program import run

PROJECT = Path(orca_tui.__file__).parent.parent
AGAIN_S = 0.5


class Ran(Struct, frozen=True):
    """What a command left."""

    status: int
    stdout: str
    stderr: str

    @property
    def json(self) -> Any:
        return json.loads(self.stdout)

    @property
    def events(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.stdout.splitlines()]


def nothing_unretrieved(said: bytes) -> bytes:
    """What was said on stderr or a terminal, in which asyncio must never have complained."""
    assert b"never retrieved" not in said, said
    return said


class Spawned(subprocess.Popen[bytes]):
    """A process whose stderr is looked at when it has ended."""

    def communicate(self, input: bytes | None = None, timeout: float | None = None) -> tuple[bytes, bytes]:
        stdout, stderr = super().communicate(input, timeout)
        return stdout, nothing_unretrieved(stderr)


class OrcaHome(Struct, frozen=True):
    """Orca with a home of its own."""

    path: Path

    def environ(self, **extra: str) -> dict[str, str]:
        return {
            "ORCA_HOME": str(self.path),
            "ORCA_CONFIG": "",
            "LANG": "C.UTF-8",
            "LC_ALL": "",
            "LC_MESSAGES": "",
            "LANGUAGE": "",
            "NO_COLOR": "",
            **extra,
        }

    def orca(self, *arguments: str, stdin: str | bytes = "", **environ: str) -> Ran:
        """A command in this process; its stdin is a pipe."""
        with CliRunner().isolation(input=stdin, env=self.environ(**environ)) as (stdout, stderr, _both):
            status = run(arguments)
        return Ran(status, stdout.getvalue().decode(), nothing_unretrieved(stderr.getvalue()).decode())

    def write(self, *texts: str) -> None:
        """Memories that say these, though some say the same in other spelling: what is edited is not compared."""
        for text in texts:
            made = self.orca("memory", "add", "to be edited", "--json").json["changed"][0]["id"]
            assert self.orca("memory", "edit", str(made), "--content", text).status == 0

    def configure(self, text: str) -> None:
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        config = self.path / "config.toml"
        config.write_text(text, "utf-8")
        config.chmod(0o600)

    def spawn(self, *arguments: str, **environ: str) -> Spawned:
        """A process of its own, its streams as pipes."""
        return Spawned(
            self.command(arguments),
            env=self.whole_environ(**environ),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    @contextmanager
    def at_a_terminal(self, *arguments: str, **environ: str) -> Iterator[Typist]:
        """A process whose stdin, stdout and stderr are one terminal."""
        screen, slave = pty.openpty()
        process = subprocess.Popen(
            self.command(arguments),
            env=self.whole_environ(**{"TERM": "xterm", **environ}),
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
        )
        os.close(slave)
        typist = Typist(screen, process)
        try:
            yield typist
        finally:
            if process.poll() is None:
                process.kill()
            process.wait(PATIENCE_S)
            if typist.is_there:
                os.close(screen)

    def command(self, arguments: tuple[str, ...]) -> list[str]:
        return [sys.executable, "-m", "orca_tui", *arguments]

    def whole_environ(self, **extra: str) -> dict[str, str]:
        return {"PATH": os.environ["PATH"], "PYTHONPATH": str(PROJECT), **self.environ(**extra)}


MadeOnce = Callable[[Callable[[OrcaHome], None]], OrcaHome]
"""The home of a test, as the function leaves it: that is done to one home, once, and copied."""


class Typist:
    """Someone at the terminal: types, and reads until something is seen."""

    def __init__(self, screen: int, process: subprocess.Popen[bytes]) -> None:
        self.screen = screen
        self.process = process
        self.seen = ""
        self.is_there = True

    def type(self, text: str) -> None:
        os.write(self.screen, text.encode())

    def read_until(self, wanted: str) -> str:
        """What came since the last time, up to and with what is wanted."""
        deadline = time.monotonic() + PATIENCE_S
        came = ""
        while wanted not in came:
            assert time.monotonic() < deadline, f"{wanted!r} did not come, but: {came!r}"
            ready, _, _ = select.select([self.screen], [], [], 0.1)
            if ready:
                came += self._read()
        self.seen += came
        return came

    def end(self, number: int | None = None) -> int:
        """The exit status, once the process has ended; a signal that is named is sent until then."""
        deadline = time.monotonic() + PATIENCE_S
        while self.process.poll() is None and time.monotonic() < deadline:
            if number is not None:
                self.process.send_signal(number)
            ready, _, _ = select.select([self.screen], [], [], AGAIN_S)
            if ready:
                self.seen += self._read()
        nothing_unretrieved(self.seen.encode())
        return self.process.wait(1)

    def read_rest(self) -> str:
        """What a process that has ended left in its terminal."""
        came = ""
        while select.select([self.screen], [], [], 0.0)[0] and (more := self._read()):
            came += more
        self.seen += came
        return came

    def hang_up(self, *, says_so: bool = True) -> int:
        """Close the terminal's window, and what the kernel says of it to its own session; the exit status."""
        os.close(self.screen)
        self.is_there = False
        if says_so:
            self.process.send_signal(signal.SIGHUP)
            self.process.send_signal(signal.SIGCONT)
        return self.process.wait(PATIENCE_S)

    def interrupt_until(self, wanted: str) -> str:
        """Ctrl+C, and again, until what is wanted is seen: one that comes just as readline begins to wait for a key
        is noticed by Python with the next key only."""
        self.process.send_signal(signal.SIGINT)
        deadline = time.monotonic() + PATIENCE_S
        came = ""
        while wanted not in came:
            assert time.monotonic() < deadline, f"{wanted!r} did not come, but: {came!r}"
            ready, _, _ = select.select([self.screen], [], [], AGAIN_S)
            if ready:
                came += self._read()
            else:
                self.process.send_signal(signal.SIGINT)
        return came

    def _read(self) -> str:
        try:
            return os.read(self.screen, 65536).decode("utf-8", "replace")
        except OSError:  # Linux says EIO where the other side of a terminal is closed.
            assert self.process.wait(PATIENCE_S) is not None
            return ""
