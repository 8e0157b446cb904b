"""The inbox while its pages come: what is done meanwhile is neither lost nor done of others."""

from __future__ import annotations

import pytest
from fakes import stillness
from fakes.app_driver import NARROW, settled, until
from fakes.brought import HeldPages, bring

from orca_tui.app.records.inbox import InboxScreen


@pytest.fixture(autouse=True)
def rests_while_pages_are_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stillness, "LASTING", stillness.LASTING | {"look inbox"})


async def opened(app, pilot, *, size=2, at_once=1) -> HeldPages:
    """The inbox, of which the first page came."""
    await bring(app)
    held = HeldPages(app, size, at_once=at_once)
    await pilot.press("f5")
    await until(
        pilot, lambda: isinstance(app.screen, InboxScreen) and app.screen.triage.count == min(size * at_once, 5)
    )
    return held


def test_the_inbox_is_left_while_pages_come(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        held = await opened(app, pilot)
        await pilot.press("q")
        held.go_on.set()
        await settled(app, pilot)
        assert len(app.screen_stack) == 1

    drive(make_app(), scenario, NARROW)  # a mistake fails it


def test_the_inbox_is_left_before_its_decision_is_carried_out(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await opened(app, pilot, at_once=3, size=5)
        await settled(app, pilot)
        app.screen.action_decide("reject")
        app.screen.dismiss(None)
        await settled(app, pilot)
        assert len(app.screen_stack) == 1

    drive(make_app(), scenario, NARROW)
