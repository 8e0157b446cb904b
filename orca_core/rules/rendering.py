"""The memory block as a model sees it: data between fences, which no memory's text can close."""

from __future__ import annotations

import json
from collections.abc import Sequence

from orca_core.domain.recall import Item

FENCE = "```"
FENCE_NAME = "orca-memory"


def reference(item: Item) -> str:
    """How a block and a citation name a memory: `m7`, `s41`."""
    return item.ref if item.kind == "short" else f"m{item.ref}"


def block(items: Sequence[Item], header: str) -> str:
    """The block with its header; nothing where there are no items.

    JSON keeps every memory on one line, and backticks are written as escapes: a text can neither end the fence nor
    look as if it stood outside.
    """
    if not items:
        return ""
    lines = ",\n".join(_line(item) for item in items)
    return f"{header}\n{FENCE}{FENCE_NAME}\n[{lines}]\n{FENCE}"


def _line(item: Item) -> str:
    row = {
        "id": reference(item),
        "type": item.type.value if item.type else "recent",
        "date": item.created_at.date().isoformat() if item.created_at else "",
        "text": item.content,
    }
    return json.dumps(row, ensure_ascii=False).replace("`", "\\u0060")
