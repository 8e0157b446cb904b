"""How the pane of work looks, in three sizes, in either language, with what was done and without."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_textual_snapshot
from fakes.app_driver import NARROW, NORMAL, SIZES, WIDE, seen, until
from fakes.clocks import StillClock
from fakes.work import AT
from fakes.worked import with_guide, with_work
from textual.pilot import Pilot

from orca_tui.app.app import OrcaApp
from orca_tui.app.work.work_kinds import WorkList
from orca_tui.app.work.work_pane import WorkPane
from orca_tui.language import speak

pytest_textual_snapshot.SVGImageExtension.file_extension = "svg"  # the plugin knows another syrupy

VIEWS = pytest.mark.parametrize(
    ("size", "language"),
    [
        (WIDE, "en"),
        pytest.param(NORMAL, "zh", marks=pytest.mark.long),
        pytest.param(NARROW, "en", marks=pytest.mark.long),
        (NARROW, "zh"),
    ],
    ids=["en-wide", "zh-normal", "en-narrow", "zh-narrow"],
)
"""Each size, and each language where it has the least room."""
Steps = Callable[[OrcaApp, "Pilot[int]"], Awaitable[None]]


@pytest.fixture
def snap(snap_compare: Any, make_app: Any, tmp_path: Path) -> Callable[..., None]:
    """Compare the screen after some steps in a home where work was done."""

    def check(steps: Steps, size: tuple[int, int], *, is_empty: bool = False) -> None:
        app = make_app(clock=StillClock(AT))

        async def before(pilot: Pilot[int]) -> None:
            await until(pilot, lambda: app.has_started)
            await pilot.pause()
            if not is_empty:
                await with_work(tmp_path / "home" / "orca.db")
                app.main.changed(anew=True)
                await pilot.pause()
            await steps(app, pilot)
            await pilot.pause()
            app.bridge._tell = lambda _message: None  # what closing Orca has to tell is not in the picture
            await app.bridge.close(patience_s=0.0)
            app.main.query_one("#keys").note("")
            await pilot.pause()

        assert snap_compare(app, terminal_size=size, run_before=before)
        assert app.crash is None
        assert app.bridge.mistakes == []

    return check


@pytest.fixture(autouse=True)
def in_english() -> None:
    speak("en")


async def at_work(app: OrcaApp, pilot: Pilot[int]) -> None:
    """A task with a step of each kind, and its pane open."""
    app.main.commands.desk.working.begin("the shop answers 502 since this morning")
    await pilot.pause()
    tasks = app.bridge.orca.work.tasks
    task = await tasks.current(app.main.turns.session_id)
    for step, status in (
        ("look at the error log", "completed"),
        ("restart php-fpm", "failed"),
        ("看看上游服务器", "in_progress"),
        ("tell the others", "pending"),
    ):
        await tasks.add_step(task.task.id, step, status=status)
    app.main.changed(anew=True)
    await pilot.pause()
    await pilot.press("f6")
    await until(pilot, lambda: "tell the others" in seen(app))


@VIEWS
def test_at_work(snap, size, language) -> None:
    speak(language)
    snap(at_work, size)


@pytest.mark.long
@VIEWS
def test_nothing_was_done_yet(snap, size, language) -> None:
    async def steps(app: OrcaApp, pilot: Pilot[int]) -> None:
        await pilot.press("f6")
        await pilot.pause()

    speak(language)
    snap(steps, size, is_empty=True)


@SIZES
def test_what_was_learnt(snap, size) -> None:
    async def steps(app: OrcaApp, pilot: Pilot[int]) -> None:
        await pilot.press("f6", "right")
        await until(pilot, lambda: "502 from nginx" in seen(app))

    snap(steps, size)


@VIEWS
def test_an_episode_in_full(snap, size, language) -> None:
    async def steps(app: OrcaApp, pilot: Pilot[int]) -> None:
        await pilot.press("f6", "G", "enter")
        await until(pilot, lambda: len(app.screen_stack) == 2)

    speak(language)
    snap(steps, size)


@pytest.mark.long
@SIZES
def test_knowledge_in_full(snap, size) -> None:
    async def steps(app: OrcaApp, pilot: Pilot[int]) -> None:
        await pilot.press("f6", "right", "enter")
        await until(pilot, lambda: len(app.screen_stack) == 2)

    snap(steps, size)


@pytest.mark.long
def test_its_sources(snap) -> None:
    async def steps(app: OrcaApp, pilot: Pilot[int]) -> None:
        await pilot.press("f6", "right", "o")
        await until(pilot, lambda: len(app.screen_stack) == 2)

    snap(steps, NORMAL)


@pytest.mark.long
def test_a_form_of_an_episode(snap) -> None:
    async def steps(app: OrcaApp, pilot: Pilot[int]) -> None:
        await pilot.press("f6", "G", "e")
        await until(pilot, lambda: len(app.screen_stack) == 2)

    snap(steps, NARROW)


@pytest.mark.long
def test_every_tab_has_its_pane(snap) -> None:
    async def steps(app: OrcaApp, pilot: Pilot[int]) -> None:
        await pilot.press("f6", "space", "j", "space", "j")
        assert app.main.query_one(WorkPane).lead == "2 marked"

    snap(steps, NORMAL)


@VIEWS
def test_an_episode_that_waits(snap, size, language) -> None:
    async def steps(app: OrcaApp, pilot: Pilot[int]) -> None:
        await pilot.press("f5")
        await until(pilot, lambda: "404" in seen(app))

    speak(language)
    snap(steps, size)


GUIDES = pytest.mark.parametrize(
    ("size", "language"),
    [(WIDE, "en"), (WIDE, "zh"), (NARROW, "en"), (NARROW, "zh")],
    ids=["en-wide", "zh-wide", "en-narrow", "zh-narrow"],
)


async def at_guides(app: OrcaApp, pilot: Pilot[int], home: Path) -> None:
    """The tab of the guides, with one."""
    await with_guide(home / "orca.db")
    app.main.changed(anew=True)
    await pilot.press("f6", "left")
    await until(
        pilot, lambda: app.main.query_one("#guide-list", WorkList).current is not None and "web_search" in seen(app)
    )


@GUIDES
def test_guides_of_tools(snap, tmp_path, size, language) -> None:
    async def steps(app: OrcaApp, pilot: Pilot[int]) -> None:
        await at_guides(app, pilot, tmp_path / "home")

    speak(language)
    snap(steps, size)


@pytest.mark.long
@GUIDES
def test_a_guide_in_full(snap, tmp_path, size, language) -> None:
    async def steps(app: OrcaApp, pilot: Pilot[int]) -> None:
        await at_guides(app, pilot, tmp_path / "home")
        await pilot.press("enter")
        await until(pilot, lambda: len(app.screen_stack) == 2)

    speak(language)
    snap(steps, size)
