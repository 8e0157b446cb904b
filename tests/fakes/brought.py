"""Candidates that came out of other programs, for the inbox."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from orca_core.domain.exchange import ImportTerms
from orca_core.domain.foreign import ForeignFormat, ForeignMemory
from orca_tui.app.app import OrcaApp

MAY = datetime(2024, 5, 1, 10, tzinfo=UTC)
Told = Sequence[tuple[str, str, ForeignFormat, tuple[str, ...]]]
TOLD: Told = (
    ("用户喜欢喝乌龙茶", "旅行计划", ForeignFormat.CHATGPT, ("茶",)),
    ("The user runs postgres on port 5433", "Servers", ForeignFormat.CLAUDE, ()),
    ("The user prefers short answers", "Servers", ForeignFormat.CLAUDE, ()),
    ("用户每天喝两杯咖啡", "旅行计划", ForeignFormat.CHATGPT, ()),
    ("The user plays the guitar", "", ForeignFormat.MEM0, ("music",)),
)


async def bring(app: OrcaApp, told: Told = TOLD) -> None:
    entries = [
        ForeignMemory(program, text, f"[{number}]", MAY, f"key-{number}", chat, tags)
        for number, (text, chat, program, tags) in enumerate(told)
    ]
    await app.bridge.engine.exchange.bring_foreign(entries, ImportTerms())
