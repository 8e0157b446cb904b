"""A word of an answer is drawn where it comes; the screen is laid out anew only for another line."""

from __future__ import annotations

import pytest
from fakes.app_driver import seen
from fakes.drawing import Drawing

from orca_core.domain.events import Reasoning
from orca_core.domain.messages import Span
from orca_tui.app.talk.round_view import RoundView
from orca_tui.app.talk.shown_round import ShownRound

ANSWER = """# A plan

First **some** text with `code`, long enough that it takes a second line on a screen that is as wide as this one is.

Then the end.
"""


@pytest.fixture
def drawing(monkeypatch: pytest.MonkeyPatch) -> Drawing:
    return Drawing(monkeypatch)


async def asked(app, pilot) -> RoundView:
    view = await app.main.transcript.begin(ShownRound(1, (Span("what now?"),)))
    await pilot.pause()
    return view


async def say(view: RoundView, pilot, text: str) -> None:
    await view.add(text)
    await pilot.pause()


def pieces(text: str) -> list[str]:
    return text.replace(" ", " \0").split("\0")


def test_a_word_in_a_line_that_is_there_draws_its_paragraph_alone(make_app, drive, drawing: Drawing) -> None:
    async def scenario(app, pilot) -> None:
        view = await asked(app, pilot)
        await say(view, pilot, "the first ")
        drawing.begin()
        await say(view, pilot, "words ")
        assert "the first words" in seen(app)
        assert drawing.lines == {"level-0": 1}
        assert drawing.layouts == 0

    drive(make_app(), scenario)


def test_another_line_lays_the_screen_out(make_app, drive, drawing: Drawing) -> None:
    async def scenario(app, pilot) -> None:
        view = await asked(app, pilot)
        await say(view, pilot, "the first ")
        drawing.begin()
        await say(view, pilot, "words " * 20 + "and the last")
        assert drawing.layouts == 1
        assert "and the last" in seen(app)

    drive(make_app(), scenario)


def test_an_event_of_a_turn_lays_nothing_out_in_the_panes(make_app, drive, drawing: Drawing) -> None:
    async def scenario(app, pilot) -> None:
        await asked(app, pilot)
        drawing.begin()
        app.main.side.take(Reasoning("so "))
        await pilot.pause()
        assert drawing.layouts == 0
        assert not drawing.lines

    drive(make_app(), scenario)


def test_folded_reasoning_counts_its_characters_in_its_line(make_app, drive, drawing: Drawing) -> None:
    async def scenario(app, pilot) -> None:
        view = await asked(app, pilot)
        await view.think("let me ")
        await pilot.pause()
        drawing.begin()
        await view.think("see ")
        await pilot.pause()
        assert "thinking · 11 characters" in seen(app)
        assert drawing.layouts == 0

    drive(make_app(), scenario)


def test_what_streamed_word_by_word_looks_as_it_does_in_one_piece(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        view = await asked(app, pilot)
        for piece in pieces(ANSWER):
            await say(view, pilot, piece)
        streamed = seen(app)
        await view.finish(ANSWER)
        await pilot.pause()
        assert streamed == seen(app)

    drive(make_app(), scenario)


def test_another_paragraph_lays_the_screen_out_once(make_app, drive, drawing: Drawing) -> None:
    async def scenario(app, pilot) -> None:
        view = await asked(app, pilot)
        await say(view, pilot, "the first \n\n")
        drawing.begin()
        await say(view, pilot, "the second ")
        assert "the second" in seen(app)
        assert drawing.layouts == 1

    drive(make_app(), scenario)
