"""Acts on what was said: keys and commands record them, marks show them, also later; nothing of it in private."""

from __future__ import annotations

import pytest
from fakes.app_driver import SIZES, seen, send, settled, until
from fakes.scripted_model import ScriptedModel, says

from orca_core.settings import ActionSettings, MemorySettings, ProviderSettings, Settings, UiSettings
from orca_tui.app.main import MainScreen
from orca_tui.marks import ASCII_MARKS

ANSWER = "Two ways:\n\n```sh\nfirst\n```\n\nor\n\n```sh\nsecond\n```"
PROVIDERS = {"fake": ProviderSettings(base_url="http://127.0.0.1:1", model="fake-1")}


async def command(app, pilot, line: str) -> None:
    app.main.prompt.focus()
    app.main.prompt.fill(line)
    await pilot.press("enter")
    await settled(app, pilot)


async def acts(app) -> list[tuple[str, int | None]]:
    page = await app.bridge.engine.feedback.actions.page()
    sent = ("START_CHAT", "FOLLOWUP_CHAT")
    made = sorted(page.records, key=lambda each: each.id)
    return [(each.type.value, each.round) for each in made if each.type not in sent]


async def press(app, pilot, key: str) -> None:
    app.main.transcript.last.focus()
    await pilot.press(key)
    await settled(app, pilot)


@SIZES
def test_an_answer_is_liked_turned_and_taken_back(make_app, drive, size) -> None:
    async def scenario(app, pilot) -> None:
        await send(app, pilot, "which port?")
        await press(app, pilot, "+")
        await until(pilot, lambda: "▲ liked" in seen(app))
        await press(app, pilot, "-")
        await until(pilot, lambda: "▼ disliked" in seen(app) and "▲ liked" not in seen(app))
        await press(app, pilot, "-")
        await until(pilot, lambda: "▼ disliked" not in seen(app))
        assert await acts(app) == [("LIKE", 1), ("DISLIKE", 1), ("CANCEL_DISLIKE", 1)]

    drive(make_app(), scenario, size)


@pytest.mark.long
def test_the_round_with_the_focus_is_meant_and_commands_do_the_same(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await send(app, pilot, "one")
        await send(app, pilot, "two")
        app.main.transcript.views[0].focus()
        await pilot.press("+")
        await settled(app, pilot)
        await command(app, pilot, "/dislike")
        await until(pilot, lambda: "▲ liked" in seen(app) and "▼ disliked" in seen(app))
        assert await acts(app) == [("LIKE", 1), ("DISLIKE", 2)]

    drive(make_app(), scenario)


@pytest.mark.long
def test_marks_are_there_when_the_chat_is_opened_again_and_leave_with_another_attempt(make_app, drive) -> None:
    async def first(app, pilot) -> None:
        await send(app, pilot, "which port?")
        await command(app, pilot, "/like")

    async def second(app, pilot) -> None:
        await until(pilot, lambda: "+ liked" in seen(app))
        await press(app, pilot, "r")
        await until(pilot, lambda: not app.bridge.is_answering)
        await settled(app, pilot)
        assert "+ liked" not in seen(app)
        assert await acts(app) == [("LIKE", 1)]

    latest = Settings(provider="fake", providers=PROVIDERS, ui=UiSettings(start="latest"))
    drive(make_app(settings=latest), first)
    drive(make_app(settings=latest, marks=ASCII_MARKS), second)


def test_undo_takes_a_like_back_and_redo_brings_it(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await send(app, pilot, "which port?")
        await command(app, pilot, "/like")
        await until(pilot, lambda: "▲ liked" in seen(app))
        await command(app, pilot, "/undo")
        await until(pilot, lambda: "▲ liked" not in seen(app))
        await command(app, pilot, "/redo")
        await until(pilot, lambda: "▲ liked" in seen(app))

    drive(make_app(), scenario)


@pytest.mark.long
def test_nothing_is_recorded_in_private_or_where_acts_are_off(make_app, drive) -> None:
    async def in_private(app, pilot) -> None:
        await command(app, pilot, "/private")
        await send(app, pilot, "which port?")
        for line in ("/like", "/star"):
            await command(app, pilot, line)
            await until(pilot, lambda: "/private ends it" in seen(app) or "no name yet" in seen(app))
        assert await acts(app) == []

    async def switched_off(app, pilot) -> None:
        await send(app, pilot, "which port?")
        await command(app, pilot, "/dislike")
        await until(pilot, lambda: "memory.actions.enabled" in seen(app))
        await command(app, pilot, "/star")
        assert (await app.bridge.engine.feedback.actions.page()).total == 0

    off = MemorySettings(actions=ActionSettings(enabled=False))
    drive(make_app(), in_private)
    drive(make_app(settings=Settings(provider="fake", providers=PROVIDERS, memory=off)), switched_off)


@pytest.mark.long
def test_marks_are_taken_back_where_acts_are_off(make_app, drive) -> None:
    async def switched_on(app, pilot) -> None:
        await send(app, pilot, "which port?")
        await command(app, pilot, "/like")
        await command(app, pilot, "/star")
        await until(pilot, lambda: "this chat has a star" in seen(app))

    async def switched_off(app, pilot) -> None:
        await until(pilot, lambda: "▲ liked" in seen(app))
        await command(app, pilot, "/star")
        await until(pilot, lambda: "no star any more" in seen(app))
        await press(app, pilot, "+")
        await until(pilot, lambda: "▲ liked" not in seen(app))
        for line in ("/like", "/star"):
            await command(app, pilot, line)
            await until(pilot, lambda: "memory.actions.enabled" in seen(app))
        made = [word for word, _ in await acts(app)]
        assert made == ["LIKE", "COLLECT_SESSION", "UNCOLLECT_SESSION", "CANCEL_LIKE"]

    off, latest = MemorySettings(actions=ActionSettings(enabled=False)), UiSettings(start="latest")
    drive(make_app(), switched_on)
    drive(make_app(settings=Settings(provider="fake", providers=PROVIDERS, memory=off, ui=latest)), switched_off)


@pytest.mark.long
def test_a_chat_has_a_star_in_the_list_of_chats(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await send(app, pilot, "which port?")
        await command(app, pilot, "/star")
        await until(pilot, lambda: "this chat has a star" in seen(app))
        await pilot.press("ctrl+s")
        await until(pilot, lambda: "★ which port?" in seen(app))
        await pilot.press("ctrl+t")
        await until(pilot, lambda: "★ which port?" not in seen(app) and len(app.screen_stack) == 2)
        assert await acts(app) == [("COLLECT_SESSION", None), ("UNCOLLECT_SESSION", None)]

    drive(make_app(), scenario)


def edits(monkeypatch, change) -> list[str]:
    """The editor changes what it is given so; what it was given."""
    given: list[str] = []

    def edit(_screen: MainScreen, text: str) -> str:
        given.append(text)
        return change(text)

    monkeypatch.setattr(MainScreen, "edit", edit)
    return given


async def edited(app) -> list[dict[str, str]]:
    page = await app.bridge.engine.feedback.actions.page(type_words=["EDIT_FILE"])
    return [dict(each.data) for each in page.records]


@pytest.mark.long
def test_an_edited_code_block_is_copied_and_noted_and_the_answer_stays(make_app, drive, monkeypatch) -> None:
    async def scenario(app, pilot) -> None:
        await send(app, pilot, "how?")
        await press(app, pilot, "o")
        await until(pilot, lambda: "code 2: second" in seen(app))
        await pilot.press("down", "down", "enter")
        await until(pilot, lambda: "noted what you changed" in seen(app))
        assert given == ["second"]
        assert app.clipboard == "second -v"
        assert await edited(app) == [{"previous": "second", "current": "second -v"}]
        assert app.main.transcript.last.said.answer == ANSWER

    given = edits(monkeypatch, lambda text: f"{text} -v\n")
    drive(make_app(ScriptedModel(says(ANSWER))), scenario)


@pytest.mark.long
def test_an_answer_that_was_only_looked_at_teaches_nothing(make_app, drive, monkeypatch) -> None:
    async def scenario(app, pilot) -> None:
        await send(app, pilot, "how?")
        await press(app, pilot, "o")
        assert given == ["plain"]
        assert await edited(app) == []

    given = edits(monkeypatch, lambda text: f"{text}\n")
    drive(make_app(ScriptedModel(says("plain"))), scenario)


@pytest.mark.long
def test_what_was_edited_in_private_is_copied_alone(make_app, drive, monkeypatch) -> None:
    async def scenario(app, pilot) -> None:
        await command(app, pilot, "/private")
        await send(app, pilot, "how?")
        await press(app, pilot, "o")
        assert app.clipboard == "PLAIN"
        assert await edited(app) == []

    edits(monkeypatch, str.upper)
    drive(make_app(ScriptedModel(says("plain"))), scenario)
