"""A merge shows its outcome before it happens, does just that, and says afterwards what it did."""

from __future__ import annotations

import pytest
from fakes.app_driver import NARROW, SIZES, rows_of, seen, settled, until
from fakes.memories import memory

from orca_core.model.memories import MEMORIES, State
from orca_core.rules.memory import memory_curation
from orca_tui.app.records.memory_dialogs import outcome_content
from orca_tui.marks import UNICODE_MARKS

HOSTILE = "[@click=app.quit]x[/] [/nosuch] \u202e \x1b[2J"


async def filled(app, pilot, texts) -> None:
    for number, text in enumerate(texts, start=1):
        await app.bridge.engine.memories.add(text, tags=[f"t{number}"])
        await app.bridge.engine.memories.edit(number, weight=4.0 - number)
    rows_of(app).ask_again()
    await until(pilot, lambda: rows_of(app).count == len(texts))
    await pilot.press("f3")
    await settled(app, pilot)


@SIZES
def test_the_outcome_is_shown_chosen_and_done(make_app, drive, size) -> None:
    async def scenario(app, pilot) -> None:
        await filled(app, pilot, ["uses neovim", "uses vim", "edits with neovim 0.10", "drinks tea"])
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
        merged, one, two = await app.bridge.engine.memories.get([3, 1, 2])
        assert (merged.content, merged.weight, merged.seen) == ("edits with neovim 0.10", 3.0, 3)
        assert {each.superseded_by for each in (one, two)} == {3}
        assert {each.state for each in (one, two)} == {State.ARCHIVED}
        await pilot.press("f4")
        await until(pilot, lambda: "merged #1 #2 into #3 edits with" in seen(app))

    drive(make_app(), scenario, size)


def test_an_undone_merge_says_so_and_gives_all_back(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await filled(app, pilot, ["uses neovim", "uses vim"])
        await pilot.press("g", "v", "j", "m")
        await until(pilot, lambda: len(app.screen_stack) == 2)
        await pilot.press("enter")
        await until(pilot, lambda: not rows_of(app).marked)
        await pilot.press("u")
        await until(pilot, lambda: "(taken back)" in seen(app))
        assert {each.state for each in await app.bridge.engine.memories.get([1, 2])} == {State.LIVE}

    drive(make_app(), scenario)


@pytest.mark.long
def test_a_merge_of_what_changed_since_says_what_was_shown(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await filled(app, pilot, ["uses neovim", "uses vim"])
        await pilot.press("g", "v", "j", "m")
        await until(pilot, lambda: len(app.screen_stack) == 2)
        await app.bridge.engine.memories.edit(1, content="something else by now")  # as another window would
        await pilot.press("enter")
        await until(pilot, lambda: not rows_of(app).marked)
        [kept] = await app.bridge.engine.memories.get([1])
        assert kept.content == "uses neovim"

    drive(make_app(), scenario)


@pytest.mark.long
def test_hostile_memories_are_merged_as_words(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await filled(app, pilot, [f"one {HOSTILE}", f"two {HOSTILE}"])
        await pilot.press("g", "v", "j", "m")
        await until(pilot, lambda: "Merge 2 into one" in seen(app))
        assert "[@click=app.quit]x[/] [/nosuch]" in seen(app)
        assert not {"\x1b", "\u202e"} & set(seen(app))

    drive(make_app(), scenario, NARROW)


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
