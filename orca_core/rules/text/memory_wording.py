"""Tell by its words the type of a memory, a condition, and what only its owner confirms: secrets, accounts, links."""

from __future__ import annotations

import re
from functools import cache

from orca_core import words
from orca_core.model.memories import MemoryType
from orca_core.rules.text.cleaning import one_line
from orca_core.rules.text.spelling import simplified

_TYPES = (
    (MemoryType.INSTRUCTION, "wording.instruction"),
    (MemoryType.PREFERENCE, "wording.preference"),
    (MemoryType.PROJECT, "wording.working"),
    (MemoryType.EVENT, "wording.event"),
    (MemoryType.PROJECT, "wording.project"),
)
_SENSITIVE = ("secret", "account_number", "url")


@cache
def memory_types() -> tuple[tuple[MemoryType, re.Pattern[str]], ...]:
    """Tell how each type is worded; the first that fits counts."""
    return tuple((kind, words.pattern(table)) for kind, table in _TYPES)


def secret_shape() -> re.Pattern[str]:
    """Return what keys, tokens and passwords with their value look like."""
    return words.pattern("wording.secret", flags=re.ASCII)


@cache
def sensitive_shapes() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return what secrets, numbers of accounts and links look like, by reason, the gravest first."""
    return tuple((reason, words.pattern(f"wording.{reason}", flags=re.ASCII)) for reason in _SENSITIVE)


HIDDEN_SECRET = "***"
SHOWN_CHARS = 60


def holds_secret(text: str) -> bool:
    """Tell whether it holds what extraction lets no memory live for."""
    return secret_shape().search(simplified(text)) is not None


def shown_without_secrets(text: str) -> str:
    """The beginning of a text, on one line. From its first secret on it is hidden: that may go on."""
    plain = simplified(text)
    found = secret_shape().search(plain)
    return one_line(text if found is None else plain[: found.start()] + HIDDEN_SECRET, SHOWN_CHARS)
