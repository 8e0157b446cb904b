"""Candidates that acts have shown, and what speaks for them, put into a store."""

from __future__ import annotations

from datetime import datetime, timedelta

from fakes.records import AT

from orca_core.model.feedback import Support, SupportKind
from orca_core.model.memories import MemoryType, NewMemory, Origin, OriginKind, State
from orca_core.model.operations import Actor, OperationHeader
from orca_core.model.record_types import SUPPORT
from orca_core.operations.stores import Stores
from orca_core.rules.feedback.promotion import UNPROVEN

LIKES_TABLES = "用户喜欢用表格作答"


def header(action: str = "acts", at: datetime = AT) -> OperationHeader:
    return OperationHeader(Actor.ACTIONS, action, at)


async def shown(stores: Stores, content: str = LIKES_TABLES, held: str = UNPROVEN) -> int:
    """A candidate that acts have shown; returns its number."""
    origin = Origin(OriginKind.ACTION, "s")
    new = NewMemory(content, MemoryType.PREFERENCE, origin=origin, state=State.CANDIDATE, held_because=held)
    return (await stores.memories.add(new, header())).memory.id


def by_act(memory: int, act: int, day: int, number: int | None = None) -> Support:
    source = f"round s {act if number is None else number}"
    return Support(0, memory, SupportKind.ACT, source, AT + timedelta(days=day), act=act)


def by_round(memory: int, number: int, day: int) -> Support:
    at = AT + timedelta(days=day)
    return Support(0, memory, SupportKind.ROUND, f"round s {number}", at, session_id="s", round=number)


async def supported(stores: Stores, *supports: Support) -> None:
    await stores.memories.make_all(SUPPORT, supports, header())
