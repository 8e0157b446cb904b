"""A command of its own, as docs/adding.md shows it: one entry in the table, and everything follows."""

from __future__ import annotations

import pytest
from fakes.app_driver import NORMAL, seen, until

from orca_tui.app.commands import COMMANDS, Command, Desk
from orca_tui.app.panes import EVERYWHERE, PANES, key_groups
from orca_tui.language import N_


def _shout(desk: Desk, rest: str) -> None:
    desk.stage.note(rest.upper())


SHOUT = Command("/shout", N_("say TEXT in capitals"), _shout, wants_text=True)


@pytest.fixture
def toy_app(make_app):
    return lambda: make_app(commands=(*COMMANDS, SHOUT))


def test_the_prompt_offers_and_completes_it(toy_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await pilot.press(*"/sho")
        await until(pilot, lambda: "say TEXT in capitals" in seen(app))
        await pilot.press("tab", *"hello", "enter")
        await until(pilot, lambda: "HELLO" in seen(app))
        assert "HELLO" in seen(app)

    drive(toy_app(), scenario, NORMAL)


def test_every_key_of_a_command_names_one_that_there_is() -> None:
    actions = [key.action for key in key_groups(PANES)[EVERYWHERE] if key.action.startswith("command(")]
    named = {action.removeprefix("command('").removesuffix("')") for action in actions}

    assert named
    assert named <= {command.name for command in COMMANDS}
