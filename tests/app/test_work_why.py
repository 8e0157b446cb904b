"""The turns that got an episode or knowledge, from the list of them and from their detail."""

from __future__ import annotations

from pathlib import Path

from fakes.app_driver import seen, until
from fakes.clocks import StillClock
from fakes.work import AT
from fakes.worked import with_work

from orca_tui.app.work.work_kinds import WorkList


def test_why_is_one_key_away_from_a_list_and_from_a_detail(make_app, drive, tmp_path: Path) -> None:
    async def scenario(app, pilot) -> None:
        await with_work(tmp_path / "home" / "orca.db")
        app.main.changed(anew=True)
        episodes, knowledge = (
            app.main.query_one("#episode-list", WorkList),
            app.main.query_one("#knowledge-list", WorkList),
        )
        await pilot.press("f6")
        await until(pilot, lambda: episodes.count == 5 and episodes.has_focus)
        await pilot.press("w")
        await until(pilot, lambda: "It was not put before the model yet" in seen(app))
        assert f"#e{episodes.current.id}: where it was put in, and why" in seen(app)
        await pilot.press("escape", "enter")
        await until(pilot, lambda: "w why" in seen(app))
        await pilot.press("w")
        await until(pilot, lambda: "where it was put in, and why" in seen(app))
        await pilot.press("escape", "escape", "t", "w")
        await until(pilot, lambda: f"#k{knowledge.current.id}: where it was put in" in seen(app))

    drive(make_app(clock=StillClock(AT)), scenario)
