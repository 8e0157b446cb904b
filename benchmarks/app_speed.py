"""The app at a real terminal with many memories: first frame, key to screen, token to screen.

    python benchmarks/app_speed.py [--memories 10000] [--messages 200]

Orca runs as a process of its own at a pseudo-terminal, as its users start it. First frame: from the start of the
process until the header is on the terminal, and until the memories are counted in it; beside it, by turns, what no app
on Textual can be faster than: Python alone, with Textual imported, and an app of one word at its first frame. Key:
from the byte that is typed until the last byte that comes of it. Token: from the byte that the model's server sends
until the word is on the terminal, below a chat of so many messages.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import fcntl
import os
import pty
import select
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from stores import ScriptedModel, chunk, orca_with, says, summary, turn

LINES, COLUMNS = 45, 160
QUIET_S = 0.06
"""A screen that says nothing for so long has said all: Textual draws 60 times a second."""
PATIENCE_S = 20.0
FIRST_FRAMES = 9
BARE_APP = """
from textual.app import App
from textual.widgets import Static

class Bare(App):
    def compose(self):
        yield Static("orca")

Bare().run()
"""
FLOORS = {"Python alone": "pass", "… and Textual imported": "import textual.app"}
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"


class Terminal:
    """Orca, or another program of Python, at a pseudo-terminal."""

    def __init__(self, home: Path, program: Sequence[str] = ("-m", "orca_tui")) -> None:
        self._screen, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
        environ = {"PATH": os.environ["PATH"], "ORCA_HOME": str(home), "LANG": "C.UTF-8", "TERM": "xterm-256color"}
        self.started = time.perf_counter()
        self.process = subprocess.Popen(
            [sys.executable, *program], env=environ, stdin=slave, stdout=slave, stderr=slave
        )
        os.close(slave)

    def type(self, text: str) -> float:
        """Type, and the moment of it."""
        at = time.perf_counter()
        os.write(self._screen, text.encode())
        return at

    def until(self, wanted: str) -> float:
        """The moment when something stands on the terminal."""
        deadline = time.perf_counter() + PATIENCE_S
        came = b""
        while wanted.encode() not in came:
            assert time.perf_counter() < deadline, f"{wanted!r} did not come"
            came += self._read(0.1)
        return time.perf_counter()

    def settled(self) -> float:
        """The moment of the last byte before the screen is quiet."""
        last = time.perf_counter()
        while self._read(QUIET_S):
            last = time.perf_counter()
        return last

    def close(self) -> None:
        self.type("\x11")
        deadline = time.perf_counter() + PATIENCE_S
        while self.process.poll() is None and time.perf_counter() < deadline:
            self._read(0.05)
        self.process.kill()
        self.process.wait()
        os.close(self._screen)

    def _read(self, patience_s: float) -> bytes:
        ready, _, _ = select.select([self._screen], [], [], patience_s)
        with contextlib.suppress(OSError):  # Linux says EIO where the other side is closed.
            return os.read(self._screen, 1 << 16) if ready else b""
        return b""


@contextlib.contextmanager
def listening() -> Iterator[socket.socket]:
    """Where the model's server listens."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(PATIENCE_S)
        yield server


async def prepare(home: Path, memories: int, messages: int, port: int) -> None:
    """A home with memories, one long chat, and a model on this machine."""
    orca = await orca_with(home, memories, model=ScriptedModel(says("An answer with **some** `code` in it. " * 6)))
    for number in range(messages // 2):
        await turn(orca, f"question {number} about docker", session_id="long")
    await orca.aclose()
    config = home / "config.toml"
    config.write_text(
        f'provider = "here"\n[here]\nbase_url = "http://127.0.0.1:{port}/v1"\nmodel = "m"\n'
        "[memory_agent]\nenabled = false\n",
        "utf-8",
    )
    config.chmod(0o600)


def first_frame(home: Path) -> tuple[float, float]:
    terminal = Terminal(home)
    drawn = terminal.until("orca") - terminal.started
    counted = terminal.until("kept") - terminal.started
    terminal.settled()
    terminal.close()
    return drawn, counted


def floors(home: Path) -> tuple[float, ...]:
    """What Python and Textual take before there is anything of Orca."""
    taken = []
    for code in FLOORS.values():
        began = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True)
        taken.append(time.perf_counter() - began)
    terminal = Terminal(home, ("-c", BARE_APP))
    taken.append(terminal.until("orca") - terminal.started)
    terminal.close()
    return tuple(taken)


def keys(terminal: Terminal, typed: str, count: int) -> list[float]:
    """How long the screen needs for each of these keys."""
    taken = []
    for number in range(count):
        at = terminal.type(typed[number % len(typed)])
        taken.append(terminal.settled() - at)
    return taken


def tokens(terminal: Terminal, server: socket.socket, count: int) -> list[float]:
    """How long a word of the model needs to the screen."""
    terminal.type("and now?\r")
    connection, _address = server.accept()
    with connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # as servers of models do
        connection.recv(1 << 20)
        connection.sendall(HEAD)
        taken = []
        for number in range(count):
            word = f"w{number:03}"
            at = time.perf_counter()
            connection.sendall(chunk(word + (" " if number % 12 else ".\n\n")))
            taken.append(terminal.until(word) - at)
        connection.sendall(chunk("", finish="stop") + b"data: [DONE]\n\n")
    terminal.settled()
    return taken


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--messages", type=int, default=200)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, listening() as server:
        home = Path(folder)
        asyncio.run(prepare(home, arguments.memories, arguments.messages, server.getsockname()[1]))
        by_turns = [(first_frame(home), floors(home)) for _ in range(FIRST_FRAMES)]
        frames, counted = zip(*(each for each, _ in by_turns), strict=True)
        beside = dict(
            zip((*FLOORS, "an app of one word"), zip(*(each for _, each in by_turns), strict=True), strict=True)
        )
        terminal = Terminal(home)
        terminal.until("kept")
        terminal.settled()
        terminal.type("\x13")  # ctrl+s: the chats
        terminal.settled()
        terminal.type("\r")
        terminal.settled()
        typed = keys(terminal, "the quick brown fox ", 60)
        terminal.type("\x15")  # ctrl+u: an empty prompt
        terminal.settled()
        streamed = tokens(terminal, server, 150)
        terminal.type("\x1bOR")  # f3: the memories
        terminal.settled()
        moved = keys(terminal, "jjjjkjjjk", 90)
        jumped = keys(terminal, "Gg", 30)
        terminal.close()
    print(f"{arguments.memories:,} memories, {arguments.messages} messages, {COLUMNS}x{LINES}")
    print(summary("first frame (whole process)", frames, "250 ms"))
    for name, taken in beside.items():
        print(summary(f"  beside it: {name}", taken))
    ratio = statistics.median(frames) / statistics.median(beside["an app of one word"])
    print(f"  first frame / an app of one word: {ratio:.2f}")
    print(summary("memories counted in it", counted))
    print(summary("key to screen: typing", typed, "16 ms"))
    print(summary("key to screen: in the memories", moved, "16 ms"))
    print(summary("… from end to end, rows loaded", jumped))
    print(summary("token to screen", streamed, "25 ms"))


if __name__ == "__main__":
    main()
