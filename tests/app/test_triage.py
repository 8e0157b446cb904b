"""Many candidates at once: narrowed, marked, decided of as one, by keys."""

from __future__ import annotations

import pytest
from fakes.app_driver import NARROW, NORMAL, seen, settled, until
from fakes.brought import TOLD, bring
from fakes.clocks import StillClock
from fakes.held_guides import with_guide_held
from fakes.work import AT

from orca_core.model.import_export import ForeignFormat
from orca_core.model.memories import State
from orca_tui.app.records.inbox import InboxScreen
from orca_tui.app.records.triage import Triage


async def opened(app, pilot, told=TOLD) -> Triage:
    await bring(app, told)
    await pilot.press("f5")
    await until(pilot, lambda: isinstance(app.screen, InboxScreen) and app.screen.triage.count == len(told))
    await settled(app, pilot)
    return app.screen.triage


async def states(app, count=5) -> list[State]:
    return [each.state for each in await app.bridge.engine.memories.get(range(1, count + 1))]


def title(app) -> str:
    return next(line for line in seen(app).splitlines() if line.strip())


@pytest.mark.long
def test_what_is_typed_narrows_the_list_and_escape_widens_it(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        triage = await opened(app, pilot)
        assert "To review: 1 of 5" in title(app)
        await pilot.press("slash", *"pstgrs")
        await settled(app, pilot)
        assert [each.text for each in triage.shown] == ["The user runs postgres on port 5433"]
        assert "To review: 1 of 1 · 5 in all" in title(app)
        assert "Servers" in seen(app)
        await pilot.press("escape")
        await settled(app, pilot)
        assert len(triage.shown) == 5
        await pilot.press("escape")
        assert len(app.screen_stack) == 1

    drive(make_app(), scenario, NARROW)


def test_keys_narrow_by_type_program_and_chat(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        triage = await opened(app, pilot)
        await pilot.press("f")
        assert {each.record.elsewhere.program for each in triage.shown} == {"chatgpt"}
        assert "ChatGPT" in title(app)
        await pilot.press("f", "f", "f")
        assert len(triage.shown) == 5
        await pilot.press("c", *"旅行", "down", "enter")
        await settled(app, pilot)
        assert [each.record.elsewhere.chat for each in triage.shown] == ["旅行计划"] * 2
        assert "旅行计划" in title(app)
        await pilot.press("escape", "t")
        await settled(app, pilot)
        assert triage.narrowing.type
        assert {each.record.type.value for each in triage.shown} == {triage.narrowing.type}

    drive(make_app(), scenario)


@pytest.mark.parametrize(("key", "state"), [("a", State.LIVE), ("x", State.REJECTED), ("n", State.REJECTED)])
def test_all_that_a_filter_shows_is_decided_as_one_and_taken_back_as_one(make_app, drive, key, state) -> None:
    async def scenario(app, pilot) -> None:
        triage = await opened(app, pilot)
        await pilot.press("slash", *"user", "enter", "plus")
        assert "3 of 5 marked" in title(app)
        await pilot.press(key)
        await pilot.pause()
        assert "3 candidates" in seen(app)
        await pilot.press("y")
        await until(pilot, lambda: triage.count == 2)
        assert await states(app) == [State.CANDIDATE, state, state, State.CANDIDATE, state]
        [(_operation, changes)] = await app.bridge.engine.history.activity(1)
        assert len(changes) == 3
        await pilot.press("escape", "u")
        await until(pilot, lambda: app.screen.triage.count == 5)
        assert await states(app) == [State.CANDIDATE] * 5

    drive(make_app(), scenario, NORMAL)


@pytest.mark.long
def test_saying_no_decides_nothing_and_keeps_the_marks(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        triage = await opened(app, pilot)
        await pilot.press("space", "space", "x", "enter")  # the cursor stands on Cancel
        await settled(app, pilot)
        assert await states(app) == [State.CANDIDATE] * 5
        assert len(triage.marked) == 2

    drive(make_app(), scenario)


@pytest.mark.long
def test_one_that_is_marked_is_decided_without_a_question(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        triage = await opened(app, pilot)
        await pilot.press("space", "j", "j", "x")
        await until(pilot, lambda: triage.count == 4)
        assert await states(app) == [State.REJECTED, *[State.CANDIDATE] * 4]
        assert "rejected 1 candidate" in seen(app)

    drive(make_app(), scenario)


@pytest.mark.long
def test_marks_outlive_the_filter_and_are_cleared_by_a_key(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        triage = await opened(app, pilot)
        await pilot.press("space", "slash", *"guitar", "enter", "space")
        assert "2 of 5 marked (1 out of sight)" in title(app)
        await pilot.press("x")
        await pilot.pause()
        assert "1 of them is marked, but not shown just now" in seen(app)
        await pilot.press("escape", "minus")
        assert triage.marked == ()
        assert "marked" not in title(app)
        await pilot.press("escape", "plus", "space", "escape")
        assert triage.marked == ()
        assert len(app.screen_stack) == 2

    drive(make_app(), scenario)


@pytest.mark.long
def test_a_decision_waits_for_the_candidate_that_it_is_about(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await opened(app, pilot)
        app.screen.action_move(2)
        app.screen.action_decide("reject")  # nothing of the third one was read yet
        await until(pilot, lambda: app.screen.triage.count == 4)
        assert (await states(app))[2] is State.REJECTED

    drive(make_app(), scenario)


@pytest.mark.long
def test_one_undo_takes_back_what_was_decided_of_several_kinds(make_app, drive, tmp_path) -> None:
    async def scenario(app, pilot) -> None:
        await with_guide_held(tmp_path / "home" / "orca.db")
        await bring(app, TOLD[:2])
        await pilot.press("f5")
        await until(pilot, lambda: isinstance(app.screen, InboxScreen) and app.screen.triage.count == 3)
        await pilot.press("plus", "n")
        await until(pilot, lambda: "only of memories" in seen(app))
        await pilot.press("a", "y")
        await until(pilot, lambda: app.screen.triage.count == 0)
        assert await states(app, 2) == [State.LIVE] * 2
        await pilot.press("u")
        await until(pilot, lambda: app.screen.triage.count == 3)
        assert await states(app, 2) == [State.CANDIDATE] * 2
        assert (await app.bridge.engine.tools.show("web_search")).waiting is not None

    drive(make_app(clock=StillClock(AT)), scenario)


@pytest.mark.long
def test_no_key_asks_for_all_that_waits(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        told = [
            (f"The user keeps note {number} 第{number}条", "Notes", ForeignFormat.CLAUDE, ()) for number in range(600)
        ]
        triage = await opened(app, pilot, told)
        asked = []
        candidates = app.bridge.engine.work.candidates
        waits, pages = candidates.waits, candidates.pages

        async def counted(*given):
            asked.append(given)
            return await waits(*given)

        def counted_pages(*given):
            asked.append(given)
            return pages(*given)

        candidates.waits, candidates.pages = counted, counted_pages
        await pilot.press("G", "pageup", "g", "pagedown", "home", "end", "up", "k", "slash", *"第59", "enter", "plus")
        assert "11 of 600 marked" in title(app)
        await pilot.press("a", "y")
        await until(pilot, lambda: triage.count == 589)
        assert asked == []

    drive(make_app(), scenario, NARROW)


@pytest.mark.long
def test_the_first_ones_are_shown_before_the_last_are_read(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        told = [(f"The user keeps note {number}", "Notes", ForeignFormat.CLAUDE, ()) for number in range(450)]
        await bring(app, told)
        candidates, titles = app.bridge.engine.work.candidates, []
        pages = candidates.pages

        async def looked_at_beside(size):
            async for page in pages(size):
                yield page
                titles.append(title(app))
                if len(titles) == 1:
                    app.screen.action_mark_shown()

        candidates.pages = looked_at_beside
        await pilot.press("f5")
        assert "To review: 1 of 200…" in titles[0]
        assert "To review: 1 of 400…" in titles[1]
        assert "marked" not in titles[1]
        assert "450 of 450 marked" in title(app)
        assert "To review: 1 of 450 ·" in title(app)

    drive(make_app(), scenario, NARROW)


@pytest.mark.long
def test_a_list_read_anew_keeps_the_row_of_the_cursor(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        told = [(f"The user keeps note {number}", "Notes", ForeignFormat.CLAUDE, ()) for number in range(450)]
        await opened(app, pilot, told)
        await pilot.press("G", "k", "x")
        await until(pilot, lambda: "To review: 449 of 449" in title(app))
        await pilot.press("u")
        await until(pilot, lambda: "To review: 449 of 450" in title(app))

    drive(make_app(), scenario, NARROW)
