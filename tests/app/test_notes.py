"""What is said in the place of the keys: by its owner, as long as it holds, readable to its end."""

from __future__ import annotations

import pytest
from fakes.app_driver import seen, until

from orca_core.model.errors import StoreBusy
from orca_tui.app.widgets.key_line import SHOWN_S, Notes


def texts(notes: Notes, now: float) -> list[str]:
    return [note.text for note in notes.shown(now)]


def test_a_note_passes_by_itself_and_no_earlier_one_takes_it_along() -> None:
    notes = Notes()
    notes.say("", "first", 0.0)
    notes.say("", "second", 3.0)
    assert texts(notes, SHOWN_S) == ["second"]
    assert texts(notes, 3.0 + SHOWN_S) == []


def test_an_error_stays_beside_what_others_say() -> None:
    notes = Notes()
    notes.say("connect", "no connection", 0.0, stays=True)
    notes.say("", "copied", 1.0)
    assert texts(notes, 1.0) == ["no connection", "copied"]
    notes.say("", "", 2.0)
    assert texts(notes, 1000.0) == ["no connection"]


@pytest.mark.parametrize(("acts_at", "left"), [(SHOWN_S - 1, ["broken"]), (SHOWN_S, [])], ids=["too early", "read"])
def test_an_error_goes_when_the_user_acts_after_reading_it(acts_at: float, left: list[str]) -> None:
    notes = Notes()
    notes.say("change", "broken", 0.0, stays=True)
    notes.acted(acts_at)
    assert texts(notes, acts_at) == left


def test_only_the_owner_takes_an_error_back() -> None:
    notes = Notes()
    notes.say("change", "broken", 0.0, stays=True)
    notes.mended("look memories")
    assert texts(notes, 1.0) == ["broken"]
    notes.mended("change")
    assert texts(notes, 1.0) == []


def test_an_error_goes_as_soon_as_the_same_work_does_well(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        app.bridge.ask(works, lambda _none: None, group="other")
        app.bridge.ask(fails, lambda _none: None, group="work")
        await until(pilot, lambda: "holds the database" in seen(app))
        app.bridge.ask(works, lambda _none: None, group="work")
        await until(pilot, lambda: "holds the database" not in seen(app))
        assert "holds the database" not in seen(app)

    async def fails() -> None:
        raise StoreBusy(path="orca.db")

    async def works() -> None:
        return None

    drive(make_app(), scenario)


def test_an_error_is_said_where_the_user_looks(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await pilot.press("f5")
        await until(pilot, lambda: len(app.screen_stack) == 2)
        app.bridge.ask(fails, lambda _none: None)
        await until(pilot, lambda: "holds the database" in seen(app))
        assert "holds the database" in seen(app)

    async def fails() -> None:
        raise StoreBusy(path="orca.db")

    drive(make_app(), scenario)
