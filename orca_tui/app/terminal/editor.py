"""The user's own editor, with the terminal to itself while it is open."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from pathlib import Path

from textual.app import App, SuspendNotSupported


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
