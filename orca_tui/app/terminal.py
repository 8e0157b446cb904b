"""What the app asks of the terminal: its clipboard, room for an editor, a word when it hangs up, to be given back."""

from __future__ import annotations

import base64
import os
import select
import shlex
import signal
import subprocess
import sys
import tempfile
import termios
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from gettext import gettext as _
from pathlib import Path

from textual.app import App, SuspendNotSupported
from textual.drivers.linux_driver import LinuxDriver

MAX_BYTES = 74_000
"""Most terminals drop longer texts without a message. Chosen by hand."""


def copy(app: App[int], text: str) -> str:
    """Copy a text; returns the note to show."""
    raw = text.encode("utf-8", "replace")
    if len(raw) > MAX_BYTES:
        return _("too long for the terminal's clipboard: o opens it in your editor")
    app.copy_to_clipboard(text)
    if os.environ.get("TMUX") and app._driver is not None:  # noqa: SLF001  # the only way to the terminal's own stream
        payload = base64.b64encode(raw).decode("ascii")
        app._driver.write(f"\x1bPtmux;\x1b\x1b]52;c;{payload}\a\x1b\\")  # noqa: SLF001  # as above
    return _("copied {count:,} characters").format(count=len(text))


def edited(app: App[int], text: str) -> str | None:
    """The text as it was left in $EDITOR; None where there is none, or it failed."""
    command = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "orca.md"
        try:
            path.write_text(text, encoding="utf-8", errors="replace")
            with app.suspend():
                ended = subprocess.run([*shlex.split(command), str(path)], check=False)
            return path.read_text(encoding="utf-8", errors="replace") if ended.returncode == 0 else None
        except (SuspendNotSupported, OSError, ValueError):
            app.bell()
            return None


@contextmanager
def hang_up_calls(gone: Callable[[], None]) -> Iterator[None]:
    """Call `gone`, on another thread, once the terminal hangs up, or where it did so since it was found to be one: such
    a file is no terminal any more. The kernel signals that to the terminal's own session alone; to any other process
    it only ends the input, which Textual would read for ever."""
    assert sys.__stdin__ is not None
    terminal = sys.__stdin__.fileno()
    over, end = os.pipe()
    waiting = threading.Thread(target=_wait, args=(terminal, over, gone), name="orca-terminal", daemon=True)
    waiting.start()
    try:
        yield
    finally:
        os.close(end)
        waiting.join()
        os.close(over)


def _wait(terminal: int, over: int, gone: Callable[[], None]) -> None:
    poll = select.poll()
    poll.register(terminal, 0)  # what it is always told: hang-ups and errors
    poll.register(over, 0)
    came = dict(poll.poll())
    if came.get(terminal, 0) & select.POLLHUP and over not in came:
        gone()


GIVEN_BACK = (
    "\x18"  # ends a sequence that was cut off in its middle
    "\x1b[?2026l\x1b[?2004l\x1b[?7h\x1b[?2048l"
    "\x1b[?1000l\x1b[?1003l\x1b[?1015l\x1b[?1006l\x1b[?1016l"
    "\x1b[<u\x1b[?1049l\x1b[?25h\x1b[?1004l"
)
"""What Textual writes when it leaves a terminal, and the end of a frame that was begun."""


class TerminalDriver(LinuxDriver):
    """Holds the terminal from the start of the app to its end."""

    _holds_terminal = False

    def start_application_mode(self) -> None:
        """Take the terminal."""
        self._holds_terminal = True
        super().start_application_mode()  # type: ignore[no-untyped-call]  # Textual's own is untyped

    def stop_application_mode(self) -> None:
        """Leave the terminal as it was; waits for what is still to be written."""
        super().stop_application_mode()
        self._holds_terminal = False

    def give_back(self) -> None:
        """Leave the terminal as it was, from any thread, past Textual's loop and its queue of writes, of which either
        may stand still; what comes after is not drawn. Returns only when the terminal took it: one that reads no
        further may never."""
        if not self._holds_terminal:
            return
        assert self._file is not None
        drawn_on = self._file.fileno()
        terminal = os.dup(drawn_on)
        os.dup2(os.open(os.devnull, os.O_WRONLY), drawn_on)
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTTOU})  # in the background this would stop the process
        with suppress(OSError, termios.error):  # a terminal that is gone needs nothing
            termios.tcflush(terminal, termios.TCOFLUSH)  # what nobody read yet leaves room
            if self.attrs_before is not None:
                termios.tcsetattr(self.fileno, termios.TCSANOW, self.attrs_before)
            os.write(terminal, GIVEN_BACK.encode())
            termios.tcflush(self.fileno, termios.TCIFLUSH)  # mouse reports are no words for the shell
