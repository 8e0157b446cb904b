"""The inbox while its pages come: what is done meanwhile is neither lost nor done of others."""

from __future__ import annotations

import pytest
from fakes import stillness
from fakes.app_driver import NARROW, seen, settled, until
from fakes.brought import TOLD, HeldPages, bring

from orca_core.model.memories import State
from orca_tui.app.records.inbox import InboxScreen

pytestmark = pytest.mark.long


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


async def read_anew(app, pilot, at_once: int) -> HeldPages:
    """The inbox with all that waits, which is read once more: its pages are held."""
    if not isinstance(app.screen, InboxScreen):
        await opened(app, pilot, size=5)
    await settled(app, pilot)
    held = HeldPages(app, 2, at_once=at_once)
    app.screen._load()
    await until(pilot, lambda: app.screen.triage.count == (2 if at_once else 5))
    return held


def test_the_inbox_is_left_while_pages_come(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        held = await opened(app, pilot)
        await pilot.press("q")
        held.go_on.set()
        await settled(app, pilot)
        assert len(app.screen_stack) == 1

    drive(make_app(), scenario, NARROW)  # a mistake fails it


@pytest.mark.parametrize("at_once", [0, 1])
def test_what_is_decided_while_it_is_read_anew_does_not_come_back(make_app, drive, at_once) -> None:
    async def scenario(app, pilot) -> None:
        held = await read_anew(app, pilot, at_once)
        before = app.screen.triage.count
        await pilot.press("x")
        await until(pilot, lambda: app.screen.triage.count == before - 1)
        await pilot.press("space")
        marked = app.screen.triage.marked
        held.go_on.set()
        await settled(app, pilot)
        triage = app.screen.triage
        assert [each.text for each in triage.shown] == [text for text, *_rest in TOLD[1:]]
        assert [each.ref for each in triage.marked] == [each.ref for each in marked]
        assert len(marked) == 1

    drive(make_app(), scenario, NARROW)


def test_what_is_marked_is_decided_of_at_once_and_asked_once(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        held = await opened(app, pilot)
        await pilot.press("space", "space", "G", "x", "a")
        assert "Reject 2 candidates?" in seen(app)
        held.go_on.set()
        await settled(app, pilot)
        assert [type(each).__name__ for each in app.screen_stack[1:]] == ["InboxScreen", "Confirm"]
        await pilot.press("y")
        await until(pilot, lambda: app.screen.triage.count == 3)
        await settled(app, pilot)
        assert [each.state for each in await app.bridge.orca.memories.get(range(1, 4))] == [
            State.REJECTED,
            State.REJECTED,
            State.CANDIDATE,
        ]

    drive(make_app(), scenario, NARROW)


def test_nothing_is_decided_of_while_all_are_to_be_marked(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        held = await opened(app, pilot)
        await pilot.press("plus", "a")
        assert "still reading what is to be marked" in seen(app)
        held.go_on.set()
        await settled(app, pilot)
        assert len(app.screen.triage.marked) == 5
        assert "still reading" not in seen(app)

    drive(make_app(), scenario, NARROW)


@pytest.mark.parametrize(("keys", "row"), [(["G"], 4), (["G", "j", "k"], 0), (["G", "k"], 0), (["G", "plus"], 0)])
def test_the_end_is_gone_to_unless_somebody_goes_elsewhere(make_app, drive, keys, row) -> None:
    async def scenario(app, pilot) -> None:
        held = await opened(app, pilot)
        await pilot.press(*keys)
        held.go_on.set()
        await settled(app, pilot)
        assert app.screen._list.cursor == row

    drive(make_app(), scenario, NARROW)
