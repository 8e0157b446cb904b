"""The memories: their list, its filters, marks and ranges, forms, merging, what others change meanwhile."""

from __future__ import annotations

import asyncio

import pytest
from fakes.app_driver import NARROW, SIZES, rows_of, seen, send, settled, until
from fakes.memories import memory
from fakes.scripted_model import ScriptedModel, says
from textual import events
from textual.widgets import Input

from orca_core.model.errors import StoreBusy
from orca_core.model.memories import MEMORIES, MemoryType, State
from orca_core.model.views import ListQuery, SiftedList
from orca_core.rules.memory import memory_curation
from orca_tui.app.bridge import ChangedBehind
from orca_tui.app.records.memory_dialogs import outcome_content
from orca_tui.marks import UNICODE_MARKS

TEXTS = ("用户用 neovim", "postgres 固定在 16，端口 5433", "用户住在杭州", "likes dark roast coffee")


async def filled(app, pilot) -> None:
    for text in TEXTS:
        await app.bridge.orca.memories.add(text)
    rows_of(app).ask_again()
    await until(pilot, lambda: rows_of(app).count == len(TEXTS))
    rows_of(app).focus()
    await pilot.pause()


async def states(app) -> dict[int, State]:
    page = await app.bridge.orca.memories.page(ListQuery("all"))
    return {view.memory.id: view.memory.state for view in page.records}


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
        await pilot.press("e")
        await until(pilot, lambda: bool(app.screen.query("#field-type")))
        app.screen.query_one("#field-type").value = ""  # a type that was emptied stays as it was
        await pilot.press("ctrl+s")
        await until(pilot, lambda: "nothing changed" in seen(app))
        assert rows_of(app).current.type is MemoryType.FACT

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
        store = app.bridge.orca.memories
        for number in range(95):
            await store.add(f"note{number}")  # alike, each would be compared with many
        rows_of(app).ask_again()
        await until(pilot, lambda: rows_of(app).count == 95)
        rows_of(app).focus()
        await pilot.press("G")
        await until(pilot, lambda: rows_of(app).current is not None and "note94" in seen(app))
        assert "note94" in seen(app)

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


TEXTS_MARKS = ("用户用 neovim", "postgres 固定在 16，端口 5433", "用户住在杭州", "likes dark roast coffee", "用户喝茶")


async def filled_marks(app, pilot, texts=TEXTS_MARKS) -> None:
    for text in texts:
        await app.bridge.orca.memories.add(text)
    rows_of(app).ask_again()
    await until(pilot, lambda: rows_of(app).count == len(texts))
    await pilot.press("f3")
    await settled(app, pilot)


def marked(app) -> list[int]:
    return [memory.id for memory in rows_of(app).marked]


def footer(app) -> str:
    return seen(app).splitlines()[-1]


@pytest.mark.long
@SIZES
def test_title_and_footer_say_how_many_are_marked(make_app, drive, size) -> None:
    async def scenario(app, pilot) -> None:
        await filled_marks(app, pilot)
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
        await filled_marks(app, pilot)
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
        await filled_marks(app, pilot)
        await pilot.press(*keys)
        await until(pilot, lambda: not rows_of(app).marked)
        now = await states(app)
        assert {key: now[key] for key in expected} == expected

    drive(make_app(), scenario)


@pytest.mark.long
def test_the_count_of_marks_stays_true_through_filter_deletion_and_refresh(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        rows = rows_of(app)
        await filled_marks(app, pilot)
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
        await app.bridge.orca.memories.delete([2])  # as another window would
        await app.bridge.orca.memories.edit(3, weight=4.0)
        rows.ask_again()
        await until(pilot, lambda: footer(app).startswith(" 3 marked"))
        assert [(memory.id, memory.weight) for memory in rows.marked] == [(1, 1.0), (3, 4.0), (4, 1.0)]
        await pilot.press("d", "y")
        await until(pilot, lambda: rows.count == 1)
        assert "marked" not in seen(app)

    drive(make_app(), scenario)


@pytest.mark.long
@SIZES
def test_escape_clears_a_filter_before_it_leads_away(make_app, drive, size) -> None:
    async def scenario(app, pilot) -> None:
        rows, field = rows_of(app), app.main.query_one("#memory-filter", Input)
        await filled_marks(app, pilot)
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


async def filled_filters(app, pilot, texts) -> None:
    for text in texts:
        await app.bridge.orca.memories.add(text)
    rows_of(app).ask_again()
    await until(pilot, lambda: rows_of(app).count == len(texts))
    await pilot.press("f3")
    await settled(app, pilot)


@pytest.mark.long
def test_what_a_filter_finds_is_shown_as_it_is_found(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await filled_filters(app, pilot, [f"the user keeps note {number}" for number in range(260)])
        memories, screens = app.bridge.orca.memories, []
        sift = memories.sift

        async def drawn():
            for _ in range(50):
                await asyncio.sleep(0)
            screens.append(seen(app))

        async def looked_at_beside(query):
            [whole] = [each async for each in sift(query)]
            yield SiftedList((), 0, is_whole=False)
            await drawn()
            yield SiftedList(whole.ids[:3], 3, is_whole=False)
            await drawn()
            yield SiftedList(whole.ids[:3], 250, is_whole=False)
            await drawn()
            yield whole

        memories.sift = looked_at_beside
        await pilot.press("slash")
        app.main.query_one("#memory-filter", Input).value = "nte"
        await settled(app, pilot)

        assert "nothing matches" not in screens[0]
        assert "Memories 0…" in screens[0]
        assert "Memories 3… " in screens[1]
        assert "Memories 250… " in screens[2]
        assert rows_of(app).count == 260
        assert "Memories 260 " in seen(app)
        await pilot.press("enter", "G")
        await settled(app, pilot)
        assert "#260" in seen(app) or "note 259" in seen(app)
        await pilot.press("k", "v", "g")
        await settled(app, pilot)
        assert len(rows_of(app).marked) == 259

    drive(make_app(), scenario, NARROW)


@pytest.mark.long
def test_a_filter_that_fails_on_its_way_says_so_and_looks_no_further(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await filled_filters(app, pilot, ["the user keeps note 1"])

        async def broken(query):
            yield SiftedList((), 0, is_whole=False)
            raise StoreBusy(path="orca.db")

        app.bridge.orca.memories.sift = broken
        rows_of(app).filter("nte")
        await settled(app, pilot)
        assert not rows_of(app).is_looking
        assert "0…" not in seen(app)
        assert "orca.db: another process holds the database" in seen(app)

    drive(make_app(), scenario, NARROW)


async def filled_merging(app, pilot, texts) -> None:
    for number, text in enumerate(texts, start=1):
        await app.bridge.orca.memories.add(text, tags=[f"t{number}"])
        await app.bridge.orca.memories.edit(number, weight=4.0 - number)
    rows_of(app).ask_again()
    await until(pilot, lambda: rows_of(app).count == len(texts))
    await pilot.press("f3")
    await settled(app, pilot)


@SIZES
def test_the_outcome_is_shown_chosen_and_done(make_app, drive, size) -> None:
    async def scenario(app, pilot) -> None:
        await filled_merging(app, pilot, ["uses neovim", "uses vim", "edits with neovim 0.10", "drinks tea"])
        await pilot.press("g", "v", "j", "j", "m")
        await until(pilot, lambda: "Merge 3 into one" in seen(app))
        assert "It will say" in seen(app)
        assert "#2 #3: archived, replaced by #1" in seen(app)
        await pilot.press("down", "down")
        assert "#1 #2: archived, replaced by #3" in seen(app)
        assert "weight 1.0→3.0 · seen 1→3" in seen(app)
        await pilot.press("escape")
        assert len(rows_of(app).marked) == 3
        await pilot.press("m", "down", "down", "enter")
        await until(pilot, lambda: rows_of(app).selection.ids == () and not rows_of(app).marked)
        merged, one, two = await app.bridge.orca.memories.get([3, 1, 2])
        assert (merged.content, merged.weight, merged.seen) == ("edits with neovim 0.10", 3.0, 3)
        assert {each.superseded_by for each in (one, two)} == {3}
        assert {each.state for each in (one, two)} == {State.ARCHIVED}
        await pilot.press("f4")
        await until(pilot, lambda: "merged #1 #2 into #3 edits with" in seen(app))

    drive(make_app(), scenario, size)


@pytest.mark.long
def test_the_outcome_is_that_of_the_rule() -> None:
    one = memory(id=1, content="uses neovim", weight=3.0, seen=2, tags=("editor",))
    two = memory(id=2, content="uses vim", weight=1.0, pinned=True, tags=("editor", "old"))
    planned = memory_curation.merge(2, content=None, max_weight=10.0)([one, two])[2]
    told = outcome_content([one, two], two, MEMORIES.changed(two, planned), UNICODE_MARKS).plain
    assert "uses vim" in told
    assert f"weight 1.0→{planned['weight']}" in told
    assert "seen 1→3" in told
    assert "pinned" in told
    assert "old, editor" in told or "editor, old" in told


def test_what_another_process_changes_is_shown_in_its_row_while_the_list_is_looked_at(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        rows, memories = rows_of(app), app.bridge.orca.memories
        for text in ("用户用 neovim", "postgres 固定在 16", "用户住在杭州", "likes dark roast coffee"):
            await memories.add(text)
        rows.ask_again()
        await until(pilot, lambda: rows.count == 4)
        rows.focus()
        await pilot.press("j")
        before, ids = rows.current.id, rows.ids
        await memories.pin([before])
        await memories.archive(ids[2:3])
        await memories.delete(ids[3:4])
        app.main.post_message(ChangedBehind())
        await until(pilot, lambda: rows.current.pinned)

        assert (rows.cursor, rows.current.id, rows.ids) == (1, before, ids)
        assert "◌" in seen(app)

    drive(make_app(), scenario)


async def with_memories(app, pilot, *texts: str) -> None:
    for text in texts:
        await app.bridge.orca.memories.add(text)
    rows_of(app).ask_again()
    await until(pilot, lambda: rows_of(app).count == len(texts))
    await pilot.press("f3")
    await settled(app, pilot)


async def at_once(app, pilot, *keys: str) -> None:
    """No key waits until the one before it has done what it does."""
    names = {"/": "slash", " ": "space"}
    for key in keys:
        app.post_message(events.Key(names.get(key, key), key if len(key) == 1 else None))
    await settled(app, pilot)


async def states_keys(app, *ids: int) -> list[str]:
    return [memory.state.value for memory in await app.bridge.orca.memories.get(ids)]


@pytest.mark.long
@pytest.mark.parametrize("typed", ["a", "ad", "alpha"])
def test_a_letter_right_behind_the_key_of_the_filter_belongs_to_the_filter(make_app, drive, typed) -> None:
    async def scenario(app, pilot) -> None:
        await with_memories(app, pilot, "alpha", "beta")
        await at_once(app, pilot, "/", *typed)
        assert app.main.query_one("#memory-filter", Input).value == typed
        assert await states_keys(app, 1, 2) == ["live", "live"]

    drive(make_app(), scenario, NARROW)
