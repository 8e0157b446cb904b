"""How a round ended is said after a restart as it was said at the time."""

from __future__ import annotations

import pytest
from fakes.app_driver import seen, send, until
from fakes.scripted_model import ScriptedModel, hang, says

from orca_core.model.errors import ModelRejected, ModelUnavailable
from orca_core.model.llm import Completed, Finish, TextDelta
from orca_tui.language import speak

pytestmark = pytest.mark.long

CUT = ModelUnavailable(template="{provider}: the answer was cut off", hint="try again", provider="p")
REFUSED = ModelRejected(
    template="{provider}: the key was not accepted ({detail})",
    hint="check {provider}.api_key",
    provider="p",
    detail="no such key: sk-abcdef1234567890abcdef",
)


@pytest.mark.parametrize(
    ("script", "ending"),
    [
        ([TextDelta("half"), CUT], "p: the answer was cut off — try again"),
        ([REFUSED], "p: the key was not accepted (no such key: …) — check p.api_key"),
        ([TextDelta("half"), Completed(Finish.LENGTH, None)], "the model stopped at its longest answer"),
        (
            [TextDelta("half"), Completed(Finish.FILTERED, None, "2 left out")],
            "the provider's filter ended the answer 2 left out",
        ),
        ([TextDelta("whole"), Completed(Finish.STOP, None, "2 left out")], "2 left out"),
        (says("whole"), ""),
    ],
    ids=["cut", "refused", "length", "filtered", "note", "whole"],
)
def test_an_ending_is_the_same_after_a_restart(make_app, drive, script, ending) -> None:
    before, after = [], []

    async def first(app, pilot) -> None:
        await send(app, pilot, "which port?")
        before.append(app.main.transcript.last.said)

    async def second(app, pilot) -> None:
        after.append(app.main.transcript.last.said)
        if ending:
            assert ending in seen(app)

    drive(make_app(ScriptedModel(script)), first)
    drive(make_app(), second)
    assert after[0].ending == ending
    assert after[0].is_error == before[0].is_error
    assert after[0].receipt.plain == before[0].receipt.plain
    if "…" not in ending:  # a key is shown to whom it belongs, and kept nowhere
        assert after[0].ending == before[0].ending


def test_a_stop_stays_a_stop(make_app, drive) -> None:
    async def first(app, pilot) -> None:
        app.main.prompt.fill("tell me")
        await pilot.press("enter")
        await until(pilot, lambda: "half an answer" in seen(app))
        await pilot.press("escape")
        await until(pilot, lambda: not app.bridge.is_answering)

    async def second(app, pilot) -> None:
        assert app.main.transcript.last.said.ending == "— stopped"
        assert "partial, no weights moved" in seen(app)

    drive(make_app(ScriptedModel([TextDelta("half an answer"), hang])), first)
    drive(make_app(), second)


def test_an_ending_is_said_in_the_language_of_the_reader(make_app, drive) -> None:
    async def first(app, pilot) -> None:
        await send(app, pilot, "which port?")

    async def second(app, pilot) -> None:
        assert app.main.transcript.last.said.ending == "p：回答中途断了 — 再试一次"

    drive(make_app(ScriptedModel([TextDelta("half"), CUT])), first)
    speak("zh")
    drive(make_app(), second)
