"""What a memory agent says, and what a listener hears."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from fakes.scripted_model import Step, says

from orca_core.model.events import Extraction
from orca_core.model.learning import Wanted
from orca_core.model.llm import Source, Span
from orca_core.model.memories import Memory
from orca_core.orca import Orca


def fact(content: str, quote: str = "", **fields: object) -> dict[str, object]:
    return {"content": content, "type": "fact", "tags": [], "confidence": 0.9, "quote": quote, **fields}


def finds(*facts: dict[str, object]) -> list[Step]:
    """The script of a memory agent that found these."""
    return says(json.dumps({"facts": list(facts)}, ensure_ascii=False))


def pasted(text: str) -> Span:
    return Span(text, Source.PASTED)


async def learn(orca: Orca, session_id: str | None = None, *, everything: bool = True) -> list[Extraction]:
    """Learn from all that waits, and what was told of it but the beginnings."""
    wanted = Wanted(session_id=session_id, everything=everything)
    return [event async for event in orca.learning.facts.run(wanted) if event.state != "running"]


def contents(facts: Sequence[object]) -> list[str]:
    return [each.memory.content for each in facts]  # type: ignore[attr-defined]


async def written(orca: Orca, text: str, **fields: Any) -> Memory:
    """A memory that says this, though another may say it in other spelling: what is added once more is confirmed, what
    is edited is not compared."""
    added = (await orca.memories.add(f"to be edited: {len(text)}", **fields)).memory
    [memory] = (await orca.memories.edit(added.id, content=text)).records
    return memory
