"""The memory block as a model sees it: data between fences, which no memory's text can close; and what is left of it
where one of its memories was deleted."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from orca_core.domain.recall import Item, Receipt
from orca_core.domain.refs import Ref

FENCE = "```"
FENCE_NAME = "orca-memory"
GONE = "[deleted]"
"""What a block says in the place of a text that was deleted."""


CONTEXT_TYPE = "recent"
"""What the block calls an item that has no type of its own."""


def block(items: Sequence[Item], header: str) -> str:
    """The block with its header; nothing where there are no items.

    JSON keeps every memory on one line, and backticks are written as escapes: a text can neither end the fence nor
    look as if it stood outside.
    """
    if not items:
        return ""
    lines = ",\n".join(_line(item) for item in items)
    return f"{header}\n{FENCE}{FENCE_NAME}\n[{lines}]\n{FENCE}"


def emptied(receipt: Receipt, refs: Collection[Ref]) -> Receipt:
    """The receipt without the texts of these records. Nothing is searched for: the items are named,
    and the block has a row for each, so that a text which others hold too, or which is part of a word, stays theirs."""
    if not refs:
        return receipt

    def without_text(items: tuple[Item, ...]) -> tuple[Item, ...]:
        return tuple(replace(item, content="") if item.ref in refs else item for item in items)

    shown = {str(item.ref) for item in receipt.injection.injected if item.ref in refs}
    injection = replace(
        receipt.injection,
        injected=without_text(receipt.injection.injected),
        dropped=without_text(receipt.injection.dropped),
        block=_block_without(receipt.injection.block, shown) if shown else receipt.injection.block,
    )
    return replace(receipt, injection=injection)


def _block_without(block: str, references: Collection[str]) -> str:
    """The block with the text of these rows gone, every other byte as it was sent. One that does not have the rows of a
    block goes whole: better nothing than what should be gone."""
    opening = f"{FENCE}{FENCE_NAME}\n["
    head, fence, rest = block.partition(opening)
    rows, closing, tail = rest.rpartition(f"]\n{FENCE}")
    if not fence or not closing:
        return GONE
    try:
        kept = [_row_without(row, references) for row in rows.split(",\n")]
    except (ValueError, KeyError, TypeError):
        return GONE
    return head + fence + ",\n".join(kept) + closing + tail


def _row_without(text: str, references: Collection[str]) -> str:
    row = json.loads(text)
    return _as_line({**row, "text": GONE}) if row["id"] in references else text


def _line(item: Item) -> str:
    row = {
        "id": str(item.ref),
        "type": item.type or CONTEXT_TYPE,
        "date": item.created_at.date().isoformat() if item.created_at else "",
        "text": item.content,
    }
    return _as_line(row)


def _as_line(row: Mapping[str, str]) -> str:
    return json.dumps(row, ensure_ascii=False).replace("`", "\\u0060")
