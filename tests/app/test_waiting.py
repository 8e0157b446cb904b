"""While nothing of an answer has come, its place says whom it waits for, and how long."""

from __future__ import annotations

import asyncio

import pytest
from fakes.app_driver import seen, until
from fakes.clocks import StillClock
from fakes.scripted_model import ScriptedModel, says

from orca_core.model.errors import ModelUnavailable
from orca_core.model.llm import ReasoningDelta, TextDelta, Waiting
from orca_core.settings import Settings


async def ask(app, pilot) -> None:
    app.main.prompt.fill("which port?")
    await pilot.press("enter")


async def after(app, pilot, clock: StillClock, seconds: float) -> str:
    """What the screen shows so many seconds later, the interval of the screen's own clock having passed."""
    clock.advance(seconds)
    app.main.turns.tick()
    await pilot.pause()
    return seen(app)


@pytest.mark.long
@pytest.mark.parametrize(
    ("first", "shown"),
    [
        (TextDelta("it is 5433"), "it is 5433"),
        (ReasoningDelta("let me think"), "thinking · 12 characters"),
        (ModelUnavailable(template="{provider}: the server fell silent", provider="p"), "p: the server fell silent"),
    ],
    ids=["answer", "thoughts", "failure"],
)
def test_the_wait_is_counted_until_something_comes(make_app, drive, first, shown) -> None:
    async def scenario(app, pilot) -> None:
        await ask(app, pilot)
        await until(pilot, lambda: "waiting for fake-1" in seen(app))
        assert "waiting for fake-1 ·" not in seen(app)
        assert "waiting for fake-1 · 3 s" in await after(app, pilot, clock, 3.2)
        assert "waiting for fake-1 · 65 s" in await after(app, pilot, clock, 62)
        go_on.set()
        await until(pilot, lambda: shown in seen(app))
        assert "waiting for" not in await after(app, pilot, clock, 1)
        stays.set()
        await until(pilot, lambda: not app.bridge.is_answering)
        assert "waiting for" not in await after(app, pilot, clock, 1)

    clock, go_on, stays = StillClock(), asyncio.Event(), asyncio.Event()
    drive(make_app(ScriptedModel([go_on.wait, first, stays.wait, *says("!")]), clock=clock), scenario)


@pytest.mark.long
def test_what_the_server_says_of_its_queue_stands_beside_it(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await ask(app, pilot)
        await until(pilot, lambda: "waiting for the demo · loading the model" in seen(app))
        assert "waiting for the demo · 5 s · loading the model" in await after(app, pilot, clock, 5)
        await pilot.press("escape")
        await until(pilot, lambda: "— stopped" in seen(app))
        assert "waiting for" not in await after(app, pilot, clock, 5)

    clock, never = StillClock(), asyncio.Event()
    model = ScriptedModel([Waiting("loading the model"), never.wait])
    drive(make_app(model, settings=Settings(), clock=clock), scenario)


@pytest.mark.long
def test_before_the_model_is_asked_memory_is_what_is_waited_for(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        async def slow(request):
            await go_on.wait()
            return await recall(request)

        flow = app.bridge.engine.recall
        recall, flow.recall = flow.recall, slow
        await ask(app, pilot)
        await until(pilot, lambda: app.bridge.is_answering)
        assert "waiting for" not in seen(app)
        assert "waiting for what memory finds · 2 s" in await after(app, pilot, clock, 2)
        go_on.set()
        await until(pilot, lambda: not app.bridge.is_answering)
        assert "waiting for" not in seen(app)

    clock, go_on = StillClock(), asyncio.Event()
    drive(make_app(clock=clock), scenario)


def test_the_screens_own_clock_counts_it(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await ask(app, pilot)
        await until(pilot, lambda: "waiting for fake-1" in seen(app))
        clock.advance(7)
        await until(pilot, lambda: "waiting for fake-1 · 7 s" in seen(app))
        go_on.set()

    clock, go_on = StillClock(), asyncio.Event()
    drive(make_app(ScriptedModel([go_on.wait, *says("ok")]), clock=clock), scenario)
