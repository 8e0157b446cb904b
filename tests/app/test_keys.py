"""Every key that the help names does something, and can be given to another."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from fakes.app_driver import NORMAL, rows_of, seen, until
from textual.dom import DOMNode

from orca_core.model.llm import Span
from orca_core.settings import Settings
from orca_tui.app.app import OrcaApp
from orca_tui.app.chat.transcript import TRANSCRIPT, Transcript
from orca_tui.app.chat.turn_pane import TURN, TurnText
from orca_tui.app.keymap import INBOX, Key
from orca_tui.app.panes import EVERYWHERE, PANES, key_groups, known_ids
from orca_tui.app.records.activity import ACTIVITY, ActivityList
from orca_tui.app.records.inbox import InboxScreen
from orca_tui.app.records.memory_pane import MEMORIES, MemoryList
from orca_tui.app.work.steps import STEPS, StepList
from orca_tui.app.work.work_kinds import WorkList
from orca_tui.app.work.work_pane import LISTS

GROUPS = key_groups(PANES)

OWNERS: list[tuple[type[DOMNode], tuple[Key, ...]]] = [
    (OrcaApp, GROUPS[EVERYWHERE]),
    (Transcript, TRANSCRIPT),
    (TurnText, TURN),
    (MemoryList, MEMORIES),
    (StepList, STEPS),
    (WorkList, LISTS),
    (ActivityList, ACTIVITY),
    (InboxScreen, INBOX),
]


@pytest.mark.parametrize(("owner", "keys"), OWNERS, ids=lambda value: getattr(value, "__name__", ""))
def test_every_key_has_its_action(owner: type[DOMNode], keys: tuple[Key, ...]) -> None:
    missing = [key.id for key in keys if not hasattr(owner, f"action_{key.action.partition('(')[0]}")]
    assert missing == []


def test_ids_are_not_given_twice() -> None:
    ids = [key.id for keys in GROUPS.values() for key in keys]
    assert len(ids) == len(set(ids)) == len(known_ids(GROUPS))


def test_no_key_is_one_that_a_plain_terminal_can_not_send_apart() -> None:
    dead = {"ctrl+i", "ctrl+m", "ctrl+h", "ctrl+[", "ctrl+b"}
    bound = {each for keys in GROUPS.values() for key in keys for each in key.keys.split(",")}
    assert not bound & dead
    assert not [each for each in bound if each.startswith("alt+")]


@pytest.mark.long
def test_the_configuration_gives_an_action_another_key(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await pilot.press("f9")
        await until(pilot, lambda: len(app.screen_stack) == 2)
        assert "Keys and commands" in seen(app)
        assert "f9" in seen(app)
        await pilot.press("escape")
        await pilot.press("f1")
        await pilot.pause()
        assert len(app.screen_stack) == 1

    drive(make_app(settings=Settings(keys={"app.help": "f9", "app.unknown": "x"})), scenario, NORMAL)


def test_the_help_begins_with_the_focused_pane(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        rows_of(app).focus()
        await pilot.press("f1")
        await until(pilot, lambda: len(app.screen_stack) == 2)
        await pilot.pause()
        text = seen(app)
        assert text.index("Memories", text.index("Keys and commands")) < text.index("archive / restore")
        assert "search my prompts" not in text.split("archive / restore")[0]

    drive(make_app(), scenario, NORMAL)


def test_the_line_of_keys_follows_the_focus(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        assert "this turn" in seen(app).splitlines()[-1]
        rows_of(app).focus()
        await pilot.pause()
        last = seen(app).splitlines()[-1]
        assert "pin" in last
        assert "archive / restore" in last

    drive(make_app(), scenario, NORMAL)


def test_the_palette_knows_every_command(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await pilot.press("ctrl+p")
        await until(pilot, lambda: len(app.screen_stack) == 2)
        offered = {choice.value for choice in app.screen.choices}
        assert set(app.main.commands.words) <= offered
        assert {"show_pane('memories')", "help", "quit"} <= offered
        await pilot.press(*"/private", "enter")
        await until(pilot, lambda: app.main.turns.is_private)

    drive(make_app(), scenario, NORMAL)


@pytest.mark.long
def test_prompts_are_searched_and_the_side_is_hidden(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        app.main.prompt.remember([[Span("about docker")], [Span("about cooking")]])
        await pilot.press("ctrl+r")
        await until(pilot, lambda: "What you sent" in seen(app))
        await pilot.press(*"dock", "enter")
        await until(pilot, lambda: app.main.prompt.text == "about docker")
        await pilot.press("ctrl+t")
        await pilot.pause()
        assert not app.main.query_one("#side").display

    drive(make_app(), scenario, NORMAL)


def test_every_key_of_the_help_is_pressed_by_a_test() -> None:
    source = "\n".join(path.read_text("utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    lines = re.findall(r"(?:press|for keys? in|parametrize\()(.*)", source)
    pressed = {key for line in lines for key in re.findall(r'"([^"]+)"', line)}
    in_a_process = {"app.quit"}  # tests/app/test_process.py
    keys = [key for keys in GROUPS.values() for key in keys if key.id not in in_a_process]
    assert [key.id for key in keys if not pressed & set(key.keys.split(","))] == []
