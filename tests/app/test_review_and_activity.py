"""The inbox, the activity and what is learnt, by keys."""

from __future__ import annotations

import asyncio

import pytest
from fakes.app_driver import rows_of, seen, send, until
from fakes.clocks import StillClock
from fakes.facts import fact, finds
from fakes.scripted_model import ScriptedModel, says

from orca_core.model.errors import ModelUnavailable
from orca_core.model.memories import State
from orca_core.settings import MemoryAgentSettings, ProviderSettings, Settings
from orca_tui.app.records.activity import ActivityPane
from orca_tui.app.records.candidates import word_diff
from orca_tui.app.records.inbox import InboxScreen

PHONE = fact("用户的电话是 13912345678", "我的电话是 13912345678")


async def with_candidate(app, pilot, near: str = "") -> None:
    if near:
        await app.bridge.engine.memories.add(near)
    await send(app, pilot, "我的电话是 13912345678")
    await app.bridge.engine.worker.finish()
    await until(pilot, lambda: "1 to review" in seen(app))
    await pilot.press("f5")
    await until(
        pilot, lambda: isinstance(app.screen, InboxScreen) and "looks like an account or telephone number" in seen(app)
    )


@pytest.mark.parametrize(
    ("key", "state", "words"),
    [("a", State.LIVE, None), ("x", State.REJECTED, "account_number"), ("n", State.REJECTED, "never")],
)
def test_a_candidate_is_judged_by_one_key_and_undone_by_another(make_app, drive, key, state, words) -> None:
    async def scenario(app, pilot) -> None:
        await with_candidate(app, pilot)
        await pilot.press(key)
        await until(pilot, lambda: "Nothing waits for you." in seen(app))
        [memory] = await app.bridge.engine.memories.get([1])
        assert (memory.state, memory.held_because) == (state, words)
        await pilot.press("u")
        await until(pilot, lambda: "looks like an account or telephone number" in seen(app))

    drive(make_app(agent=ScriptedModel(finds(PHONE))), scenario)


def test_a_candidate_is_edited_and_accepted(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await with_candidate(app, pilot)
        await pilot.press("e")
        await pilot.pause()
        await pilot.press(*"!", "ctrl+s")
        await until(pilot, lambda: "Nothing waits for you." in seen(app))
        [memory] = await app.bridge.engine.memories.get([1])
        assert (memory.state, memory.content) == (State.LIVE, f"{PHONE['content']}!")
        await pilot.press("u")
        await until(pilot, lambda: "looks like an account or telephone number" in seen(app))
        assert "took back" in seen(app)
        [memory] = await app.bridge.engine.memories.get([1])
        assert (memory.state, memory.content) == (State.CANDIDATE, PHONE["content"])

    drive(make_app(agent=ScriptedModel(finds(PHONE))), scenario)


@pytest.mark.long
@pytest.mark.parametrize(
    ("key", "candidate", "near"), [("m", State.ARCHIVED, State.LIVE), ("r", State.LIVE, State.ARCHIVED)]
)
def test_merge_and_replace_go_by_the_nearest(make_app, drive, key, candidate, near) -> None:
    async def scenario(app, pilot) -> None:
        await with_candidate(app, pilot, near="用户的电话是 13812345678")
        assert "13812345678" in seen(app)
        await pilot.press(key)
        await until(pilot, lambda: "Nothing waits for you." in seen(app))
        known, new = await app.bridge.engine.memories.get([1, 2])
        assert (new.state, known.state) == (candidate, near)

    drive(make_app(agent=ScriptedModel(finds(PHONE))), scenario)


def test_a_difference_is_told_by_signs_not_by_colour_alone() -> None:
    assert word_diff("端口 5432", "端口 5433").plain == "端口 [-5432-]{+5433+}"


def test_every_change_leaves_a_line_that_can_be_taken_back(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await app.bridge.engine.memories.add("用户用 neovim")
        rows_of(app).ask_again()
        await until(pilot, lambda: "added #1" in seen(app))
        await pilot.press("f4", "u")
        await until(pilot, lambda: rows_of(app).count == 0)
        assert "taken back" in seen(app)
        await pilot.press("U")
        await until(pilot, lambda: rows_of(app).count == 1)

    drive(make_app(), scenario)


def test_a_run_is_opened_with_its_raw_exchange(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await send(app, pilot, "我用 neovim 写代码")
        await app.bridge.engine.worker.finish()
        await until(pilot, lambda: "1 new" in seen(app))
        await pilot.press("f4", "j", "enter")  # above it stands the reading for episodes
        await until(pilot, lambda: "run 1" in seen(app))
        await pilot.pause()
        assert "takes it back" in seen(app)

    drive(make_app(agent=ScriptedModel(finds(fact("用户用 neovim 写代码", "我用 neovim 写代码")))), scenario)


@pytest.mark.long
def test_a_run_that_nobody_verified_says_so(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await send(app, pilot, "我用 neovim 写代码")
        await app.bridge.engine.worker.finish()
        await until(pilot, lambda: "1 to review" in seen(app))
        assert "not verified" in seen(app)

    down = ModelUnavailable(provider="p", detail="down")
    drive(make_app(agent=ScriptedModel(finds(fact("用户用 neovim 写代码")), verifier=[[down]])), scenario)


@pytest.mark.long
def test_a_failed_run_is_tried_again_at_once(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await send(app, pilot, "我用 neovim 写代码")
        await app.bridge.engine.worker.finish()
        await until(pilot, lambda: "failed" in seen(app))
        await pilot.press("f4", "r")
        await until(pilot, lambda: rows_of(app).count == 1)

    down = ModelUnavailable(provider="p", detail="down")
    agent = ScriptedModel([down], finds(fact("用户用 neovim 写代码", "我用 neovim 写代码")))
    drive(make_app(agent=agent), scenario)


def test_why_shows_the_block_as_it_was_sent(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await app.bridge.engine.memories.add("用户用 neovim")
        await send(app, pilot, "你还记得我用什么编辑器吗？")
        app.main.transcript.last.focus()
        await pilot.press("w")
        await until(pilot, lambda: "as sent" in seen(app))
        assert "orca-memory" in seen(app)
        assert "meaning" in seen(app)

    drive(make_app(ScriptedModel(says("你用 neovim [m1]"))), scenario)


def test_asking_to_forget_proposes_and_archives_on_yes(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await app.bridge.engine.memories.add("用户用 neovim 写代码")
        await send(app, pilot, "忘掉我用 neovim 写代码")
        await until(pilot, lambda: "Archive these?" in seen(app))
        await pilot.press("y")
        await until(pilot, lambda: rows_of(app).count == 0)

    drive(make_app(), scenario)


@pytest.mark.long
def test_a_run_under_way_stands_above_the_list_with_its_clock(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        app.main.query_one(ActivityPane).activity._clock = clock.monotonic
        await send(app, pilot, "我用 neovim 写代码")
        app.bridge.ask(app.bridge.engine.worker.learn_now, lambda _none: None, group="learn")
        await until(pilot, lambda: "round 1  reading … 0 s" in seen(app))
        clock.advance(61)
        await until(pilot, lambda: "reading … 61 s" in seen(app))
        assert app.focused.id == "prompt"
        go_on.set()
        await until(pilot, lambda: "2 runs found nothing" in seen(app))
        assert "reading" not in seen(app)

    go_on, clock = asyncio.Event(), StillClock()
    drive(make_app(ScriptedModel(says("好")), ScriptedModel([go_on.wait, *says('{"facts": []}')])), scenario)


@pytest.mark.long
def test_the_header_says_that_the_tokens_of_the_day_are_used(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        assert "learning rests" not in seen(app)
        await send(app, pilot, "我用 neovim 写代码")
        await app.bridge.engine.worker.finish()
        await until(pilot, lambda: "learning rests until tomorrow" in seen(app))

    settings = Settings(
        provider="fake",
        providers={"fake": ProviderSettings(base_url="http://127.0.0.1:1", model="fake-1")},
        memory_agent=MemoryAgentSettings(daily_tokens=1),
    )
    drive(make_app(agent=ScriptedModel(finds()), settings=settings), scenario)


@pytest.mark.long
def test_the_inbox_shows_how_a_candidate_stands_by_now(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await with_candidate(app, pilot)
        await pilot.press("escape")
        await app.bridge.engine.memories.add("用户有一部电话")
        await app.bridge.engine.memories.edit(2, content="用户的电话是：13912345678")
        await pilot.press("f5")
        await until(pilot, lambda: "already remembered as #2" in seen(app))
        assert "says the same: #2" in seen(app)
        await pilot.press("a")
        await until(pilot, lambda: "Nothing waits for you." in seen(app))
        known, given_way = await app.bridge.engine.memories.get([2, 1])
        assert (known.state, known.seen, given_way.superseded_by) == (State.LIVE, 2, 2)

    drive(make_app(agent=ScriptedModel(finds(PHONE))), scenario)
