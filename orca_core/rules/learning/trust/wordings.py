"""The old place of `provenance.wordings`."""

from __future__ import annotations

from orca_core.rules.learning.provenance.wordings import (
    Comparison,
    Unit,
    UnitKind,
    Wording,
    compare,
    ends_alike,
    kept_of,
    shared,
    stands_in,
    stems_of,
    together,
    units_of,
    wording_of,
    years_of,
)

__all__ = [
    "Comparison",
    "Unit",
    "UnitKind",
    "Wording",
    "compare",
    "ends_alike",
    "kept_of",
    "shared",
    "stands_in",
    "stems_of",
    "together",
    "units_of",
    "wording_of",
    "years_of",
]
