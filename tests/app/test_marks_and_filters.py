"""What is marked and what is filtered is said, and is what an action hits; escape clears it before it leads away."""

from __future__ import annotations

import pytest
from fakes.app_driver import SIZES, rows_of, seen, settled, until
from textual.widgets import Input

from orca_core.model.memories import State
from orca_core.model.views import ListQuery

TEXTS = ("用户用 neovim", "postgres 固定在 16，端口 5433", "用户住在杭州", "likes dark roast coffee", "用户喝茶")


async def filled(app, pilot, texts=TEXTS) -> None:
    for text in texts:
        await app.bridge.engine.memories.add(text)
    rows_of(app).ask_again()
    await until(pilot, lambda: rows_of(app).count == len(texts))
    await pilot.press("f3")
    await settled(app, pilot)


def marked(app) -> list[int]:
    return [memory.id for memory in rows_of(app).marked]


def footer(app) -> str:
    return seen(app).splitlines()[-1]


async def states(app) -> dict[int, State]:
    page = await app.bridge.engine.memories.page(ListQuery("all"))
    return {memory.id: memory.state for memory in page.memories}


@pytest.mark.long
@SIZES
def test_title_and_footer_say_how_many_are_marked(make_app, drive, size) -> None:
    async def scenario(app, pilot) -> None:
        await filled(app, pilot)
        assert "marked" not in seen(app)
        await pilot.press("space", "space", "j", "space")
        assert "Memories 5 · 3 marked" in seen(app)
        assert footer(app).startswith(" 3 marked")
        await pilot.press("k", "space")
        assert marked(app) == [1, 2]
        assert footer(app).startswith(" 2 marked")
        await pilot.press("f3")
        await pilot.pause()
        assert "marked" not in footer(app)

    drive(make_app(), scenario, size)


@SIZES
def test_a_range_grows_and_shrinks_with_the_cursor(make_app, drive, size) -> None:
    async def scenario(app, pilot) -> None:
        await filled(app, pilot)
        for keys, expected in (
            (("j", "v"), [2]), (("j",), [2, 3]), (("j",), [2, 3, 4]), (("k",), [2, 3]), (("g",), [1, 2]),
        ):  # fmt: skip
            await pilot.press(*keys)
            assert marked(app) == expected
            assert footer(app).startswith(f" {len(expected)} marked")
        await pilot.press("escape")
        assert marked(app) == []
        assert rows_of(app).has_focus

    drive(make_app(), scenario, size)


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        (("g", "j", "v", "j", "j", "a"), {1: State.LIVE, 2: State.ARCHIVED, 3: State.ARCHIVED, 4: State.ARCHIVED}),
        (("G", "v", "k", "a"), {1: State.LIVE, 3: State.LIVE, 4: State.ARCHIVED, 5: State.ARCHIVED}),
        (("g", "space", "G", "v", "k", "a"), {1: State.ARCHIVED, 3: State.LIVE, 4: State.ARCHIVED, 5: State.ARCHIVED}),
        (("g", "v", "j", "v", "j", "a"), {1: State.ARCHIVED, 2: State.ARCHIVED, 3: State.LIVE}),
    ],
    ids=["downwards", "upwards", "beside a mark", "kept as marks"],
)
def test_an_action_hits_the_whole_range(make_app, drive, keys, expected) -> None:
    async def scenario(app, pilot) -> None:
        await filled(app, pilot)
        await pilot.press(*keys)
        await until(pilot, lambda: not rows_of(app).marked)
        now = await states(app)
        assert {key: now[key] for key in expected} == expected

    drive(make_app(), scenario)


@pytest.mark.long
@pytest.mark.usefixtures("short_pages")
def test_an_action_waits_for_the_rows_of_its_range(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await filled(app, pilot, [f"note{number}" for number in range(95)])
        await pilot.press("g", "v", "G", "p")
        await until(pilot, lambda: not rows_of(app).marked)
        page = await app.bridge.engine.memories.page(ListQuery(pinned_only=True))
        assert page.total == 95

    drive(make_app(), scenario)


@pytest.mark.long
def test_one_memory_is_looked_at_where_the_cursor_is(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await filled(app, pilot)
        await pilot.press("g", "space", "j")
        await pilot.press("e")
        await until(pilot, lambda: len(app.screen_stack) == 2)
        assert "#3" in seen(app)

    drive(make_app(), scenario)


@pytest.mark.long
def test_the_count_of_marks_stays_true_through_filter_deletion_and_refresh(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        rows = rows_of(app)
        await filled(app, pilot)
        await pilot.press("g", "space", "space", "space")
        await pilot.press("slash")
        app.main.query_one("#memory-filter", Input).value = "coffee"
        await until(pilot, lambda: rows.count == 1 and "out of sight" in seen(app))
        assert "3 marked (3 out of sight)" in seen(app)
        await pilot.press("enter", "space")
        assert "4 marked (3 out of sight)" in footer(app)
        await pilot.press("escape")
        await until(pilot, lambda: rows.count == 5 and "out of sight" not in seen(app))
        assert marked(app) == [1, 2, 3, 4]
        await app.bridge.engine.memories.delete([2])  # as another window would
        await app.bridge.engine.memories.edit(3, weight=4.0)
        rows.ask_again()
        await until(pilot, lambda: footer(app).startswith(" 3 marked"))
        assert [(memory.id, memory.weight) for memory in rows.marked] == [(1, 1.0), (3, 4.0), (4, 1.0)]
        await pilot.press("d", "y")
        await until(pilot, lambda: rows.count == 1)
        assert "marked" not in seen(app)

    drive(make_app(), scenario)


@pytest.mark.long
def test_a_range_keeps_its_memories_when_the_rows_move(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await filled(app, pilot)
        await pilot.press("g", "v", "j")
        await app.bridge.engine.memories.edit(5, weight=9.0)
        rows_of(app).ask_again()
        await until(pilot, lambda: rows_of(app).current and rows_of(app).cursor == 2)
        assert marked(app) == [1, 2]

    drive(make_app(), scenario)


@pytest.mark.long
@SIZES
def test_escape_clears_a_filter_before_it_leads_away(make_app, drive, size) -> None:
    async def scenario(app, pilot) -> None:
        rows, field = rows_of(app), app.main.query_one("#memory-filter", Input)
        await filled(app, pilot)
        await pilot.press("slash", *"tea", "backspace", "backspace", "backspace", *"coffee", "enter")
        await until(pilot, lambda: rows.count == 1)
        assert "esc clear filter" in footer(app)
        await pilot.press("escape")
        await until(pilot, lambda: rows.count == 5)
        assert rows.has_focus
        assert (field.value, field.display) == ("", False)
        assert "clear filter" not in footer(app)
        await pilot.press("escape")
        assert app.main.prompt.has_focus

    drive(make_app(), scenario, size)


@pytest.mark.long
@SIZES
def test_a_filter_is_seen_by_whoever_comes_back(make_app, drive, size) -> None:
    async def scenario(app, pilot) -> None:
        rows = rows_of(app)
        await filled(app, pilot)
        await pilot.press("slash", *"coffee", "f3")
        await until(pilot, lambda: rows.count == 1)
        await pilot.press("f3")
        await pilot.pause()
        assert "coffee" in seen(app).split("Memories 1")[1].splitlines()[1]
        await pilot.press("escape", "t", "f", "f3")
        await pilot.press("f3")
        await until(pilot, lambda: " · all · fact" in seen(app))
        await pilot.press("escape")
        await until(pilot, lambda: rows.count == 5)
        assert (rows.status, rows.type) == ("live", "")
        await pilot.press("slash", "f4")
        await pilot.pause()
        assert not app.main.query_one("#memory-filter").display  # nothing was typed

    drive(make_app(), scenario, size)


@pytest.mark.long
def test_escape_clears_marks_last(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        rows = rows_of(app)
        await filled(app, pilot)
        await pilot.press("space", "slash", *"coffee", "enter")
        await until(pilot, lambda: rows.count == 1)
        await pilot.press("v", "escape")
        assert (marked(app), rows.text) == ([1], "coffee")
        await pilot.press("escape")
        assert (marked(app), rows.text) == ([1], "")
        await pilot.press("escape")
        assert marked(app) == []
        assert rows.has_focus

    drive(make_app(), scenario)


@pytest.mark.long
@pytest.mark.parametrize("keys", [("ctrl+s",), ("ctrl+p",), ("ctrl+r",)], ids=["chats", "commands", "prompts"])
def test_escape_in_a_list_to_choose_from_clears_what_narrows_it_first(make_app, drive, keys) -> None:
    async def scenario(app, pilot) -> None:
        await pilot.press(*keys)
        await until(pilot, lambda: len(app.screen_stack) == 2)
        all_of_it = app.screen.choices
        await pilot.press(*"zzz")
        assert app.screen.choices == ()
        await pilot.press("escape")
        assert len(app.screen_stack) == 2
        assert app.screen.choices == all_of_it
        await pilot.press("escape")
        await until(pilot, lambda: len(app.screen_stack) == 1)

    drive(make_app(), scenario)
