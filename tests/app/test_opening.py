"""What a start shows, what is typed ahead of it, and what it says that waits."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

import msgspec.structs
import pytest
from fakes.app_driver import NORMAL, WIDE, seen, send, settled, until
from fakes.clocks import StillClock
from fakes.facts import fact, finds
from fakes.scripted_model import ScriptedModel, says
from msgspec.structs import replace
from textual import events
from textual.message import Message

from orca_core.model.errors import StoreBusy
from orca_core.settings import ProviderSettings, Settings, UiSettings
from orca_tui.app.chat.chats import Opening

FAKE = {"fake": ProviderSettings(base_url="http://127.0.0.1:1", model="fake-1")}
NEW = Settings(provider="fake", providers=FAKE, ui=UiSettings(start="new"))
NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


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
    return [(each.title, each.rounds) for each in await app.bridge.orca.sessions.list()]


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


@pytest.mark.parametrize("start", ["latest", "new"])
def test_the_first_frame_says_nothing_that_is_not_known_yet(make_app, drive, said_before, start) -> None:
    """Neither that the chat is new, nor that nothing is remembered: both would be untrue a moment later."""

    async def remember(app, pilot) -> None:
        await app.bridge.orca.memories.add("用户用 neovim 写代码")

    drive(make_app(settings=NEW), remember)
    said_before("my secret giraffe")
    app = make_app(settings=replace(NEW, ui=UiSettings(start=start)))
    open_orca = app.bridge.open
    app.bridge.open = lambda: None

    async def whole() -> None:
        async with app.run_test(size=WIDE) as pilot:
            await until(pilot, lambda: app.main.is_mounted and app.main.prompt.has_focus)
            for untrue in ("new chat", "Nothing remembered", "Nothing done", "Memories 0"):
                assert untrue not in seen(app)
            app.main.prompt.fill("sent at once")
            await pilot.press("enter")
            assert "queued for the chat that opens: 1" in seen(app)
            open_orca()
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
        app.bridge.orca.sessions.latest = held
        Opening(app.main, app.bridge, app.main.talk).begin()
        await until(pilot, lambda: "another process holds the database" in seen(app))
        assert app.has_started
        assert "I remember what you tell me" in seen(app)

    drive(make_app(), scenario)


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
def test_a_command_that_was_sent_too_early_waits_for_the_orca(make_app, start) -> None:
    async def scenario(app, pilot) -> None:
        await until(pilot, lambda: "1 kept" in seen(app))
        assert "added #1 the staging database" in seen(app)

    start(make_app(), keys("/remember the staging database is frozen\n"), scenario)


PHONE = fact("用户的电话是 13912345678", "我的电话是 13912345678")


@pytest.fixture
def held_before(make_app, drive) -> Callable[[], None]:
    """Leave a candidate in the home, as an earlier sitting."""

    def leave() -> None:
        async def scenario(app, pilot) -> None:
            await send(app, pilot, "我的电话是 13912345678")
            await app.bridge.orca.worker.finish()
            await until(pilot, lambda: "1 to review" in seen(app))

        model, agent = ScriptedModel(says("好")), ScriptedModel(finds(PHONE))
        drive(make_app(model, agent=agent, clock=StillClock(NOON)), scenario)

    return leave


@pytest.mark.long
def test_a_start_says_once_what_waits(make_app, drive, held_before) -> None:
    held_before()

    async def scenario(app, pilot) -> None:
        await until(pilot, lambda: "1 to review, for 12 days · f5 shows them" in seen(app))
        await send(app, pilot, "今天天气不错")
        assert "f5 shows them" not in seen(app)
        await pilot.press("ctrl+n")
        await settled(app, pilot)
        assert "f5 shows them" not in seen(app)

    drive(make_app(ScriptedModel(says("好")), clock=StillClock(NOON + timedelta(days=12))), scenario)


@pytest.mark.long
def test_a_list_without_memories_says_what_waits(make_app, drive, held_before) -> None:
    async def empty(app, pilot) -> None:
        await until(pilot, lambda: "Nothing remembered yet. Facts come" in seen(app))

    async def scenario(app, pilot) -> None:
        await until(pilot, lambda: "Nothing remembered yet, but 1 waits for you: f5" in seen(app))
        await pilot.press("f5", "x", "escape")
        await until(pilot, lambda: "Nothing remembered yet. Facts come" in seen(app))
        assert "Nothing remembered yet. Facts come" in seen(app)

    drive(make_app(clock=StillClock(NOON)), empty)
    held_before()
    drive(make_app(clock=StillClock(NOON)), scenario)
