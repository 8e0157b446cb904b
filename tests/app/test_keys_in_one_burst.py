"""Keys that come at once: each finds the focus where those before it put it."""

from __future__ import annotations

import pytest
from fakes.app_driver import NARROW, rows_of, settled, until
from textual import events
from textual.widgets import Input

pytestmark = pytest.mark.long


async def with_memories(app, pilot, *texts: str) -> None:
    for text in texts:
        await app.bridge.engine.memories.add(text)
    rows_of(app).ask_again()
    await until(pilot, lambda: rows_of(app).count == len(texts))
    await pilot.press("f3")
    await settled(app, pilot)


async def at_once(app, pilot, *keys: str) -> None:
    """No key waits until the one before it has done what it does."""
    names = {"/": "slash", " ": "space"}
    for key in keys:
        app.post_message(events.Key(names.get(key, key), key if len(key) == 1 else None))
    await settled(app, pilot)


async def states(app, *ids: int) -> list[str]:
    return [memory.state.value for memory in await app.bridge.engine.memories.get(ids)]


@pytest.mark.parametrize("typed", ["a", "ad", "alpha"])
def test_a_letter_right_behind_the_key_of_the_filter_belongs_to_the_filter(make_app, drive, typed) -> None:
    async def scenario(app, pilot) -> None:
        await with_memories(app, pilot, "alpha", "beta")
        await at_once(app, pilot, "/", *typed)
        assert app.main.query_one("#memory-filter", Input).value == typed
        assert await states(app, 1, 2) == ["live", "live"]

    drive(make_app(), scenario, NARROW)


def test_a_key_of_the_list_right_before_that_of_the_filter_belongs_to_the_list(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await with_memories(app, pilot, "alpha", "beta")
        await at_once(app, pilot, "j", " ", "/", "x")
        assert app.main.query_one("#memory-filter", Input).value == "x"
        assert [memory.id for memory in rows_of(app).marked] == [2]

    drive(make_app(), scenario, NARROW)
