"""Keys, commands and panes: what is offered, what escape does, what is searched, edited and copied."""

from __future__ import annotations

import asyncio
import base64
import re
import stat
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
from fakes.app_driver import NARROW, NORMAL, WIDE, rows_of, seen, send, settled, until
from fakes.scripted_model import ScriptedModel, says
from textual.dom import DOMNode

from orca_core.model.errors import EmbeddingError
from orca_core.model.events import LevelChanged
from orca_core.model.llm import Span
from orca_core.model.recall import Level
from orca_core.rules.memory.causes import cause_of_error
from orca_core.settings import Settings
from orca_tui.app.app import OrcaApp
from orca_tui.app.bridge import TurnEvent
from orca_tui.app.chat.transcript import TRANSCRIPT, Transcript
from orca_tui.app.chat.turn_pane import TURN, TurnText
from orca_tui.app.keymap import INBOX, Key
from orca_tui.app.panes import EVERYWHERE, PANES, key_groups, known_ids
from orca_tui.app.records.activity import ACTIVITY, ActivityList
from orca_tui.app.records.inbox import InboxScreen
from orca_tui.app.records.memory_pane import MEMORIES, MemoryList
from orca_tui.app.terminal import copy, edited
from orca_tui.app.widgets.dialogs import Choice, choice_lines
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


def test_every_key_of_the_help_is_pressed_by_a_test() -> None:
    source = "\n".join(path.read_text("utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    lines = re.findall(r"(?:press|for keys? in|parametrize\()(.*)", source)
    pressed = {key for line in lines for key in re.findall(r'"([^"]+)"', line)}
    in_a_process = {"app.quit"}  # tests/app/test_process.py
    keys = [key for keys in GROUPS.values() for key in keys if key.id not in in_a_process]
    assert [key.id for key in keys if not pressed & set(key.keys.split(","))] == []


def test_commands_are_offered_while_they_are_typed(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await pilot.press("slash", "r", "e")
        await until(pilot, lambda: "remember TEXT" in seen(app))
        assert "> /rename" in seen(app).replace("▸", ">")
        await pilot.press("down", "tab")
        assert app.main.prompt.text == "/remember "
        await pilot.press(*"tea", "enter")
        await until(pilot, lambda: rows_of(app).count == 1)
        assert not app.main.query_one("#slash").display

    drive(make_app(), scenario)


@pytest.mark.long
def test_enter_carries_out_what_is_offered_and_begins_what_wants_a_text(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await pilot.press(*"/pri", "enter")
        await until(pilot, lambda: app.main.turns.is_private)
        await pilot.press(*"/forg", "enter")
        assert app.main.prompt.text == "/forget "
        await pilot.press("enter")
        await until(pilot, lambda: "what? /forget TEXT" in seen(app))

    drive(make_app(), scenario)


@pytest.mark.long
def test_escape_closes_the_offer_and_nothing_else(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await pilot.press(*"/re", "escape")
        assert app.main.prompt.text == "/re"
        assert not app.main.query_one("#slash").display

    drive(make_app(), scenario)


@pytest.mark.parametrize(
    ("size", "stops"),
    [
        (WIDE, ["prompt", "transcript", "turn-body", "memory-list", "activity-list", "prompt"]),
        (NARROW, ["prompt", "transcript", "prompt"]),
    ],
    ids=["wide", "narrow"],
)
def test_tab_goes_by_panes_and_not_by_messages(make_app, drive, size, stops) -> None:
    async def scenario(app, pilot) -> None:
        await send(app, pilot, "one")
        await send(app, pilot, "two")
        for stop in stops[1:]:
            await pilot.press("tab")
            assert app.focused.id == stop
        app.main.transcript.last.focus()
        await pilot.press("shift+tab")
        assert app.focused.id == "prompt"

    drive(make_app(), scenario, size)


def test_this_turn_opens_what_was_put_in_and_shows_the_block_as_sent(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await app.bridge.orca.memories.add("docker 里的 postgres 固定在 16")
        await send(app, pilot, "hi")
        await send(app, pilot, "docker 里的 postgres 连不上")
        await pilot.press("f2", "enter")
        await until(pilot, lambda: "confidence" in seen(app))
        assert "postgres 固定在 16" in seen(app)
        await pilot.press("escape", "w")
        await until(pilot, lambda: "as sent" in seen(app))
        assert "docker 里的 postgres 固定在 16" in seen(app)

    drive(make_app(ScriptedModel(says("看端口"))), scenario)


@pytest.mark.long
def test_a_level_that_falls_leaves_a_line_with_its_cause(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        failure = EmbeddingError(provider="siliconflow", detail="connection refused")
        app.main.post_message(TurnEvent(LevelChanged(Level.TEXT_ONLY, cause_of_error(failure))))
        app.main.changed()
        await settled(app, pilot)
        assert "memory is found by its words only: " in seen(app)
        await pilot.press("f4", "enter")
        await until(pilot, lambda: "connection refused — orca doctor says more" in seen(app))

    drive(make_app(), scenario)


def test_the_key_of_escape_says_what_it_does(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        last = seen(app).splitlines()[-1]
        assert "esc" not in last
        app.main.prompt.fill("tell me")
        await pilot.press("enter")
        await until(pilot, lambda: "esc stop" in seen(app).splitlines()[-1])
        go_on.set()
        await until(pilot, lambda: not app.bridge.is_answering)
        await pilot.press("f3")
        assert "esc back" in seen(app).splitlines()[-1]

    go_on = asyncio.Event()
    drive(make_app(ScriptedModel([go_on.wait, *says("done")])), scenario)


def underlined(choice: Choice, width: int = 40) -> list[str]:
    content = choice_lines([choice], 0, width, 3, ">")
    return [content.plain[span.start : span.end] for span in content.spans if "underline" in str(span.style)]


@pytest.mark.parametrize(
    ("label", "marks", "width", "shown"),
    [
        ("the port is 5433", ((4, 8),), 40, ["port"]),
        ("端口是 5433，不是 5432", ((0, 2), (4, 8)), 40, ["端口", "5433"]),
        ("a long line that is cut before its mark", ((35, 39),), 20, []),
        ("the mark is cut apart: postgres", ((23, 31),), 29, ["pos…"]),
        ("bell\x07 before the mark", ((17, 21),), 40, []),
        ("nothing", (), 40, []),
    ],
)
def test_marks_stand_where_they_are_shown(label, marks, width, shown) -> None:
    assert underlined(Choice(label, "1", marks=marks), width) == shown


def test_a_chat_is_named_resumed_and_deleted_from_the_list(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await send(app, pilot, "about docker")
        first = app.main.turns.session_id
        await pilot.press("ctrl+n")
        await pilot.pause()
        assert app.main.transcript.views == []
        await send(app, pilot, "about cooking")
        assert app.main.turns.session_id != first
        await pilot.press("ctrl+s")
        await until(pilot, lambda: "about docker" in seen(app) and len(app.screen_stack) == 2)
        await pilot.press("down", "enter")
        await until(pilot, lambda: app.main.turns.session_id == first and len(app.main.transcript.views) == 1)
        await send(app, pilot, "/rename ports and proxies")
        await until(pilot, lambda: "ports and proxies" in seen(app))
        await pilot.press("ctrl+s")
        await until(pilot, lambda: len(app.screen_stack) == 2)
        await pilot.press("ctrl+d")
        await until(pilot, lambda: "for good" in seen(app))
        await pilot.press("y")
        await until(pilot, lambda: len(app.screen_stack) == 2)
        assert len(await app.bridge.orca.sessions.list()) == 1

    drive(make_app(), scenario)


@pytest.mark.long
def test_a_chat_is_forked_searched_and_saved(make_app, drive, tmp_path: Path) -> None:
    async def scenario(app, pilot) -> None:
        await send(app, pilot, "the giraffe server")
        await send(app, pilot, "another matter")
        first = app.main.turns.session_id
        await send(app, pilot, "/fork 1")
        await until(pilot, lambda: app.main.turns.session_id != first and len(app.main.transcript.views) == 1)
        await send(app, pilot, "/search giraffe")
        await until(pilot, lambda: "2 messages" in seen(app))
        await pilot.press("escape")
        target = tmp_path / "chat.md"
        await send(app, pilot, f"/export {target}")
        await until(pilot, target.exists)
        assert "the giraffe server" in target.read_text(encoding="utf-8")
        await send(app, pilot, f"/export {target}")
        await until(pilot, lambda: "is there already" in seen(app))

    drive(make_app(), scenario)


@pytest.mark.long
def test_no_model_is_changed_under_an_answer(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await pilot.press(*"hello", "enter")
        await until(pilot, lambda: app.bridge.is_answering)
        await pilot.press("ctrl+l")
        await until(pilot, lambda: "stop the answer first" in seen(app))
        assert len(app.screen_stack) == 1
        go_on.set()

    go_on = asyncio.Event()
    drive(make_app(ScriptedModel([go_on.wait, *says("done")])), scenario)


ANSWER = "Two ways:\n\n```sh\nfirst\n```\n\nor\n\n```sh\nsecond\n```"


class Suspendable:
    """As much of an app as an editor needs."""

    rang = False

    @contextmanager
    def suspend(self):
        yield

    def bell(self) -> None:
        self.rang = True


def editor_that(does: str, place: Path) -> str:
    script = place / "editor.py"
    script.write_text(f"#!{sys.executable}\nimport sys, pathlib\npath = pathlib.Path(sys.argv[1])\n{does}\n", "utf-8")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    return str(script)


@pytest.mark.parametrize(
    ("does", "left"),
    [
        ("path.write_text(path.read_text('utf-8') + ' and more', 'utf-8')", "问题 and more"),
        ("path.write_bytes(b'\\xff broken')", "\ufffd broken"),
        ("sys.exit(3)", None),
        ("path.unlink()", None),
    ],
    ids=["edits", "breaks", "fails", "removes"],
)
def test_an_editor_gives_back_what_it_left(monkeypatch, tmp_path: Path, does: str, left: str | None) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", editor_that(does, tmp_path))
    assert edited(Suspendable(), "问题") == left


def test_no_editor_is_said_and_nothing_is_lost(monkeypatch) -> None:
    monkeypatch.setenv("VISUAL", "/no/such/editor --wait")
    app = Suspendable()
    assert edited(app, "text") is None
    assert app.rang


def test_code_blocks_are_copied_one_after_the_other(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await send(app, pilot, "how?")
        app.main.transcript.last.focus()
        copied = []
        for _press in range(3):
            await pilot.press("c")
            copied.append(app.clipboard)
        assert copied == ["first", "second", "first"]
        await pilot.press("y")
        assert app.clipboard == ANSWER

    drive(make_app(ScriptedModel(says(ANSWER))), scenario)


class Terminal:
    """A driver that keeps what is written."""

    def __init__(self) -> None:
        self.written = ""

    def write(self, data: str) -> None:
        self.written += data


class Copying:
    """As much of an app as copying needs."""

    def __init__(self) -> None:
        self._driver = Terminal()
        self.copied = ""

    def copy_to_clipboard(self, text: str) -> None:
        self.copied = text


def test_a_copy_passes_through_tmux(monkeypatch) -> None:
    monkeypatch.setenv("TMUX", "/tmp/tmux-0/default,1,0")
    app = Copying()
    assert copy(app, "端口 5433") == "copied 7 characters"
    payload = base64.b64encode("端口 5433".encode()).decode()
    assert app._driver.written == f"\x1bPtmux;\x1b\x1b]52;c;{payload}\a\x1b\\"
    assert app.copied == "端口 5433"


def test_what_a_terminal_would_drop_is_not_sent(monkeypatch) -> None:
    monkeypatch.setenv("TMUX", "/tmp/tmux-0/default,1,0")
    app = Copying()
    assert "too long" in copy(app, "x" * 80_000)
    assert (app.copied, app._driver.written) == ("", "")


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


def test_the_keys_of_the_editor_say_where_there_is_none(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await send(app, pilot, "hello")
        await pilot.press(*"draft", "ctrl+g")
        await until(pilot, lambda: "your editor can't be opened here" in seen(app))
        assert app.main.prompt.text == "draft"
        app.main.note("")
        app.main.transcript.last.focus()
        await pilot.press("o")
        await until(pilot, lambda: "your editor can't be opened here" in seen(app))

    drive(make_app(), scenario)


@pytest.mark.long
def test_pages_of_the_memories(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        for number in range(60):
            await app.bridge.orca.memories.add(f"memory number {number}")
        rows_of(app).ask_again()
        await until(pilot, lambda: rows_of(app).count == 60)
        rows_of(app).focus()
        await pilot.pause()
        await pilot.press("pagedown")
        step = rows_of(app).cursor
        assert step == rows_of(app).size.height - 1
        await pilot.press("pagedown", "pageup")
        assert rows_of(app).cursor == step

    drive(make_app(), scenario)
