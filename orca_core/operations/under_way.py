"""How far an undo or redo is that is done in slices, as its operation's row keeps it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict, replace

from orca_core.model.operations import Conflict, UnderWay
from orca_core.model.records import Kinds, Ref
from orca_core.operations.columns import to_json
from orca_core.store.ports import is_not

UNDER_WAY = is_not("under_way", None)
"""An operation that is done in slices, and not to its end yet."""
MOST_NAMED = 100
"""So many conflicts, and so many later operations, are kept to be named. Chosen by hand."""


class Progress(Struct, frozen=True):
    """It is at a step, behind a record of its kind. `owner` is the process that carries it on."""

    owner: str
    whole: int
    done: int = 0
    step: int = 0
    after: int = 0
    compared: int = 0
    leaves_ends: bool = False
    """Whether tasks and episodes stay as they are, for the end of one has moved on."""
    conflicts: tuple[Conflict, ...] = ()
    unnamed: int = 0
    later: tuple[int, ...] = ()
    """The newest operations that touched the same records since."""

    def with_conflicts(self, found: Sequence[Conflict]) -> Progress:
        named = (*self.conflicts, *found)
        unnamed = self.unnamed + max(0, len(named) - MOST_NAMED)
        return replace(self, conflicts=named[:MOST_NAMED], unnamed=unnamed)

    def with_later(self, operations: Sequence[int]) -> Progress:
        return replace(self, later=tuple(sorted({*self.later, *operations})[-MOST_NAMED:]))


def progress_to_column(progress: Progress) -> str:
    conflicts = [[each.ref.kind.name, each.ref.id, each.field, each.wanted, each.found] for each in progress.conflicts]
    return to_json({**asdict(progress), "conflicts": conflicts})


def progress_from_column(text: str, kinds: Kinds) -> Progress:
    fields: dict[str, Any] = json.loads(text)
    conflicts = tuple(Conflict(Ref(kinds.named(kind), number), *rest) for kind, number, *rest in fields["conflicts"])
    return Progress(**{**fields, "conflicts": conflicts, "later": tuple(fields["later"])})


def under_way_of(text: str | None) -> UnderWay | None:
    """How far the operation of this column is; None where it is done."""
    if text is None:
        return None
    fields = json.loads(text)
    return UnderWay(fields["done"], fields["whole"])
