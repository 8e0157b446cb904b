"""A pane of its own, as docs/adding.md shows it: one class, one entry in the tuple, and everything follows."""

from __future__ import annotations

import pytest
from fakes.app_driver import NARROW, NORMAL, seen, send, until
from textual.app import ComposeResult
from textual.widgets import Static

from orca_core.model.events import Reply
from orca_tui.app.keymap import Key, bindings
from orca_tui.app.main import MainScreen
from orca_tui.app.pane import About, Happening, Pane
from orca_tui.app.panes import PANES
from orca_tui.language import N_

TALLY = (Key("tally.clear", "x", "clear", N_("begin at nought"), is_shown=True),)


class TallyText(Static, can_focus=True):
    BINDINGS = bindings(TALLY)

    def action_clear(self) -> None:
        self.update("0 answers")


class TallyPane(Pane):
    """Counts the answers."""

    about = About("tally", N_("Tally"), N_("the tally"), "f7", TALLY, stop="#tally-text", share=1)

    def compose_body(self) -> ComposeResult:
        self.answers = 0
        yield TallyText("0 answers", id="tally-text", markup=False)

    def take(self, event: Happening) -> None:
        if isinstance(event, Reply):
            self.answers += 1
            self.query_one(TallyText).update(f"{self.answers} answers")


@pytest.fixture
def toy_app(make_app):
    return lambda **more: make_app(panes=(*PANES, TallyPane), **more)


@pytest.mark.parametrize("size", [NORMAL, NARROW], ids=["beside the chat", "in its place"])
def test_it_has_a_place_a_title_and_takes_events(toy_app, drive, size) -> None:
    async def scenario(app, pilot) -> None:
        await send(app, pilot, "hello there")
        await pilot.press("f7")
        await until(pilot, lambda: app.main.query_one(TallyText).has_focus)
        assert "Tally" in seen(app)
        assert "1 answers" in seen(app)
        await pilot.press("f7")
        await until(pilot, lambda: app.main.prompt.has_focus)

    drive(toy_app(), scenario, size)


@pytest.mark.long
def test_it_comes_with_the_others_behind_the_first_frame(toy_app, drive, monkeypatch) -> None:
    first: list[tuple[bool, int]] = []
    complete = MainScreen.complete

    async def watched(main: MainScreen) -> None:
        first.append(("Message" in seen(main.app), len(main.side.panes)))
        await complete(main)

    monkeypatch.setattr(MainScreen, "complete", watched)

    async def scenario(app, pilot) -> None:
        assert first == [(True, 0)]
        assert [pane.about.id for pane in app.main.side.panes][-1] == "tally"
        assert len(app.main.side.panes) == len(PANES) + 1

    drive(toy_app(), scenario)


def test_its_keys_count_in_it_and_stand_in_the_line_and_first_in_the_help(toy_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await send(app, pilot, "hello there")
        assert "begin at nought" not in seen(app)
        app.main.query_one(TallyText).focus()
        await pilot.pause()
        assert "x begin at nought" in seen(app).splitlines()[-1]
        await pilot.press("x")
        await until(pilot, lambda: "0 answers" in seen(app))
        await pilot.press("f1")
        await until(pilot, lambda: "Keys and commands" in seen(app))
        help_text = seen(app)
        assert help_text.index("Tally", help_text.index("Keys and commands")) < help_text.index("tally.clear")
        assert help_text.index("tally.clear") < help_text.index("app.stop")

    drive(toy_app(), scenario, NORMAL)
