"""Names of records in JSON: a memory is a number, anything else `s41`; and the names of kinds."""

from __future__ import annotations

from orca_core.domain.refs import MEMORY, SUMMARY, Kind, Ref, plain_ref

_OLD_NAMES = {MEMORY: "long", SUMMARY: "short"}
"""The names of the two built-in kinds in JSON."""


def ref_json(ref: Ref) -> int | str:
    """The name of a record."""
    return plain_ref(ref)


def kind_json(kind: Kind) -> str:
    """The kind of an item in a receipt."""
    return _OLD_NAMES.get(kind, kind.name)
