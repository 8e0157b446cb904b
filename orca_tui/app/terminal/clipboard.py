"""Copying through the terminal: OSC 52, wrapped where tmux stands between."""

from __future__ import annotations

import base64
import os
from gettext import gettext as _

from textual.app import App

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
