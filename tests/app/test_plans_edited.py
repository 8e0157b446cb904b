"""All steps of a task edited at once in the user's editor: by a key and by a command, taken back as one."""

from __future__ import annotations

import pytest
from fakes.app_driver import NARROW, seen, settled, until

from orca_tui.app.main import MainScreen
from orca_tui.app.work.steps import StepList
from orca_tui.app.work.work_body import WorkBody

pytestmark = pytest.mark.long


async def command(app, pilot, line: str) -> None:
    app.main.prompt.focus()
    app.main.prompt.fill(line)
    await pilot.press("enter")
    await settled(app, pilot)


async def at_work(app, pilot) -> None:
    await command(app, pilot, "/task nginx answers 502")
    for step in ("look at the log", "restart it", "tell the others"):
        await command(app, pilot, f"/step {step}")
    await pilot.press("f6")
    await until(pilot, lambda: app.main.query_one(StepList).count == 3)
    app.main.query_one(StepList).focus()
    app.main.query_one(StepList).move_to(0)
    await pilot.press("space", "space")
    await until(pilot, lambda: "1/3" in seen(app))


def edits(monkeypatch, *changes) -> list[str]:
    """The editor changes what it is given so, one change after another; what it was given."""
    given: list[str] = []

    def edit(_screen: MainScreen, text: str) -> str:
        given.append(text)
        return changes[len(given) - 1](text)

    monkeypatch.setattr(MainScreen, "edit", edit)
    return given


def steps(app) -> list[str]:
    return [step.description for step in app.main.query_one(WorkBody).current_task.steps]


async def acts(app) -> list[tuple[str, str]]:
    page = await app.bridge.engine.feedback.actions.page(type_words=["EDIT_ROADMAP"])
    return [(each.data["previous"], each.data["current"]) for each in page.records]


def test_steps_are_reworded_added_moved_and_taken_out_at_once(make_app, drive, monkeypatch) -> None:
    given = edits(
        monkeypatch,
        lambda text: text.replace("2. [ ] restart it\n3. [ ] tell", "3. [ ] tell").replace("others", "others\nnew one"),
    )

    async def scenario(app, pilot) -> None:
        await at_work(app, pilot)
        await pilot.press("E")
        await until(pilot, lambda: steps(app) == ["look at the log", "tell the others", "new one"])
        assert "1. [x] look at the log" in given[0]
        assert await acts(app) == [
            ("look at the log\nrestart it\ntell the others", "look at the log\ntell the others\nnew one")
        ]
        await pilot.press("u")
        await until(pilot, lambda: steps(app) == ["look at the log", "restart it", "tell the others"])
        assert await acts(app) == []
        await pilot.press("U")
        await until(pilot, lambda: steps(app)[-1] == "new one")
        await pilot.press("f4")
        await until(pilot, lambda: "edited the steps" in seen(app))

    drive(make_app(), scenario)


def test_what_was_refused_is_there_again_and_left_as_it_is_given_up(make_app, drive, monkeypatch) -> None:
    given = edits(
        monkeypatch,
        lambda text: text.replace("1. [x] look at the log\n", ""),
        lambda text: text,
        lambda text: text.replace("restart", "start"),
    )

    async def scenario(app, pilot) -> None:
        await at_work(app, pilot)
        await command(app, pilot, "/steps")
        await until(pilot, lambda: "step 1 has ended" in seen(app))
        await command(app, pilot, "/steps")
        assert given[1] == given[0].replace("1. [x] look at the log\n", "")
        await command(app, pilot, "/steps")
        assert given[2] == given[0]
        await until(pilot, lambda: steps(app)[1] == "start it")

    drive(make_app(), scenario)


def test_nothing_happens_where_there_is_no_task_or_no_editor(make_app, drive, monkeypatch) -> None:
    edits(monkeypatch, lambda _text: None, lambda _text: "  ")

    async def scenario(app, pilot) -> None:
        await command(app, pilot, "/steps")
        assert "no task is in progress" in seen(app)
        await at_work(app, pilot)
        await command(app, pilot, "/steps")
        await command(app, pilot, "/steps")
        assert steps(app) == ["look at the log", "restart it", "tell the others"]
        assert await acts(app) == []

    drive(make_app(), scenario, NARROW)
