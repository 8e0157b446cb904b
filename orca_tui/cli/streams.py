"""Text that comes in pieces or in bytes: cleaned or decoded so that where it was cut makes no difference."""

from __future__ import annotations

import re
from typing import TextIO

import click

from orca_core.domain import session_ids
from orca_tui.text_rules import for_terminal

# What the next piece may turn into one emoji with its own beginning; bounded, so that nothing is held for long.
_MAY_BE_JOINED = re.compile(
    "[0-9#*\u00a9\u00ae\u203c-\u2bff\U0001f000-\U0001faff\ufe0e\ufe0f\u200d\ud800-\udbff]{1,32}\\Z"
)
_UNDECODED_BYTE = re.compile("[\ud800-\udfff]")


class CleanStream:
    """Cleans an answer piece by piece, as if it were cleaned whole."""

    def __init__(self) -> None:
        self._held = ""

    def feed(self, piece: str) -> str:
        """What can be shown now."""
        text = self._held + piece
        held = _MAY_BE_JOINED.search(text)
        self._held = held.group() if held else ""
        return for_terminal(text[: len(text) - len(self._held)])

    def finish(self) -> str:
        """What was held back, now that nothing follows."""
        rest, self._held = self._held, ""
        return for_terminal(rest)


class AnyText(click.ParamType):  # type: ignore[type-arg]  # generic since Click 8.5
    """Text of the command line; bytes that are not UTF-8 become U+FFFD."""

    name = "text"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> str:  # noqa: ARG002  # Click's
        """The argument, as text that can be stored."""
        return _UNDECODED_BYTE.sub("\ufffd", str(value))


class SessionId(AnyText):
    """The name of a session, which is no path and holds nothing that can't be seen."""

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Raises InvalidInput."""
        return session_ids.checked(super().convert(value, param, ctx))


ANY_TEXT = AnyText()
SESSION_ID = SessionId()


def read_piped(stdin: TextIO) -> str:
    """All of stdin; bytes that are not UTF-8 become U+FFFD."""
    binary = getattr(stdin, "buffer", None)
    return stdin.read() if binary is None else binary.read().decode("utf-8-sig", "replace")
