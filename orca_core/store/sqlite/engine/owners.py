"""Names the process that writes a round: its number and its start time, for numbers are reused."""

from __future__ import annotations

import os
from pathlib import Path


def this_process() -> str:
    return f"{os.getpid()}:{_started(os.getpid())}"


def is_alive(owner: str) -> bool:
    """Whether the process that wrote this still runs."""
    number, _, started = owner.partition(":")
    return number.isdigit() and is_running(int(number)) and _started(int(number)) in ("", started)


def is_running(number: int) -> bool:
    """Whether there is a process of this number, whoever's it is."""
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _started(number: int) -> str:
    """The start time of a process in clock ticks since boot; empty where there is no /proc."""
    try:
        text = Path(f"/proc/{number}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    # The name stands in brackets and may hold blanks; the start time is the 20th field behind it.
    return text.rpartition(")")[2].split()[19]
