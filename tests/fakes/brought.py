"""Candidates that came out of other programs, for the inbox."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from datetime import UTC, datetime
from typing import Any

from orca_core.model.import_export import ForeignFormat, ForeignMemory, ImportTerms
from orca_core.model.memories import InboxItem
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
    await app.bridge.orca.files.import_foreign(entries, ImportTerms())


class HeldPages:
    """What waits, in pages of this size: the first so many come at once, the others when they are let go."""

    def __init__(self, app: OrcaApp, size: int, *, at_once: int = 1) -> None:
        self.go_on = asyncio.Event()
        self.failure: Exception | None = None
        """Comes in place of the pages that are held."""
        self._size, self._at_once = size, at_once
        candidates: Any = app.bridge.orca.inbox
        vars(candidates).pop("pages", None)  # those that were held before
        self._pages, candidates.pages = candidates.pages, self.pages

    async def pages(self, _size: int) -> AsyncGenerator[list[InboxItem]]:
        read = [page async for page in self._pages(self._size)]
        for number, page in enumerate(read):
            if number == self._at_once:
                await self.go_on.wait()
                if self.failure is not None:
                    raise self.failure
            yield page
