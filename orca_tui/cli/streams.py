"""Text of the command line and of stdin, whatever bytes it is made of."""

from __future__ import annotations

import re
from typing import TextIO

import click
from click.shell_completion import CompletionItem

from orca_core.model.sessions import checked_session_id

_UNDECODED_BYTE = re.compile("[\ud800-\udfff]")


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
        return checked_session_id(super().convert(value, param, ctx))

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
        """The sessions, the latest first."""
        from orca_tui.cli.completions import records

        return records("session")(ctx, param, incomplete)


ANY_TEXT = AnyText()
SESSION_ID = SessionId()


def read_piped(stdin: TextIO) -> str:
    """All of stdin; bytes that are not UTF-8 become U+FFFD."""
    binary = getattr(stdin, "buffer", None)
    return stdin.read() if binary is None else binary.read().decode("utf-8-sig", "replace")
