"""What is kept of what was deleted: by which words it is known again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from orca_core.domain.dataclass import dataclass

DELETED = "deleted"
"""Why a machine does not bring something back."""


@dataclass(frozen=True, slots=True)
class DeletingRules:
    """By which words what was deleted is known again (`rules.keeping.deleting`)."""

    stated_by: Callable[[Any], str]
    """What a record says; empty of one that says nothing by itself."""
    statements_of: Callable[[str], Sequence[str]]
    """The first is kept, as a hash; by any of them it is known."""
    sentences_of: Callable[[str], Sequence[str]]
    """What a text is made of, in order, without losing a character."""
