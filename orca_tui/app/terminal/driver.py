"""Textual's driver of the terminal, which can also give it back where the app stands still."""

from __future__ import annotations

import os
import signal
import termios
from contextlib import suppress

from textual.drivers.linux_driver import LinuxDriver

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
