"""Guides of tools that wait, by keys: shown with the figures of the tool, accepted in other words, taken back."""

from __future__ import annotations

from pathlib import Path

from fakes.app_driver import NORMAL, seen, until
from fakes.clocks import StillClock
from fakes.held_guides import MEAN, with_guide_held
from fakes.work import AT


def test_a_guide_that_waits_is_decided_about_by_keys(make_app, drive, tmp_path: Path) -> None:
    async def scenario(app, pilot) -> None:
        await with_guide_held(tmp_path / "home" / "orca.db")
        app.main.changed(anew=True)
        await until(pilot, lambda: "1 to review" in seen(app))
        await pilot.press("f5")
        await until(pilot, lambda: MEAN in seen(app))
        assert "it leads to what no call was given" in seen(app)
        assert "2 calls" in seen(app)
        await pilot.press("m")
        await until(pilot, lambda: "a guide is accepted, edited or rejected" in seen(app))
        await pilot.press("x")
        await until(pilot, lambda: "Nothing waits for you." in seen(app))
        await pilot.press("u")
        await until(pilot, lambda: MEAN in seen(app))
        await pilot.press("e")
        await until(pilot, lambda: bool(app.screen.query("#field-text")))
        app.screen.query_one("#field-text").text = "Keep it short."
        await pilot.press("ctrl+s")
        await until(pilot, lambda: "Nothing waits for you." in seen(app))
        view = await app.bridge.engine.tools.show("web_search")
        assert (view.guide.text, view.waiting) == ("Keep it short.", None)

    drive(make_app(clock=StillClock(AT)), scenario, NORMAL)
