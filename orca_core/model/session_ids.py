"""What may name a session: one word or a few on one line, that is no path."""

from __future__ import annotations

from orca_core.model.errors import InvalidInput, quoted

MAX_CHARS = 128
"""It bounds what a command line and a list have to show. Chosen by hand."""


def checked(session_id: str) -> str:
    """The id as it is. Raises InvalidInput where it can name no session."""
    is_name = 0 < len(session_id) <= MAX_CHARS and session_id.isprintable() and session_id == session_id.strip()
    if not is_name or "/" in session_id or "\\" in session_id or not session_id.strip("."):
        raise InvalidInput(
            template="{name} can't name a session",
            hint="letters, digits, points and dashes, at most {most} characters: orca session list shows them",
            name=quoted(session_id),
            most=MAX_CHARS,
        )
    return session_id
