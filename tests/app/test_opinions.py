"""What a person thinks of answers, of what they were given, of chats and of calls; and what acts show."""

from __future__ import annotations

from pathlib import Path

import pytest
from fakes.app_driver import NARROW, SIZES, WIDE, rows_of, seen, send, settled, until
from fakes.records import AT
from fakes.scripted_model import ScriptedModel, says
from fakes.supported import LIKES_TABLES, by_act, by_round, header, shown, supported

from orca_core.model.feedback import Action, ActionType
from orca_core.model.memories import MemoryType, NewMemory, Origin, OriginKind
from orca_core.model.record_types import Ref, memory_ref
from orca_core.settings import ActionSettings, MemorySettings, ProviderSettings, Settings, UiSettings
from orca_core.store.sqlite.store import open_stores
from orca_tui.app.main import MainScreen
from orca_tui.app.records.inbox import InboxScreen
from orca_tui.app.work.steps import CallList, StepList
from orca_tui.marks import ASCII_MARKS

ANSWER = "Two ways:\n\n```sh\nfirst\n```\n\nor\n\n```sh\nsecond\n```"
PROVIDERS = {"fake": ProviderSettings(base_url="http://127.0.0.1:1", model="fake-1")}


async def command(app, pilot, line: str) -> None:
    app.main.prompt.focus()
    app.main.prompt.fill(line)
    await pilot.press("enter")
    await settled(app, pilot)


async def acts(app) -> list[tuple[str, int | None]]:
    page = await app.bridge.orca.feedback.actions.page()
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
        assert "▲ liked" in seen(app)

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
        assert (await app.bridge.orca.feedback.actions.page()).total == 0

    off = MemorySettings(actions=ActionSettings(enabled=False))
    drive(make_app(), in_private)
    drive(make_app(settings=Settings(provider="fake", providers=PROVIDERS, memory=off)), switched_off)


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
    page = await app.bridge.orca.feedback.actions.page(type_words=["EDIT_FILE"])
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


async def judged(app) -> list[Ref | None]:
    marks = await app.bridge.orca.feedback.actions.marks(app.main.turns.session_id)
    return [each.record for each in marks if each.type is ActionType.NOT_HELPFUL]


async def weights(app) -> list[float]:
    return [view.memory.weight for view in await app.bridge.orca.memories.views([1])]


async def asked(app, pilot, *texts: str) -> None:
    for text in texts:
        await app.bridge.orca.memories.add(text, pinned=True)
    await send(app, pilot, "which editor?")
    await pilot.press("f2")


def test_a_key_in_the_pane_says_it_again_and_undo_take_it_back(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await asked(app, pilot, "我用 neovim 写代码")
        before = await weights(app)
        await pilot.press("-")
        await until(pilot, lambda: "noted that #1 did not help" in seen(app))
        assert await judged(app) == [memory_ref(1)]
        assert "found something not helpful" in seen(app)
        assert await weights(app) == before
        await pilot.press("-")
        await until(pilot, lambda: "#1: no longer noted as not helpful" in seen(app))
        assert await judged(app) == []
        rows_of(app).focus()
        await pilot.press("u")
        await until(pilot, lambda: "took “not helpful” back" in seen(app))
        await settled(app, pilot)
        assert await judged(app) == [memory_ref(1)]

    drive(make_app(ScriptedModel(says("neovim[m1]。"))), scenario)


def test_the_list_that_opens_says_it_and_shows_it(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await asked(app, pilot, "我用 neovim 写代码", "我用 zsh")
        await pilot.press("enter")
        await until(pilot, lambda: "ctrl+n not helpful" in seen(app))
        await pilot.press("down", "ctrl+n")
        await until(pilot, lambda: "▼ not helpful" in seen(app))
        assert len(await judged(app)) == 1
        await pilot.press("escape", "-")
        await until(pilot, lambda: "What did not help?" in seen(app))
        assert "▼ not helpful" in seen(app)
        await pilot.press("down", "enter")
        await settled(app, pilot)
        assert await judged(app) == []

    drive(make_app(ScriptedModel(says("neovim[m1]。"))), scenario)


async def with_calls(app, pilot) -> None:
    """A task with a step that called a tool, one that a program says called it, too, and one that called none."""
    await command(app, pilot, "/task nginx answers 502")
    orca = app.bridge.orca
    [task] = (await orca.work.tasks.page()).records
    number = task.task.id
    add = orca.work.tasks.add_step
    await add(number, "look at the error log", tool="shell", args={"command": "tail"}, result="php-fpm gone")
    await orca.work.tasks.update_step(number, 1, status="completed")
    view = await add(number, "search for it", tool="web_search", result="nothing", status="failed")
    call = {"tool": "web_search", "call_id": "c7", "input": "nginx 502", "output": "3 [results]"}
    call |= {"step": view.steps[1].id, "at": "2026-01-02T10:00:00Z"}
    await orca.tools.record([call], view.task.session_id)
    await add(number, "think")
    await pilot.press("f6")
    app.main.changed()
    await until(pilot, lambda: app.main.query_one(StepList).count == 3)
    app.main.query_one(StepList).focus()
    app.main.query_one(StepList).move_to(0)
    await settled(app, pilot)


async def acts_stars(app) -> list[tuple[str, str, str]]:
    page = await app.bridge.orca.feedback.actions.page(type_words=["COLLECT_TOOL", "UNCOLLECT_TOOL"])
    return [(each.type.value, each.tool, each.call) for each in sorted(page.records, key=lambda each: each.id)]


@pytest.mark.long
@SIZES
def test_the_step_under_the_cursor_gets_a_star_and_loses_it_again(make_app, drive, size) -> None:
    async def scenario(app, pilot) -> None:
        await with_calls(app, pilot)
        await pilot.press("s")
        await until(pilot, lambda: "★ shell" in seen(app))
        await pilot.press("s")
        await until(pilot, lambda: "★ shell" not in seen(app))
        await pilot.press("j", "j", "s")
        await until(pilot, lambda: "this step called no tool" in seen(app))
        assert await acts_stars(app) == [("COLLECT_TOOL", "shell", "step 1"), ("UNCOLLECT_TOOL", "shell", "step 1")]

    drive(make_app(), scenario, size)


@pytest.mark.long
def test_the_detail_of_a_task_shows_each_call_and_gives_it_its_own_star(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await with_calls(app, pilot)
        await pilot.press("o")
        await until(pilot, lambda: "3 [results]" in seen(app) and "php-fpm gone" in seen(app))
        calls = app.screen.query_one(CallList)
        await pilot.press("s")
        await until(pilot, lambda: "* web_search" in seen(app))  # the latest, at which the cursor begins
        assert await acts_stars(app) == [("COLLECT_TOOL", "web_search", "c7")]
        await pilot.press("k", "s")
        await until(pilot, lambda: seen(app).count("* web_search") == 2)
        await pilot.press("s")
        await until(pilot, lambda: seen(app).count("* web_search") == 1)
        await pilot.press("k", "s")
        await until(pilot, lambda: "below it stand the calls" in seen(app))
        calls.move_to(1)
        await pilot.press("enter")
        await until(pilot, lambda: "php-fpm gone" in seen(app) and "think" not in seen(app))
        await pilot.press("escape", "escape")
        await until(pilot, lambda: len(app.screen_stack) == 1)

    drive(make_app(marks=ASCII_MARKS), scenario)


@pytest.mark.long
def test_the_command_stars_the_latest_call_or_that_of_the_step_that_is_looked_at(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await command(app, pilot, "/starcall")
        assert "no task is in progress" in seen(app)
        await with_calls(app, pilot)
        await command(app, pilot, "/starcall")
        await until(pilot, lambda: "shell: this call has a star" in seen(app))
        await pilot.press("f6")
        await command(app, pilot, "/starcall")
        await until(pilot, lambda: "web_search: this call has a star" in seen(app))
        assert [each[1] for each in await acts_stars(app)] == ["shell", "web_search"]

    drive(make_app(), scenario, NARROW)


BY_ACTS = {"confirmed_by": None}


async def with_shown(home: Path) -> None:
    """Candidates that acts have shown: one on two days, one that only a person may let live."""
    stores = await open_stores(home / "orca.db", scope="me", must_exist=True)
    blocked = await shown(stores, "用户的口令是 hunter2", held="secret")
    near = await shown(stores)
    liked = await stores.feedback.record(Action(0, "", ActionType.LIKE, "s", AT, round=1), header("like"))
    # The message that was sent is an act too: the number of the like is not that of its round.
    await supported(stores, by_act(near, liked.action.id, 0, number=1), by_round(near, 2, 1), by_round(blocked, 9, 0))
    await stores.upkeep.aclose()


@pytest.mark.long
def test_the_inbox_says_how_near_a_candidate_is_and_opens_what_speaks_for_it(make_app, drive, tmp_path: Path) -> None:
    async def scenario(app, pilot) -> None:
        await send(app, pilot, "hello")
        await with_shown(tmp_path / "home")
        await pilot.press("f5")
        await until(pilot, lambda: isinstance(app.screen, InboxScreen) and "hunter2" in seen(app))
        assert "only you can let it live" in seen(app)
        await pilot.press("j")
        await until(pilot, lambda: LIKES_TABLES in seen(app) and "2 of 3 days" in seen(app))
        assert "goes live when it was shown on 1 more day" in seen(app)
        assert "liked an answer" in seen(app)
        await pilot.press("o")
        await until(pilot, lambda: "What speaks for it" in seen(app))
        await pilot.press("escape")
        assert isinstance(app.screen, InboxScreen)

    drive(make_app(), scenario, WIDE)


@pytest.mark.long
def test_a_round_that_speaks_for_a_candidate_is_opened(make_app, drive, tmp_path: Path) -> None:
    async def scenario(app, pilot) -> None:
        await send(app, pilot, "in tables please")
        session_id = app.main.turns.session_id
        await app.bridge.orca.feedback.actions.record("LIKE", session_id, round=1)
        stores = await open_stores(tmp_path / "home" / "orca.db", scope="me", must_exist=True)
        [like] = await stores.feedback.standing(session_id, (ActionType.LIKE,))
        await supported(stores, by_act(await shown(stores), like.id, 0))
        await stores.upkeep.aclose()
        await send(app, pilot, "/new")
        await pilot.press("f5")
        await until(pilot, lambda: "1 of 3 days" in seen(app))
        await pilot.press("o")
        await until(pilot, lambda: app.main.turns.session_id == session_id)
        await until(pilot, lambda: app.focused in app.main.transcript.views)
        assert app.focused in app.main.transcript.views

    drive(make_app(), scenario)


@pytest.mark.long
def test_a_memory_says_what_it_lives_on(make_app, drive, tmp_path: Path) -> None:
    async def scenario(app, pilot) -> None:
        stores = await open_stores(tmp_path / "home" / "orca.db", scope="me", must_exist=True)
        lives = NewMemory(LIKES_TABLES, MemoryType.PREFERENCE, origin=Origin(OriginKind.ACTION, "s"))
        number = (await stores.memories.add(lives, header())).memory.id
        await supported(stores, *(by_round(number, day + 1, day) for day in range(3)))
        await stores.memories.change_all([number], header(), lambda found: {each.id: BY_ACTS for each in found})
        await stores.upkeep.aclose()
        await app.bridge.orca.memories.add("by hand")
        app.main.changed(anew=True)
        await until(pilot, lambda: rows_of(app).count == 2)
        found = []
        for _ in range(2):
            rows_of(app).focus()
            await pilot.press("enter")
            await until(pilot, lambda: len(app.screen_stack) == 2)
            found += [words for words in ("accepted by you", "shown by what you did on 3 days") if words in seen(app)]
            await pilot.press("escape", "j")
        assert sorted(found) == ["accepted by you", "shown by what you did on 3 days"]

    drive(make_app(), scenario)
