"""Killing a process that works without end, at a moment that chance chooses."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from random import Random

from fakes import endless
from fakes.patience import after


def killed(kind: str, folder: Path, chance: Random, longest_s: float) -> list[str]:
    """Start this kind of endless work on a folder, kill it once it has said something; the lines that it said whole."""
    command = [sys.executable, str(endless.__file__), kind, str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as worker:
        assert worker.stdout is not None
        first = worker.stdout.readline()
        after(chance.uniform(0, longest_s))
        worker.send_signal(signal.SIGKILL)
        return [first, *(line for line in worker.stdout if line.endswith("\n"))]
