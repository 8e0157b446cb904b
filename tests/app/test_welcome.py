"""The first minute: the lines of the welcome are taken by keys, and memory is seen at work, with the demo alone."""

from __future__ import annotations

import pytest
from fakes.app_driver import NARROW, NORMAL, WIDE, seen, send, until
from fakes.scripted_model import ScriptedModel, says

from orca_core.config.config_file import LoadedSettings
from orca_core.demo.demo_agent import DemoAgent
from orca_core.demo.demo_model import DemoModel
from orca_core.model.events import Done
from orca_core.model.llm import Source
from orca_core.settings import Settings
from orca_tui.app.chat.welcome import Tour, first_lines
from orca_tui.app.story import story_app, story_settings
from orca_tui.language import speak
from orca_tui.marks import UNICODE_MARKS


async def at_once(_seconds: float) -> None:
    return None


def demo_app(make_app):
    return make_app(DemoModel(at_once), DemoAgent(), settings=Settings())


def lines_of(app) -> str:
    """What the welcome says, as it is drawn."""
    return app.main.transcript.welcome._drawn.plain


@pytest.mark.parametrize(
    ("language", "size"),
    [
        ("en", WIDE),
        pytest.param("zh", NARROW, marks=pytest.mark.long),
        pytest.param("en", NARROW, marks=pytest.mark.long),
        pytest.param("zh", WIDE, marks=pytest.mark.long),
        pytest.param("en", NORMAL, marks=pytest.mark.long),
    ],
)
def test_three_lines_show_a_fact_that_lives_is_used_and_one_that_is_held_back(make_app, drive, language, size) -> None:
    async def scenario(app, pilot) -> None:
        memories, turns = app.bridge.orca.memories, app.main.transcript
        await pilot.press("1", "enter")
        await until(pilot, lambda: len(turns.views) == 1 and not app.bridge.is_answering)
        [first] = await memories.views([1])
        assert (first.memory.weight, first.memory.held_because) == (1.0, None)
        await pilot.press("2", "enter")
        await until(pilot, lambda: len(turns.views) == 2 and not app.bridge.is_answering)
        assert (await memories.views([1]))[0].memory.weight == 1.5
        await until(pilot, lambda: "1.0→1.5" in lines_of(app))
        await pilot.press("3", "enter")
        await until(pilot, lambda: "f5" in lines_of(app))
        assert [span.source for span in turns.last.said.spans] == [Source.TYPED, Source.PASTED]
        [held] = await memories.candidates()
        assert ("emacs" in held.content, held.held_because) == (True, "not_typed")
        assert (await memories.counts())["active"] == 1
        await pilot.press("f5")
        await until(pilot, lambda: "emacs" in seen(app) and app.screen is not app.main)
        await pilot.press("a")
        await until(pilot, lambda: "emacs" not in seen(app))
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.main and "f5" not in lines_of(app))
        assert ((await memories.counts())["active"], await memories.candidates()) == (2, [])
        assert lines_of(app).count("✓") == 3

    speak(language)
    drive(demo_app(make_app), scenario, size)


def test_the_lines_are_taken_by_enter_and_go_when_something_else_is_written(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await pilot.press("down", "up", "up")
        assert "▸ 1" in lines_of(app)
        await pilot.press("down", "enter")
        await until(pilot, lambda: len(app.main.transcript.views) == 1 and not app.bridge.is_answering)
        assert "✓" not in lines_of(app)
        assert "not used this time" in lines_of(app)
        await pilot.press("i", "1")
        assert app.main.prompt.text == "i1"
        await pilot.press("enter")
        await until(pilot, lambda: len(app.main.transcript.views) == 2 and not app.bridge.is_answering)
        assert app.main.transcript.welcome is None
        await pilot.press("1")
        assert app.main.prompt.text == "1"

    drive(demo_app(make_app), scenario)


def test_with_a_model_the_lines_are_there_without_the_words_of_the_demo(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        assert "remember: I use neovim" in lines_of(app)
        assert "demo" not in lines_of(app)
        assert "no network" not in lines_of(app)
        await pilot.press("3", "enter")
        await until(pilot, lambda: "nothing learnt" in lines_of(app))
        await send(app, pilot, "something else")
        await pilot.press("ctrl+n")
        await until(pilot, lambda: app.main.transcript.welcome is not None)
        assert "remember" not in lines_of(app).partition("\n")[2]

    drive(make_app(ScriptedModel(says("ok"))), scenario)


def test_a_message_that_begins_with_a_digit_is_a_message(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await pilot.press("3", "space", "i", "d", "e", "a", "s")
        assert (app.main.prompt.text, app.main.transcript.views) == ("3 ideas", [])

    drive(demo_app(make_app), scenario)


def test_whoever_has_chats_already_is_shown_no_lines(make_app, drive) -> None:
    async def talks(app, pilot) -> None:
        await send(app, pilot, "hello there")

    async def returns(app, pilot) -> None:
        await pilot.press("ctrl+n")
        await until(pilot, lambda: app.main.transcript.welcome is not None)
        assert lines_of(app).count("\n") < 4
        await pilot.press("1", "enter")
        assert app.main.transcript.last.said.question == "1"

    drive(make_app(), talks)
    drive(make_app(), returns)


def test_a_line_is_ticked_by_what_came_of_it_alone() -> None:
    tour = Tour(first_lines(UNICODE_MARKS))
    tour.take(1, Done("s", 1), UNICODE_MARKS)
    assert (tour.came, tour.is_shown(1)) == ({1: ""}, False)
    assert tour.number_of(tour.lines[2].spans) == 2


@pytest.mark.parametrize("language", ["en", pytest.param("zh", marks=pytest.mark.long)])
def test_the_story_is_taken_line_by_line_and_goes_on_as_such_a_chat(drive, tmp_path, language) -> None:
    async def scenario(app, pilot) -> None:
        turns = app.main.transcript
        for number in (1, 2, 3, 4, 5):
            await pilot.press(str(number), "enter")
            await until(pilot, lambda n=number: len(turns.views) == n and not app.bridge.is_answering)
        await until(pilot, lambda: "f5" in lines_of(app))
        for words in ("3.0→3.5", "2.5→3.0"):
            assert words in lines_of(app)
        assert "neovim" in turns.views[3].said.answer
        assert [each.held_because for each in await app.bridge.orca.memories.candidates()] == ["not_typed"]

    speak(language)
    of_story = story_settings(LoadedSettings(Settings(), None, tmp_path), tmp_path)
    drive(story_app(of_story, UNICODE_MARKS, language, hurries=True), scenario)
