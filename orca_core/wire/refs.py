"""How a record is named in JSON: a memory by its number, anything else as `s41`; and what its kind is called there."""

from __future__ import annotations

from orca_core.domain.refs import MEMORY, SUMMARY, Kind, Kinds, Ref, plain_ref

_OLD_NAMES = {MEMORY: "long", SUMMARY: "short"}
"""What these two were called before there were others."""


def ref_json(ref: Ref) -> int | str:
    """The name of a record."""
    return plain_ref(ref)


def ref_from(name: int | str, kinds: Kinds) -> Ref:
    """What `ref_json` named, of the kinds that the reader knows."""
    return kinds.ref(name)


def kind_json(kind: Kind) -> str:
    """The kind of an item in a receipt."""
    return _OLD_NAMES.get(kind, kind.name)
