"""The memories pane by keys: every one that the help names."""

from __future__ import annotations

import pytest
from fakes.app_driver import NARROW, rows_of, seen, send, settled, until
from fakes.scripted_model import ScriptedModel, says
from textual.widgets import Input

from orca_core.model.memories import State
from orca_core.model.views import ListQuery

TEXTS = ("用户用 neovim", "postgres 固定在 16，端口 5433", "用户住在杭州", "likes dark roast coffee")


async def filled(app, pilot) -> None:
    for text in TEXTS:
        await app.bridge.engine.memories.add(text)
    rows_of(app).ask_again()
    await until(pilot, lambda: rows_of(app).count == len(TEXTS))
    rows_of(app).focus()
    await pilot.pause()


async def states(app) -> dict[int, State]:
    page = await app.bridge.engine.memories.page(ListQuery("all"))
    return {memory.id: memory.state for memory in page.memories}


@pytest.mark.long
def test_the_cursor_goes_by_vim_keys_and_arrows(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await filled(app, pilot)
        rows = rows_of(app)
        for keys, place in ((("j",), 1), (("down",), 2), (("k",), 1), (("G",), 3), (("g",), 0), (("up",), 0)):
            await pilot.press(*keys)
            assert rows.cursor == place

    drive(make_app(), scenario)


def test_pin_archive_restore_and_undo_hit_the_cursor(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await filled(app, pilot)
        await pilot.press("p")
        await until(pilot, lambda: rows_of(app).current.pinned)
        await pilot.press("p")
        await until(pilot, lambda: not rows_of(app).current.pinned)
        await pilot.press("a")
        await until(pilot, lambda: rows_of(app).current.state is State.ARCHIVED)
        assert "archived" in seen(app)
        await pilot.press("a")
        await until(pilot, lambda: rows_of(app).current.state is State.LIVE)
        await pilot.press("u")
        await until(pilot, lambda: rows_of(app).count == 3)
        await pilot.press("U")
        await until(pilot, lambda: rows_of(app).count == 4)

    drive(make_app(), scenario)


def test_an_archived_memory_stays_while_it_is_looked_at_and_leaves_the_list_with_the_focus(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await filled(app, pilot)
        await pilot.press("a")
        await until(pilot, lambda: rows_of(app).current.state is State.ARCHIVED)
        await settled(app, pilot)
        assert rows_of(app).count == len(TEXTS)
        await pilot.press("escape")
        await until(pilot, lambda: rows_of(app).count == len(TEXTS) - 1)
        assert app.main.prompt.has_focus

    drive(make_app(), scenario)


@pytest.mark.long
def test_what_another_process_remembers_is_shown_and_nothing_slides_under_the_cursor(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await filled(app, pilot)
        other = await app.bridge.doors.open_engine(app.bridge.loaded)
        try:
            await other.memories.add("用户喜欢鲸鱼")
            await until(pilot, lambda: "用户喜欢鲸鱼" in seen(app).partition("Activity")[2])
            assert rows_of(app).count == len(TEXTS)
            await pilot.press("escape")
            await until(pilot, lambda: rows_of(app).count == len(TEXTS) + 1)
            await other.memories.add("用户喜欢虎鲸")
            await until(pilot, lambda: rows_of(app).count == len(TEXTS) + 2)
        finally:
            await other.aclose()

    drive(make_app(), scenario)


def test_actions_hit_the_marks_where_there_are_any(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await filled(app, pilot)
        await pilot.press("space", "j", "space")
        assert [memory.id for memory in rows_of(app).marked] == [1, 3]
        await pilot.press("a")
        await until(pilot, lambda: not rows_of(app).marked)
        assert await states(app) == {1: State.ARCHIVED, 2: State.LIVE, 3: State.ARCHIVED, 4: State.LIVE}
        await pilot.press("u")
        await until(pilot, lambda: rows_of(app).count == 4)
        await pilot.press("g", "v", "G", "v")
        assert len(rows_of(app).marked) == 4

    drive(make_app(), scenario)


def test_delete_asks_with_the_cursor_on_cancel(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await filled(app, pilot)
        await pilot.press("d")
        await pilot.pause()
        assert "Delete 1 for good?  #1" in seen(app)
        assert app.focused.id == "no"
        await pilot.press("enter")
        await pilot.pause()
        assert len(await states(app)) == 4
        await pilot.press("d", "y")
        await until(pilot, lambda: rows_of(app).count == 3)
        assert 1 not in await states(app)

    drive(make_app(), scenario)


def test_new_and_edit_open_a_form(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await filled(app, pilot)
        await pilot.press("n")
        await pilot.pause()
        await pilot.press(*"uses fish", "ctrl+s")
        await until(pilot, lambda: rows_of(app).count == 5)
        await pilot.press("e")
        await pilot.pause()
        await pilot.press(*" now", "ctrl+s")
        await until(pilot, lambda: rows_of(app).current.content.endswith(" now"))
        await pilot.press("e")
        await pilot.pause()
        await pilot.press(*"zzz", "escape")
        await pilot.pause()
        assert not rows_of(app).current.content.endswith("zzz")

    drive(make_app(), scenario)


@pytest.mark.long
def test_a_form_that_breaks_a_rule_says_so(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await filled(app, pilot)
        await pilot.press("n")
        await pilot.pause()
        await pilot.press("x", "ctrl+s")
        await until(pilot, lambda: "2 to 2000 characters" in seen(app))

    drive(make_app(), scenario)


@pytest.mark.long
def test_merge_keeps_the_first_marked(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await filled(app, pilot)
        await pilot.press("m")
        await pilot.pause()
        assert "mark two memories" in seen(app)
        await pilot.press("space", "space", "m")
        await until(pilot, lambda: len(app.screen_stack) == 2)
        await pilot.press("enter")
        await until(pilot, lambda: not rows_of(app).marked)
        [merged] = await app.bridge.engine.memories.get([2])
        assert (merged.state, merged.superseded_by) == (State.ARCHIVED, 1)

    drive(make_app(), scenario)


def test_detail_and_history_are_read_and_left(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await filled(app, pilot)
        for key, words in (
            ("enter", "archives after 3 more unused injections"),
            ("h", "history"),
            ("w", "not put before the model"),
        ):
            await pilot.press(key)
            await until(pilot, lambda: len(app.screen_stack) == 2)
            await pilot.pause()
            assert words in seen(app)
            await pilot.press("escape")
            await until(pilot, lambda: len(app.screen_stack) == 1)

    drive(make_app(), scenario)


def test_filter_sort_status_and_type(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await filled(app, pilot)
        rows = rows_of(app)
        await pilot.press("slash", "z", "q")
        await until(pilot, lambda: rows.count == 0)
        app.main.query_one("#memory-filter", Input).value = "pstgrs 16"
        await until(pilot, lambda: rows.count == 1)
        await pilot.press("escape")
        await until(pilot, lambda: rows.count == 4)
        await pilot.press("s", "s")
        await until(pilot, lambda: rows.current is not None)
        assert rows.sort == "new"
        await pilot.press("t", "t")
        await until(pilot, lambda: rows.count == 1)
        await pilot.press("t", "t", "t", "t", "f", "f")
        await until(pilot, lambda: rows.status == "archived" and rows.count == 0)
        await pilot.pause()
        assert "nothing matches" in seen(app)

    drive(make_app(), scenario)


@pytest.mark.long
@pytest.mark.usefixtures("short_pages")
def test_pages_come_from_the_store_as_they_are_looked_at(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        store = app.bridge.engine.memories
        for number in range(95):
            await store.add(f"note{number}")  # alike, each would be compared with many
        rows_of(app).ask_again()
        await until(pilot, lambda: rows_of(app).count == 95)
        rows_of(app).focus()
        await pilot.press("G")
        await until(pilot, lambda: rows_of(app).current is not None and "note94" in seen(app))

    drive(make_app(), scenario)


def test_weights_that_moved_show_both_figures_until_the_next_turn(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await filled(app, pilot)
        app.main.prompt.focus()
        await send(app, pilot, "hello")
        await send(app, pilot, "你还记得我用什么编辑器吗？")
        await until(pilot, lambda: "1.0→1.5" in seen(app))
        await send(app, pilot, "thanks a lot for it")
        await until(pilot, lambda: rows_of(app).count == 4)
        assert "1.0→1.5" not in str([rows_of(app).row(n, 58) for n in range(4)])

    model = ScriptedModel(says("hi"), says("你用 neovim [m1]"), says("welcome"))
    drive(make_app(model), scenario)


def test_on_a_narrow_screen_a_pane_has_it_all_and_the_same_key_leads_back(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await filled(app, pilot)
        assert not app.main.query_one("#side").display or app.main.query_one("#side").size.width == 0
        await pilot.press("f3")
        await pilot.pause()
        assert app.main.query_one("#main").size.width == 0
        assert "用户住在杭州" in seen(app)
        await pilot.press("f3")
        await pilot.pause()
        assert app.main.prompt.has_focus
        await pilot.press("f4")
        await pilot.press("escape")
        await pilot.pause()
        assert app.main.prompt.has_focus

    drive(make_app(), scenario, NARROW)


@pytest.mark.long
def test_undo_behind_a_deletion_takes_back_nothing_else_unasked(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await filled(app, pilot)
        count = rows_of(app).count
        await pilot.press("d")
        await until(pilot, lambda: len(app.screen_stack) == 2)
        await pilot.press("y")
        await until(pilot, lambda: rows_of(app).count == count - 1)
        await pilot.press("u")
        await until(pilot, lambda: "a deletion can't be taken back" in seen(app))
        assert rows_of(app).count == count - 1
        await pilot.press("u")
        await until(pilot, lambda: rows_of(app).count == count - 2)

    drive(make_app(), scenario)
