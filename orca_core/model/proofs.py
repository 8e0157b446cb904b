"""Where a deleted record could have been, and what is left of it there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from orca_core.model.refs import Kind

SESSION = Kind("session", "c")
"""A chat, which is looked for like a record."""


class Traces(Struct, frozen=True):
    """What a database holds of some records of one kind. `texts` are all that they say or said, `places` the rows that
    are theirs by number, `columns` those in which one of the texts stands word for word. The numbers tell where to look
    again once the records are gone."""

    kind: Kind
    ids: tuple[int, ...]
    texts: tuple[str, ...]
    runs: tuple[int, ...] = ()
    rounds: tuple[int, ...] = ()
    places: Mapping[str, int] = field(default_factory=dict)
    columns: Mapping[str, int] = field(default_factory=dict)


class Place(Struct, frozen=True):
    """A place that was looked at: how many rows of it there were, and are left."""

    name: str
    found: int
    left: int


class SearchedBackup(Struct, frozen=True):
    """A backup in Orca's folder: in how many rows one of the texts stands; None where it could not be read."""

    path: Path
    found: int | None


class Proof(Struct, frozen=True):
    """All places, also those where nothing was. `columns` are told of where anything stood or stands."""

    places: tuple[Place, ...]
    columns: tuple[Place, ...]
    backups: tuple[SearchedBackup, ...]

    def with_further(self, other: Proof) -> Proof:
        """Both as one: of a command that deleted records of two kinds."""
        backups = zip(self.backups, other.backups, strict=True)
        return Proof(
            _added(self.places, other.places),
            _added(self.columns, other.columns),
            tuple(replace(each, found=_sum(each.found, further.found)) for each, further in backups),
        )

    @property
    def is_gone(self) -> bool:
        """Whether nothing is left in any place, nor any text of it anywhere."""
        return not (
            any(each.left for each in (*self.places, *self.columns)) or any(each.found != 0 for each in self.backups)
        )


def _added(places: Sequence[Place], further: Sequence[Place]) -> tuple[Place, ...]:
    found = {each.name: each for each in places}
    for each in further:
        known = found.get(each.name, Place(each.name, 0, 0))
        found[each.name] = Place(each.name, known.found + each.found, known.left + each.left)
    return tuple(found.values())


def _sum(found: int | None, further: int | None) -> int | None:
    return None if found is None or further is None else found + further
