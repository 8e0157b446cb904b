"""How a record is named in JSON: a memory by its number, a summary as `s41`; and what its kind is called there."""

from __future__ import annotations

from typing import Literal

KindWord = Literal["long", "short"]


def ref_json(kind: KindWord, ref: str) -> int | str:
    """The name of a record that was considered for a turn."""
    return ref if kind == "short" else int(ref)


def ref_from(_kind: KindWord, name: int | str) -> str:
    """What `ref_json` named."""
    return str(name)
