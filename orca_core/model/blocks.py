"""A memory block as it is kept: literal pieces, and a slot for each record's text. Together they are what was sent,
byte for byte; a slot without a text says that it was deleted."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from msgspec import Struct

from orca_core.model.recall import Item
from orca_core.model.refs import Ref

GONE = "[deleted]"
"""What a block says in the place of a text that was deleted."""
_TEXT = '"text": "'
_END = '"}'


class Slot(Struct, frozen=True):
    """Where the text of a record stands; `place` is that of its item among those of the block."""

    ref: Ref
    place: int


class CutBlock(Struct, frozen=True):
    """`head` is what stands before the first record."""

    head: str
    pieces: tuple[str | Slot, ...]


def as_written(text: str) -> str:
    """A text as it stands in a block: inside a JSON string, in which no backtick is left."""
    return json.dumps(text, ensure_ascii=False)[1:-1].replace("`", "\\u0060")


def cut(block: str, items: Sequence[Item]) -> CutBlock | None:
    """The block of these items in pieces; None where it is no such block. A text can not look like the beginning of a
    row, since its quotes are escaped; one that was deleted is looked for as such."""
    at = 0
    head = ""
    pieces: list[str | Slot] = []
    for place, item in enumerate(items):
        row = block.find(f'{{"id": "{item.ref}", ', at)
        start = -1 if row < 0 else block.find(_TEXT, row) + len(_TEXT)
        if row < 0 or start < len(_TEXT):
            return None
        written = as_written(item.content or GONE)
        if not block.startswith(written + _END, start):
            return None
        if not pieces:
            head, at = block[:row], row
        pieces += [block[at:start], Slot(item.ref, place)]
        at = start + len(written)
    return CutBlock(head, (*pieces, block[at:])) if pieces else None


def put_together(cut_block: CutBlock, text_of: Callable[[Slot], str | None]) -> str:
    """The block, with the texts that are there."""
    return cut_block.head + "".join(
        piece if isinstance(piece, str) else as_written(GONE if (text := text_of(piece)) is None else text)
        for piece in cut_block.pieces
    )
