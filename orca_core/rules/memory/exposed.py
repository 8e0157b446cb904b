"""Secrets that stand in what is kept: keys, tokens, passwords with their value."""

from __future__ import annotations

from orca_core.rules.text import memory_wording
from orca_core.rules.text.cleaning import one_line
from orca_core.rules.text.scripts import simplified

HIDDEN = "***"
SHOWN_CHARS = 60


def holds_secret(text: str) -> bool:
    """Whether it holds what extraction lets no memory live for."""
    return memory_wording.secret_shape().search(simplified(text)) is not None


def shown_without_secrets(text: str) -> str:
    """The beginning of a text, on one line. From its first secret on it is hidden: that may go on."""
    plain = simplified(text)
    found = memory_wording.secret_shape().search(plain)
    return one_line(text if found is None else plain[: found.start()] + HIDDEN, SHOWN_CHARS)
