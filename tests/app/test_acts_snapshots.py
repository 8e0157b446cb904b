"""How acts look, and what came of them, in three sizes and either language."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_textual_snapshot
from fakes.app_driver import NARROW, NORMAL, WIDE, seen, send, settled, until
from fakes.clocks import StillClock
from fakes.records import AT
from fakes.scripted_model import ScriptedModel, says
from fakes.supported import by_act, by_round, header, shown, supported
from textual.pilot import Pilot

from orca_core.model.feedback import Action, ActionType
from orca_core.store.sqlite.store import open_stores
from orca_tui.app.app import OrcaApp
from orca_tui.language import speak

pytestmark = pytest.mark.long

pytest_textual_snapshot.SVGImageExtension.file_extension = "svg"  # the plugin knows another syrupy

VIEWS = pytest.mark.parametrize(
    ("size", "language"), [(WIDE, "en"), (NORMAL, "zh"), (NARROW, "en")], ids=["wide", "chinese", "narrow"]
)
Steps = Callable[[OrcaApp, "Pilot[int]"], Awaitable[None]]


@pytest.fixture
def snap(snap_compare: Any, make_app: Any) -> Callable[..., None]:
    """Compare the screen after some steps."""

    def check(steps: Steps, size: tuple[int, int], **make: Any) -> None:
        app = make_app(**{"clock": StillClock(), **make})

        async def before(pilot: Pilot[int]) -> None:
            await until(pilot, lambda: app.has_started)
            await steps(app, pilot)
            await settled(app, pilot)
            app.bridge._tell = lambda _message: None  # what closing Orca has to tell is not in the picture
            await app.bridge.close(patience_s=0.0)
            app.main.query_one("#keys").note("")
            await pilot.pause()

        assert snap_compare(app, terminal_size=size, run_before=before)
        assert app.bridge.mistakes == []

    return check


@VIEWS
def test_answers_that_were_judged(snap, size, language) -> None:
    async def steps(app: OrcaApp, pilot: Pilot[int]) -> None:
        await send(app, pilot, "which port does postgres have?")
        await send(app, pilot, "怎么看它的日志？")
        app.main.transcript.views[0].focus()
        for key, mark in (("minus", "▼"), ("j", ""), ("plus", "▲")):
            await pilot.press(key)
            await until(pilot, lambda mark=mark: mark in seen(app))

    speak(language)
    model = ScriptedModel(says("It listens on **5433**."), says("```sh\ndocker compose logs postgres\n```"))
    snap(steps, size, model=model)


@VIEWS
def test_a_candidate_that_acts_show(snap, size, language, tmp_path: Path) -> None:
    async def steps(app: OrcaApp, pilot: Pilot[int]) -> None:
        stores = await open_stores(tmp_path / "home" / "orca.db", scope="me", must_exist=True)
        number = await shown(stores)
        liked = await stores.feedback.record(Action(0, "", ActionType.LIKE, "s", AT, round=1), header("like"))
        await supported(stores, by_act(number, liked.action.id, 0), by_round(number, 4, 1))
        await stores.upkeep.aclose()
        await pilot.press("f5")
        await until(pilot, lambda: "0.8" in seen(app))

    speak(language)
    snap(steps, size)
