"""Guides of tools in the pane of work, by keys: the list, one in full with its figures, its calls, its form."""

from __future__ import annotations

from pathlib import Path

import pytest
from fakes.app_driver import WIDE, seen, send, until
from fakes.clocks import StillClock
from fakes.scripted_model import ScriptedModel, says
from fakes.work import AT
from fakes.worked import with_guide

from orca_core.model.events import GuideMade
from orca_tui.app.work.work_kinds import WorkList

pytestmark = pytest.mark.long


@pytest.fixture
def app_of_guides(make_app, drive, tmp_path: Path):
    """Run a scenario in an app with a guide, its tab open."""

    def run(scenario) -> None:
        async def opened(app, pilot) -> None:
            await with_guide(tmp_path / "home" / "orca.db")
            app.main.changed(anew=True)
            await pilot.press("f6", "left")
            await until(pilot, lambda: guides(app).count == 1 and guides(app).has_focus)
            await scenario(app, pilot)

        drive(make_app(clock=StillClock(AT)), opened, WIDE)

    return run


def guides(app) -> WorkList:
    return app.main.query_one("#guide-list", WorkList)


def test_a_guide_is_shown_with_the_figures_of_its_tool(app_of_guides) -> None:
    async def scenario(app, pilot) -> None:
        await until(pilot, lambda: "g1 web_search: Search by" in seen(app))
        await until(pilot, lambda: "8 calls: 7 succeeded" in seen(app))
        await pilot.press("enter")
        await until(pilot, lambda: "failed 1 time: timeout" in seen(app))
        assert "95 of 100 within 30 s" in seen(app)
        await pilot.press("o")
        await until(pilot, lambda: "web_search: the latest calls" in seen(app) and "nginx 502 7" in seen(app))
        await pilot.press("escape", "w")
        await until(pilot, lambda: "where it was put in, and why" in seen(app))

    app_of_guides(scenario)


def test_a_guide_is_pinned_edited_and_put_away_and_that_is_undone(app_of_guides) -> None:
    async def scenario(app, pilot) -> None:
        await pilot.press("p")
        await until(pilot, lambda: guides(app).current.pinned)
        await pilot.press("e")
        await until(pilot, lambda: len(app.screen_stack) == 2)
        app.screen.query_one("#field-text").text = "Three words at most."
        await pilot.press("ctrl+s")
        await until(pilot, lambda: guides(app).current.text == "Three words at most.")
        await pilot.press("h")
        await until(pilot, lambda: "edited" in seen(app) and "Search by three or four words" in seen(app))
        await pilot.press("escape", "a")
        await until(pilot, lambda: guides(app).count == 0)
        await pilot.press("u")
        await until(pilot, lambda: guides(app).count == 1)

    app_of_guides(scenario)


def test_enter_on_an_answer_that_names_a_guide_opens_it(make_app, drive, tmp_path: Path) -> None:
    async def scenario(app, pilot) -> None:
        await with_guide(tmp_path / "home" / "orca.db")
        await send(app, pilot, "how do I use web_search?")
        app.main.transcript.last.focus()
        await pilot.press("enter")
        await until(pilot, lambda: "95 of 100 within 30 s" in seen(app))

    drive(make_app(ScriptedModel(says("Search by few words [g1].")), clock=StillClock(AT)), scenario, WIDE)


def test_a_guide_that_was_just_written_says_so(app_of_guides) -> None:
    async def scenario(app, pilot) -> None:
        app.main.side.take(GuideMade("done", 7, "web_search", 8, guide=1, version=2))
        await until(pilot, lambda: " new" in seen(app))

    app_of_guides(scenario)
