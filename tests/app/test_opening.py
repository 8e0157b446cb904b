"""Starting on a home where something was said before: what is shown is what goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import msgspec.structs
import pytest
from fakes.app_driver import WIDE, seen, send, settled, until
from fakes.clocks import StillClock
from fakes.scripted_model import ScriptedModel, says
from fakes.turns import turn
from msgspec.structs import replace

from orca_core.model.errors import StoreBusy
from orca_core.settings import ProviderSettings, Settings, UiSettings
from orca_tui.app.chat.chats import Opening
from orca_tui.times import day_words

FAKE = {"fake": ProviderSettings(base_url="http://127.0.0.1:1", model="fake-1")}
NEW = Settings(provider="fake", providers=FAKE, ui=UiSettings(start="new"))
NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


def in_pane(app) -> str:
    """What the pane of this turn says."""
    return str(app.main.query_one("#turn-text").visual)


@pytest.fixture
def said_before(make_app, drive) -> Callable[..., None]:
    """Make a chat of these messages in the home, as an earlier sitting."""

    def say(*texts: str, at: datetime = NOON) -> None:
        async def scenario(app, pilot) -> None:
            for text in texts:
                await send(app, pilot, text)

        drive(make_app(ScriptedModel(says("noted")), settings=NEW, clock=StillClock(at)), scenario)

    return say


def questions(app) -> list[str]:
    """What the transcript shows."""
    return [view.said.question for view in app.main.transcript.views]


async def chats(app) -> list[tuple[str, int]]:
    """(name, rounds) of every chat, the latest first."""
    return [(each.title, each.rounds) for each in await app.bridge.engine.sessions.list()]


def test_a_start_shows_the_latest_chat_and_goes_on_in_it(make_app, drive, said_before) -> None:
    said_before("an older matter")
    said_before("which animal is mine?", "the giraffe", at=NOON + timedelta(hours=1))

    async def scenario(app, pilot) -> None:
        assert questions(app) == ["which animal is mine?", "the giraffe"]
        text = seen(app)
        assert "orca which animal is mine?" in text
        assert "continued from yesterday" in text
        await send(app, pilot, "and now?")
        assert questions(app)[-1] == "and now?"
        assert model.last_prompt()[:2] == ["which animal is mine?", "noted"]
        assert await chats(app) == [("which animal is mine?", 3), ("an older matter", 1)]

    model = ScriptedModel(says("ok"))
    drive(make_app(model, clock=StillClock(NOON + timedelta(days=1))), scenario)


@pytest.mark.long
def test_a_chat_that_goes_on_shows_what_memory_did_in_its_latest_turn(make_app, drive) -> None:
    async def first(app, pilot) -> None:
        await app.bridge.engine.memories.add("用户用 neovim 写代码")
        await send(app, pilot, "which editor do I use, neovim?")
        assert "in this turn" not in seen(app)
        await until(pilot, lambda: "用户用 neovim 写代码" in in_pane(app))

    async def again(app, pilot) -> None:
        await until(pilot, lambda: "用户用 neovim 写代码" in in_pane(app))
        assert "Send something" not in in_pane(app)
        await pilot.press("ctrl+n")
        await until(pilot, lambda: "Send something" in in_pane(app))

    drive(make_app(), first)
    drive(make_app(), again)


@pytest.mark.parametrize("start", ["latest", "new"])
def test_the_first_frame_says_nothing_that_is_not_known_yet(make_app, drive, said_before, start) -> None:
    """Neither that the chat is new, nor that nothing is remembered: both would be untrue a moment later."""

    async def remember(app, pilot) -> None:
        await app.bridge.engine.memories.add("用户用 neovim 写代码")

    drive(make_app(settings=NEW), remember)
    said_before("my secret giraffe")
    app = make_app(settings=replace(NEW, ui=UiSettings(start=start)))
    open_engine = app.bridge.open
    app.bridge.open = lambda: None

    async def whole() -> None:
        async with app.run_test(size=WIDE) as pilot:
            await until(pilot, lambda: app.main.is_mounted and app.main.prompt.has_focus)
            for untrue in ("new chat", "Nothing remembered", "Nothing done", "Memories 0"):
                assert untrue not in seen(app)
            app.main.prompt.fill("sent at once")
            await pilot.press("enter")
            assert "queued for the chat that opens: 1" in seen(app)
            open_engine()
            await until(pilot, lambda: app.has_started and questions(app) and not app.main.turns.is_answering)
            await until(pilot, lambda: "neovim" in seen(app))
            if start == "latest":
                assert questions(app) == ["my secret giraffe", "sent at once"]
            else:
                assert questions(app) == ["sent at once"]
            await app.bridge.close(patience_s=0.0)

    asyncio.run(whole())
    assert app.crash is None
    assert app.bridge.mistakes == []


def test_a_start_on_a_new_chat_sends_nothing_of_an_old_one(make_app, drive, said_before) -> None:
    said_before("my secret giraffe")

    async def scenario(app, pilot) -> None:
        assert questions(app) == []
        assert "orca new chat" in seen(app)
        await send(app, pilot, "hello there")
        assert model.last_prompt() == ["hello there"]
        assert await chats(app) == [("hello there", 1), ("my secret giraffe", 1)]

    model = ScriptedModel(says("ok"))
    drive(make_app(model, settings=NEW), scenario)


@pytest.mark.parametrize("start", ["latest", "new"])
def test_a_first_start_welcomes(make_app, drive, start) -> None:
    async def scenario(app, pilot) -> None:
        assert "Orca remembers you" in seen(app)
        assert "new chat" in seen(app)
        await send(app, pilot, "hello there")
        assert await chats(app) == [("hello there", 1)]

    drive(make_app(settings=replace(NEW, ui=UiSettings(start=start))), scenario)


@pytest.mark.long
@pytest.mark.parametrize("how", ["ctrl+n", "/new"])
def test_a_new_chat_is_new(make_app, drive, said_before, how) -> None:
    said_before("my secret giraffe")

    async def scenario(app, pilot) -> None:
        if how == "/new":
            await send(app, pilot, "/new")
        else:
            await pilot.press(how)
            await pilot.pause()
        assert questions(app) == []
        await send(app, pilot, "hello there")
        assert model.last_prompt() == ["hello there"]
        assert app.main.transcript.last.said.number == 1
        assert await chats(app) == [("hello there", 1), ("my secret giraffe", 1)]

    model = ScriptedModel(says("ok"))
    drive(make_app(model), scenario)


@pytest.mark.long
def test_after_the_chat_that_is_shown_is_deleted_a_new_one_begins(make_app, drive, said_before) -> None:
    said_before("the other one")
    said_before("my secret giraffe", at=NOON + timedelta(hours=1))

    async def scenario(app, pilot) -> None:
        await pilot.press("ctrl+s")
        await until(pilot, lambda: len(app.screen_stack) == 2)
        await pilot.press("ctrl+d")
        await until(pilot, lambda: "for good" in seen(app))
        await pilot.press("y")
        await until(pilot, lambda: app.main.turns.session_id is None and len(app.screen_stack) == 2)
        await pilot.press("escape")
        await settled(app, pilot)
        assert questions(app) == []
        await send(app, pilot, "hello there")
        assert model.last_prompt() == ["hello there"]
        assert await chats(app) == [("hello there", 1), ("the other one", 1)]

    model = ScriptedModel(says("ok"))
    drive(make_app(model), scenario)


@pytest.mark.long
def test_the_chat_that_is_shown_goes_on_though_another_orca_begins_one(make_app, drive, said_before) -> None:
    said_before("about docker")

    async def scenario(app, pilot) -> None:
        other = await app.bridge.doors.open_engine(app.bridge.loaded)
        await turn(other, "about cooking", new_session=True)
        await other.aclose()
        await send(app, pilot, "docker again")
        assert questions(app) == ["about docker", "docker again"]
        assert model.last_prompt()[0] == "about docker"
        assert await chats(app) == [("about docker", 2), ("about cooking", 1)]

    model = ScriptedModel(says("ok"))
    drive(make_app(model), scenario)


@pytest.mark.long
def test_what_another_orca_says_in_the_chat_is_shown_with_the_next_answer(make_app, drive, said_before) -> None:
    said_before("about docker")

    async def scenario(app, pilot) -> None:
        other = await app.bridge.doors.open_engine(app.bridge.loaded)
        for text in ("said elsewhere", "and again"):
            await turn(other, text, session_id=app.main.turns.session_id)
        await other.aclose()
        await send(app, pilot, "docker again")
        await until(pilot, lambda: len(questions(app)) == 4)
        assert questions(app) == ["about docker", "said elsewhere", "and again", "docker again"]
        assert [view.said.number for view in app.main.transcript.views] == [1, 2, 3, 4]
        assert model.last_prompt()[2] == "said elsewhere"
        await send(app, pilot, "and more")
        assert [view.said.number for view in app.main.transcript.views] == [1, 2, 3, 4, 5]

    model = ScriptedModel(says("ok"))
    drive(make_app(model), scenario)


def test_a_chat_that_another_process_deleted_is_not_made_anew(make_app, drive, said_before) -> None:
    said_before("about docker")

    async def scenario(app, pilot) -> None:
        await app.bridge.engine.sessions.delete(app.main.turns.session_id)
        await send(app, pilot, "docker again")
        assert "it may have been deleted; begin a new one" in seen(app)
        assert "this chat was deleted" in seen(app)
        assert await chats(app) == []
        assert app.main.prompt.text == "docker again"  # it is kept nowhere else
        await pilot.press("ctrl+n", "enter")
        await until(pilot, lambda: app.main.turns.session_id is not None and not app.bridge.is_answering)
        assert await chats(app) == [("docker again", 1)]
        assert app.main.prompt.text == ""

    drive(make_app(), scenario)


def test_a_question_that_is_refused_takes_the_place_of_nothing(make_app, drive, said_before) -> None:
    said_before("about docker")

    async def scenario(app, pilot) -> None:
        await app.bridge.engine.sessions.delete(app.main.turns.session_id)
        app.main.prompt.fill("docker again")
        await pilot.press("enter")
        app.main.prompt.fill("already the next")
        await until(pilot, lambda: "it may have been deleted" in seen(app))
        assert app.main.prompt.text == "already the next"
        app.main.prompt.fill("")
        await pilot.press("up")
        assert app.main.prompt.text == "docker again"

    drive(make_app(), scenario)


def test_what_is_sent_while_the_start_looks_waits_for_the_chat(make_app, drive, said_before) -> None:
    said_before("which animal is mine?")

    async def scenario(app, pilot) -> None:
        app.main.turns.state = msgspec.structs.replace(app.main.turns.state, is_opening=True)  # the start still looks
        app.main.prompt.fill("the giraffe")
        await pilot.press("enter")
        await pilot.pause()
        assert app.main.turns.queued == 1
        Opening(app.main, app.bridge, app.main.talk).begin()
        await until(pilot, lambda: len(questions(app)) == 2 and not app.main.turns.is_answering)
        assert await chats(app) == [("which animal is mine?", 2)]

    drive(make_app(), scenario)


@pytest.mark.long
def test_a_start_that_can_not_read_its_chats_says_so_and_goes_on(make_app, drive, said_before) -> None:
    said_before("about docker")

    async def scenario(app, pilot) -> None:
        async def held() -> None:
            raise StoreBusy(path="orca.db")

        app.main.turns.begin_new()
        app.main.turns.state = msgspec.structs.replace(app.main.turns.state, is_opening=True)
        app.bridge.engine.sessions.latest = held
        Opening(app.main, app.bridge, app.main.talk).begin()
        await until(pilot, lambda: "another process holds the database" in seen(app))
        assert app.has_started
        assert "Orca remembers you" in seen(app)

    drive(make_app(), scenario)


@pytest.mark.parametrize(
    ("days", "words"),
    [
        (0, "earlier today"),
        (1, "yesterday"),
        (2, "2 days ago"),
        (7, "7 days ago"),
        (8, "2026-11-12"),
        (-1, "earlier today"),
    ],
)
def test_days_are_said_as_one_says_them(days, words) -> None:
    assert day_words(NOON - timedelta(days=days), NOON) == words
