"""The prompt offers commands, tab goes by panes, the panes explain themselves."""

from __future__ import annotations

import asyncio

import pytest
from fakes.app_driver import NARROW, NORMAL, WIDE, rows_of, seen, send, settled, until
from fakes.scripted_model import ScriptedModel, says
from fakes.turns import turn

from orca_core.model.errors import EmbeddingError
from orca_core.model.events import LevelChanged
from orca_core.model.recall import Level
from orca_core.rules.memory import undo_rules
from orca_tui.app.bridge import TurnEvent


def test_commands_are_offered_while_they_are_typed(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await pilot.press("slash", "r", "e")
        await until(pilot, lambda: "remember TEXT" in seen(app))
        assert "> /rename" in seen(app).replace("▸", ">")
        await pilot.press("down", "tab")
        assert app.main.prompt.text == "/remember "
        await pilot.press(*"tea", "enter")
        await until(pilot, lambda: rows_of(app).count == 1)
        assert not app.main.query_one("#slash").display

    drive(make_app(), scenario)


@pytest.mark.long
def test_enter_carries_out_what_is_offered_and_begins_what_wants_a_text(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await pilot.press(*"/pri", "enter")
        await until(pilot, lambda: app.main.turns.is_private)
        await pilot.press(*"/forg", "enter")
        assert app.main.prompt.text == "/forget "
        await pilot.press("enter")
        await until(pilot, lambda: "what? /forget TEXT" in seen(app))

    drive(make_app(), scenario)


@pytest.mark.long
def test_escape_closes_the_offer_and_nothing_else(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await pilot.press(*"/re", "escape")
        assert app.main.prompt.text == "/re"
        assert not app.main.query_one("#slash").display

    drive(make_app(), scenario)


@pytest.mark.parametrize(
    ("size", "stops"),
    [
        (WIDE, ["prompt", "transcript", "turn-body", "memory-list", "activity-list", "prompt"]),
        (NARROW, ["prompt", "transcript", "prompt"]),
    ],
    ids=["wide", "narrow"],
)
def test_tab_goes_by_panes_and_not_by_messages(make_app, drive, size, stops) -> None:
    async def scenario(app, pilot) -> None:
        await send(app, pilot, "one")
        await send(app, pilot, "two")
        for stop in stops[1:]:
            await pilot.press("tab")
            assert app.focused.id == stop
        app.main.transcript.last.focus()
        await pilot.press("shift+tab")
        assert app.focused.id == "prompt"

    drive(make_app(), scenario, size)


@pytest.mark.long
def test_a_long_first_line_is_climbed_before_what_was_sent_before(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await send(app, pilot, "earlier")
        app.main.prompt.fill("word " * 60)
        await pilot.press("up")
        assert app.main.prompt.text.startswith("word")
        assert app.main.prompt.cursor_location[0] == 0

    drive(make_app(), scenario, NARROW)


def test_this_turn_opens_what_was_put_in_and_shows_the_block_as_sent(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await app.bridge.engine.memories.add("docker 里的 postgres 固定在 16")
        await send(app, pilot, "hi")
        await send(app, pilot, "docker 里的 postgres 连不上")
        await pilot.press("f2", "enter")
        await until(pilot, lambda: "confidence" in seen(app))
        assert "postgres 固定在 16" in seen(app)
        await pilot.press("escape", "w")
        await until(pilot, lambda: "as sent" in seen(app))
        assert "docker 里的 postgres 固定在 16" in seen(app)

    drive(make_app(ScriptedModel(says("看端口"))), scenario)


def test_what_became_of_a_memory_is_never_cut_off(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await app.bridge.engine.memories.add("postgres 固定在 16，" + "端口映射写在 compose 文件里，" * 9)
        await send(app, pilot, "hi")
        await send(app, pilot, "docker 里的 postgres 连不上")
        assert "used  1.0→1.5" in seen(app)

    drive(make_app(ScriptedModel(says("固定在 16[m1]"))), scenario, NORMAL)


def test_the_memory_under_the_cursor_says_what_is_coming(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await app.bridge.engine.memories.add("我用 neovim", tags=["技术"])
        rows_of(app).ask_again()
        await until(pilot, lambda: rows_of(app).count == 1)
        await pilot.press("f3")
        await until(pilot, lambda: "archives after 3 more unused injections" in seen(app))
        assert "技术" in seen(app)

    drive(make_app(), scenario, NARROW)


@pytest.mark.long
def test_a_tag_filters(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await app.bridge.engine.memories.add("我用 neovim", tags=["技术"])
        await app.bridge.engine.memories.add("我喝茶", tags=["偏好"])
        rows_of(app).focus()
        await pilot.press("slash")
        app.main.query_one("#memory-filter").value = "#技术"
        await until(pilot, lambda: rows_of(app).count == 1)
        assert "neovim" in seen(app)

    drive(make_app(), scenario)


@pytest.mark.long
@pytest.mark.usefixtures("short_pages")
def test_a_range_reaches_over_rows_that_were_never_seen(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        for number in range(95):
            await app.bridge.engine.memories.add(f"note{number}")
        rows_of(app).ask_again()
        await until(pilot, lambda: rows_of(app).count == 95)
        rows_of(app).focus()
        await pilot.press("g", "v", "G", "v")
        await until(pilot, lambda: len(rows_of(app).marked) == 95)
        assert len({memory.id for memory in rows_of(app).marked}) == 95

    drive(make_app(), scenario)


@pytest.mark.long
def test_why_of_a_memory_names_the_rounds_that_got_it(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await app.bridge.engine.memories.add("postgres 固定在 16")
        await turn(app.bridge.engine, "hi", session_id="talk")
        await turn(app.bridge.engine, "docker 里的 postgres 连不上", session_id="talk")
        rows_of(app).ask_again()
        await until(pilot, lambda: rows_of(app).count == 1)
        rows_of(app).focus()
        await pilot.press("w")
        await until(pilot, lambda: "where it was put in" in seen(app))
        assert "used  1.0→1.5  technical: docker, postgres" in seen(app)
        assert "round 2" in seen(app)

    drive(make_app(ScriptedModel(says("固定在 16[m1]"))), scenario)


@pytest.mark.long
def test_an_operation_is_opened_from_the_activity(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        [memory] = [(await app.bridge.engine.memories.add("我喝茶")).memory]
        await app.bridge.engine.memories.edit(memory.id, weight=3.0)
        app.main.changed()
        await settled(app, pilot)
        await pilot.press("f4")
        assert "edited #1 weight 1.0→3.0" in seen(app)
        await pilot.press("enter")
        await until(pilot, lambda: "takes it back" in seen(app))

    drive(make_app(), scenario)


@pytest.mark.long
def test_a_level_that_falls_leaves_a_line_with_its_cause(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        failure = EmbeddingError(provider="siliconflow", detail="connection refused")
        app.main.post_message(TurnEvent(LevelChanged(Level.TEXT_ONLY, undo_rules.of_error(failure))))
        app.main.changed()
        await settled(app, pilot)
        assert "memory is found by its words only: " in seen(app)
        await pilot.press("f4", "enter")
        await until(pilot, lambda: "connection refused — orca doctor says more" in seen(app))

    drive(make_app(), scenario)


@pytest.mark.long
def test_looking_back_while_it_answers_says_that_more_is_below(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        app.main.prompt.fill("tell me")
        await pilot.press("enter")
        await until(pilot, lambda: app.main.transcript.max_scroll_y > 10)
        app.main.transcript.scroll_to(y=0, animate=False)
        await until(pilot, lambda: "more below" in seen(app))
        app.main.transcript.focus()
        await pilot.press("end")
        await until(pilot, lambda: "more below" not in seen(app))
        assert app.main.transcript.is_at_end
        go_on.set()

    go_on = asyncio.Event()
    script = says("\n\n".join(f"paragraph {n}" for n in range(40)))
    drive(make_app(ScriptedModel([*script[:-1], go_on.wait, script[-1]])), scenario, NARROW)


def test_the_key_of_escape_says_what_it_does(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        last = seen(app).splitlines()[-1]
        assert "esc" not in last
        app.main.prompt.fill("tell me")
        await pilot.press("enter")
        await until(pilot, lambda: "esc stop" in seen(app).splitlines()[-1])
        go_on.set()
        await until(pilot, lambda: not app.bridge.is_answering)
        await pilot.press("f3")
        assert "esc back" in seen(app).splitlines()[-1]

    go_on = asyncio.Event()
    drive(make_app(ScriptedModel([go_on.wait, *says("done")])), scenario)
