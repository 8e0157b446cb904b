"""The memory block as a model sees it: data between fences, which no memory's text can close."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from orca_core.model.recall import Item
from orca_core.model.records import TASK

FENCE = "```"
FENCE_NAME = "orca-memory"


CONTEXT_TYPE = "recent"
"""What the block calls a summary, which has no type of its own."""


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
        "id": str(item.ref),
        "type": item.type or (TASK.name if item.ref.kind == TASK else CONTEXT_TYPE),
        "date": item.created_at.date().isoformat() if item.created_at else "",
        "text": item.content,
    }
    return _as_line(row)


def _as_line(row: Mapping[str, str]) -> str:
    return json.dumps(row, ensure_ascii=False).replace("`", "\\u0060")
