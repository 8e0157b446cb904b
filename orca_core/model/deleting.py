"""What is kept of what was deleted: by which words it is known again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

KEPT = 2
"""So many of the ways in which a statement is compared are kept of it."""
DELETED = "deleted"
"""Why a machine does not bring something back."""


class DeletingRules(Struct, frozen=True):
    """By which words what was deleted is known again (`rules.keeping.deleting`)."""

    stated_by: Callable[[Any], str]
    """What a record says; empty of one that says nothing by itself."""
    statements_of: Callable[[str], Sequence[str]]
    """The first are kept, as hashes; by any of them it is known."""
    keys_of: Callable[[str], Sequence[str]]
    """By any of these a statement is the same as one that is still here and was refused, in whatever spelling."""
    words_of: Callable[[str], str]
    """Its words in whatever order, kept as a hash, too; empty where they are no sign. Who says the same ones may say
    something else: a machine lets it wait."""
    held_because: str
    """Why that waits."""
    refusal_of: Callable[[Any], str]
    """Why a machine may not bring a record back that is here; empty where it may."""
    sentences_of: Callable[[str], Sequence[str]]
    """What a text is made of, in order, without losing a character."""
