"""Driving the app: wait for something, say something, read the screen."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from fakes import patience
from textual.pilot import Pilot

from orca_tui.app.app import OrcaApp
from orca_tui.app.records.memory_pane import MemoryList

WIDE, NORMAL, NARROW = (160, 45), (120, 36), (80, 24)

SIZES = pytest.mark.parametrize(
    "size",
    [WIDE, pytest.param(NORMAL, marks=pytest.mark.long), pytest.param(NARROW, marks=pytest.mark.long)],
    ids=["wide", "normal", "narrow"],
)
"""The short gate looks at the widest screen, the long one at all three."""


async def until(pilot: Pilot[int], is_so: Callable[[], object]) -> None:
    """Wait for something to become true, and for what follows of it."""
    await patience.until(is_so)
    await pilot.pause()


async def send(app: OrcaApp, pilot: Pilot[int], text: str) -> None:
    """Type a message, send it, and wait for its answer."""
    app.main.prompt.focus()
    app.main.prompt.fill(text)
    await pilot.press("enter")
    await pilot.pause()
    await until(pilot, lambda: not app.bridge.is_answering)
    await settled(app, pilot)


async def settled(app: OrcaApp, pilot: Pilot[int]) -> None:
    """Wait until nothing that was asked of Orca is under way."""
    asked = [worker for worker in app.workers if not worker.is_finished and worker.group != "events"]
    if asked:  # of none, Textual would wait for all
        await app.workers.wait_for_complete(asked)
    await pilot.pause()


def rows_of(app: OrcaApp) -> MemoryList:
    """The list of the memories."""
    return app.main.query_one(MemoryList)


def seen(app: OrcaApp) -> str:
    """What the screen shows, line by line."""
    lines = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip) for strip in lines)
