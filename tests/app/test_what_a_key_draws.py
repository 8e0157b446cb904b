"""A key draws the few lines that it changes, in one frame: Textual waits before it draws a second one."""

from __future__ import annotations

import pytest
from fakes.app_driver import rows_of, settled, until
from fakes.drawing import Drawing
from fakes.work import AT

from orca_core.model.import_export import ForeignFormat, ForeignMemory, ImportTerms
from orca_tui.app.records.inbox import InboxScreen

pytestmark = pytest.mark.long


@pytest.fixture
def drawing(monkeypatch: pytest.MonkeyPatch) -> Drawing:
    return Drawing(monkeypatch)


async def filled(app, pilot, count: int = 30) -> None:
    for number in range(count):
        await app.bridge.engine.memories.add(f"用户 uses tool number {number}")
    rows_of(app).ask_again()
    await until(pilot, lambda: rows_of(app).count == count)
    rows_of(app).focus()
    await settled(app, pilot)


def test_a_step_of_the_cursor_draws_two_rows_and_what_is_said_of_the_memory(make_app, drive, drawing: Drawing) -> None:
    async def scenario(app, pilot) -> None:
        await filled(app, pilot)
        await pilot.press("j")
        drawing.begin()
        await pilot.press("k")
        assert rows_of(app).cursor == 0
        assert drawing.lines["memory-list"] == 2
        assert set(drawing.lines) <= {"memory-list", "memory-glance"}
        assert drawing.layouts == 0

    drive(make_app(), scenario)


def test_a_mark_changes_the_title_and_no_layout(make_app, drive, drawing: Drawing) -> None:
    async def scenario(app, pilot) -> None:
        await filled(app, pilot)
        drawing.begin()
        await pilot.press("space")
        assert rows_of(app).marked
        assert drawing.lines["memories-title"] == 1
        assert drawing.layouts == 0

    drive(make_app(), scenario)


def test_a_key_looks_for_no_widget_all_over_the_screen(make_app, drive, drawing: Drawing) -> None:
    async def scenario(app, pilot) -> None:
        await filled(app, pilot)
        await pilot.press("j")
        drawing.begin()
        await pilot.press("k")
        assert drawing.looked_at == 0

    drive(make_app(), scenario)


def test_a_step_in_the_inbox_draws_two_rows_of_its_list(make_app, drive, drawing: Drawing) -> None:
    async def scenario(app, pilot) -> None:
        entries = [ForeignMemory(ForeignFormat.MEM0, f"uses tool {n}", f"[{n}]", AT, f"key-{n}") for n in range(5)]
        await app.bridge.engine.exchange.bring_foreign(entries, ImportTerms())
        await pilot.press("f5")
        await until(pilot, lambda: isinstance(app.screen, InboxScreen) and app.screen.triage.count == len(entries))
        await settled(app, pilot)
        await pilot.press("j")
        await settled(app, pilot)
        drawing.begin()
        await pilot.press("k")
        await settled(app, pilot)
        assert drawing.lines["inbox-list"] == 2
        assert drawing.lines["inbox-title"] == 1
        assert drawing.layouts == 1  # for what a decision needs, which comes from the store behind the key

    drive(make_app(), scenario)
