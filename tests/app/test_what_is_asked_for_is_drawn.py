"""Whoever asks where a widget stands, before a layout that moves it, takes no line from the screen."""

from __future__ import annotations

from fakes.app_driver import send
from fakes.scripted_model import ScriptedModel, says
from textual.geometry import Offset


def test_what_moved_is_drawn_though_somebody_asked_where_it_stands(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await send(app, pilot, "the first question")
        compositor, view = app.main._compositor, app.main.transcript.last
        now = compositor.full_map[view]
        before = now._replace(region=now.region + Offset(0, -2))  # it stood higher, and has moved since
        compositor._full_map = {**compositor.full_map, view: before}
        compositor._dirty_regions.clear()
        compositor._full_map_invalidated = True  # as after each scroll

        assert compositor.full_map[view] == now
        for geometry in (before, now):
            assert geometry.clip.intersection(geometry.region) in compositor._dirty_regions

    drive(make_app(ScriptedModel(says("ok"))), scenario)
