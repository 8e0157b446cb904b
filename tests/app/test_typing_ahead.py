"""What is typed while the app starts: all of it reaches the prompt, in order, whenever it comes."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from fakes.app_driver import NORMAL, seen, until
from fakes.scripted_model import ScriptedModel, says
from textual import events
from textual.message import Message

from orca_core.model.errors import StoreBusy
from orca_tui.app.bridge import Bridge
from orca_tui.app.widgets.dialogs import TextView


def keys(text: str) -> list[Message]:
    return [events.Key("enter", "\r") if each == "\n" else events.Key(each, each) for each in text]


def click(x: int, y: int) -> Message:
    return events.MouseDown(None, x, y, 0, 0, 1, False, False, False, x, y)


@pytest.fixture
def start(drive):
    """Run a scenario in an app whose terminal sent these before anything of it stood."""

    def run(app, early: Sequence[Message], scenario) -> None:
        build_driver = app._build_driver

        def built(*args: object, **named: object) -> object:
            for each in early:
                app.post_message(each)
            return build_driver(*args, **named)

        app._build_driver = built
        drive(app, scenario, NORMAL)

    return run


@pytest.mark.parametrize(
    ("early", "prompt"),
    [
        (keys("hjkluUnvrxde g"), "hjkluUnvrxde g"),
        ([*keys("see "), events.Paste("this\nand that"), *keys("!")], "see this\nand that!"),
        ([*keys("a"), events.AppBlur(), *keys("b"), events.AppFocus(), *keys("c")], "abc"),
        ([*keys("a"), click(10, 33), *keys("b")], "ab"),
    ],
    ids=[
        "letters that are keys of panes",
        "a paste between letters",
        "looking away and back",
        "a click into the prompt",
    ],
)
def test_what_is_typed_before_anything_stands_reaches_the_prompt(make_app, start, early, prompt) -> None:
    async def scenario(app, pilot) -> None:
        assert app.main.prompt.text == prompt
        assert app.focused is app.main.prompt

    start(make_app(), early, scenario)


@pytest.mark.long
def test_what_is_typed_while_the_terminal_is_not_looked_at_reaches_the_prompt(make_app, start) -> None:
    async def scenario(app, pilot) -> None:
        await pilot.press("h", "i")
        assert app.main.prompt.text == "hi"

    start(make_app(), [events.AppBlur()], scenario)


def test_a_question_that_was_sent_too_early_is_answered(make_app, start) -> None:
    async def scenario(app, pilot) -> None:
        await until(pilot, lambda: "port 8080" in seen(app))
        assert [view.said.question for view in app.main.transcript.views] == ["which port?"]
        assert app.main.prompt.text == "and"

    start(make_app(ScriptedModel(says("port 8080"))), keys("which port?\nand"), scenario)


@pytest.mark.long
def test_a_command_that_was_sent_too_early_waits_for_the_engine(make_app, start) -> None:
    async def scenario(app, pilot) -> None:
        await until(pilot, lambda: "1 kept" in seen(app))
        assert "added #1 the staging database" in seen(app)

    start(make_app(), keys("/remember the staging database is frozen\n"), scenario)


@pytest.mark.long
def test_a_command_is_carried_out_where_the_engine_can_not_be_opened(make_app, monkeypatch) -> None:
    async def busy(_bridge: Bridge, *_others: object) -> None:
        raise StoreBusy(path="orca.db")

    monkeypatch.setattr(Bridge, "reopen", busy)
    app = make_app()

    async def whole() -> None:
        async with app.run_test(size=NORMAL) as pilot:
            for key in "/help\n":
                app.post_message(keys(key)[0])
            await until(pilot, lambda: isinstance(app.screen, TextView))

    asyncio.run(whole())
    assert app.crash is None


@pytest.mark.long
def test_what_waits_for_the_start_is_told_once(make_app, drive) -> None:
    told: list[bool] = []
    app = make_app()
    app.bridge.when_started = lambda: told.append(app.bridge.is_ready)

    async def scenario(app, pilot) -> None:
        await until(pilot, lambda: app.has_started)
        await app.bridge.reopen(app.bridge.loaded)
        assert told == [True]

    drive(app, scenario, NORMAL)
