"""Values that store tests need, with everything said that a test does not care about."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from orca_core.model.llm import Finish, Span, Usage
from orca_core.model.memories import NewMemory, NewShortTerm, Use
from orca_core.model.operations import Actor, OperationHeader
from orca_core.model.recall import Injection, Item, Level, Receipt, References, ScoreParts
from orca_core.model.record_types import BUILT_IN_KINDS, memory_ref
from orca_core.model.sessions import FoundMessage, MessagesSought, RoundRecord, RoundStart, StartedRound
from orca_core.operations.stores import Stores
from orca_core.rules.text.literal_search import read_search
from orca_core.settings import LongTermSettings

AT = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


def later(minutes: float = 1) -> datetime:
    return AT + timedelta(minutes=minutes)


def header(action: str = "add", at: datetime = AT, actor: Actor = Actor.USER) -> OperationHeader:
    return OperationHeader(actor, action, at)


async def remember(stores: Stores, *contents: str, **fields: object) -> list[int]:
    """Store memories; their ids."""
    return [
        (await stores.memories.add(NewMemory(content, **fields), header())).memory.id  # type: ignore[arg-type]
        for content in contents
    ]


async def begin(stores: Stores, session_id: str = "s", text: str = "a question", **fields: object) -> StartedRound:
    start = RoundStart(session_id, "a title", (Span(text),), **{"at": AT, **fields})  # type: ignore[arg-type]
    return await stores.sessions.begin_round(start)


def receipt(session_id: str = "s", number: int = 1, *, content: str = "", block: str = "", ref: str = "1") -> Receipt:
    items = (
        (Item(BUILT_IN_KINDS.ref(int(ref) if ref.isdecimal() else ref), content, ScoreParts(text=0.5), "recall"),)
        if content
        else ()
    )
    return Receipt(session_id, number, Injection(Level.FULL, ("recall",), items, (), block), References())


def record(started: StartedRound, answer: str = "an answer", **fields: object) -> RoundRecord:
    values: dict[str, object] = {
        "round_id": started.id,
        "answer": answer,
        "reasoning": "",
        "citations": (),
        "finish": Finish.STOP,
        "usage": None,
        "model": "m",
        "at": later(),
        "estimated_prompt_tokens": 100,
        "short_term": NewShortTerm(f"summary {answer}", "question", True, ("summari", "answer")),
        "short_term_max_items": 10,
        "to_buffer": True,
        "receipt": receipt(started.session_id, started.number),
        "core_threshold": LongTermSettings().core_threshold,
        "uses": {},
    }
    values |= fields
    uses: Mapping[int, Use] = values["uses"]  # type: ignore[assignment]
    values["uses"] = {memory_ref(each): use for each, use in uses.items()}
    return RoundRecord(**values)  # type: ignore[arg-type]


async def chat(
    stores: Stores, session_id: str = "s", *, uses: dict[int, Use] | None = None, **fields: object
) -> StartedRound:
    """A whole round."""
    started = await begin(stores, session_id)
    await stores.sessions.finish_round(record(started, uses=uses or {}, **fields))
    return started


def usage(prompt_tokens: int) -> Usage:
    return Usage(prompt_tokens, 10)


async def said_with(stores: Stores, text: str, limit: int = 9, **wanted: Any) -> list[FoundMessage]:
    """The messages that hold every word of a text."""
    sought = read_search(text)
    held = await stores.messages.find(MessagesSought(sought.phrases, limit, **wanted), sought.judge)
    return list(held.messages)
