"""What the memory agent is shown of a tool's calls: data, never an instruction."""

from __future__ import annotations

import json
from typing import Any

from orca_core.model.memories import State
from orca_core.model.tools import GuideBatch, ToolCall
from orca_core.rules.text.cleaning import ELLIPSIS, cut

MAX_CHARS = 1200
"""Of what a call was given and answered so much is shown: it bounds what one request costs. Chosen by hand."""


def material(batch: GuideBatch) -> str:
    """The tool, what is known of it, figures, and its latest calls, oldest first. What a person has not accepted is not
    shown as known."""
    figures = batch.figures
    shown = {
        "tool": batch.tool,
        "known": next((each.text for each in batch.known if each.state is State.LIVE), ""),
        "figures": {
            "calls": figures.calls,
            "succeeded": figures.succeeded,
            "errors": [list(e) for e in figures.errors],
        },
        "calls": [_row(each) for each in batch.calls],
    }
    return json.dumps(shown, ensure_ascii=False)


def prose(batch: GuideBatch) -> str:
    """What tells the language that the guide is written in."""
    return "\n".join(f"{each.input[:MAX_CHARS]}\n{each.output[:MAX_CHARS]}" for each in batch.calls)


def _row(call: ToolCall) -> dict[str, Any]:
    row: dict[str, Any] = {"input": _short(call.input), "output": _short(call.output), "success": call.success}
    return row if call.seconds is None else {**row, "seconds": round(call.seconds, 3)}


def _short(text: str) -> str:
    return text if len(text) <= MAX_CHARS else cut(text, MAX_CHARS) + ELLIPSIS
