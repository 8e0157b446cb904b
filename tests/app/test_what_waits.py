"""What waits for a person: said once a start, and when it waited too long said in the activity."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from fakes.app_driver import seen, send, settled, until
from fakes.clocks import StillClock
from fakes.facts import fact, finds
from fakes.scripted_model import ScriptedModel, says

pytestmark = pytest.mark.long

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
PHONE = fact("用户的电话是 13912345678", "我的电话是 13912345678")


@pytest.fixture
def held_before(make_app, drive) -> Callable[[], None]:
    """Leave a candidate in the home, as an earlier sitting."""

    def leave() -> None:
        async def scenario(app, pilot) -> None:
            await send(app, pilot, "我的电话是 13912345678")
            await app.bridge.engine.worker.finish()
            await until(pilot, lambda: "1 to review" in seen(app))

        model, agent = ScriptedModel(says("好")), ScriptedModel(finds(PHONE))
        drive(make_app(model, agent=agent, clock=StillClock(NOON)), scenario)

    return leave


def test_a_start_says_once_what_waits(make_app, drive, held_before) -> None:
    held_before()

    async def scenario(app, pilot) -> None:
        await until(pilot, lambda: "1 to review, for 12 days · f5 shows them" in seen(app))
        await send(app, pilot, "今天天气不错")
        assert "f5 shows them" not in seen(app)
        await pilot.press("ctrl+n")
        await settled(app, pilot)
        assert "f5 shows them" not in seen(app)

    drive(make_app(ScriptedModel(says("好")), clock=StillClock(NOON + timedelta(days=12))), scenario)


def test_a_start_says_nothing_of_an_empty_inbox(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await settled(app, pilot)
        assert "f5 shows them" not in seen(app)
        assert not app.main.query(".notice")

    drive(make_app(), scenario)


def test_what_expires_stands_in_the_activity_and_can_be_taken_back(make_app, drive, held_before) -> None:
    held_before()

    async def scenario(app, pilot) -> None:
        await app.bridge.engine.worker.tidy()
        await until(pilot, lambda: "1 candidate expired" in seen(app))
        assert "to review" not in seen(app).splitlines()[0]
        await pilot.press("f4", "u")
        await until(pilot, lambda: "? 1 to review" in seen(app))
        assert "taken back" in seen(app)

    drive(make_app(clock=StillClock(NOON + timedelta(days=91))), scenario)


def test_what_expires_while_the_app_is_open_changes_what_it_shows(make_app, drive, held_before) -> None:
    held_before()
    clock = StillClock(NOON)

    async def scenario(app, pilot) -> None:
        await app.bridge.engine.worker.tidy()
        await until(pilot, lambda: "? 1 to review" in seen(app))
        clock.advance(timedelta(days=91).total_seconds())
        await app.bridge.engine.worker.tidy()
        await until(pilot, lambda: "1 candidate expired" in seen(app))
        assert "to review" not in seen(app).splitlines()[0]

    drive(make_app(clock=clock), scenario)


def test_a_list_without_memories_says_what_waits(make_app, drive, held_before) -> None:
    async def empty(app, pilot) -> None:
        await until(pilot, lambda: "Nothing remembered yet. Facts come" in seen(app))

    async def scenario(app, pilot) -> None:
        await until(pilot, lambda: "Nothing remembered yet, but 1 waits for you: f5" in seen(app))
        await pilot.press("f5", "x", "escape")
        await until(pilot, lambda: "Nothing remembered yet. Facts come" in seen(app))

    drive(make_app(clock=StillClock(NOON)), empty)
    held_before()
    drive(make_app(clock=StillClock(NOON)), scenario)
