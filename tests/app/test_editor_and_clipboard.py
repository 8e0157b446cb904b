"""What leaves the app: to an editor, to the terminal's clipboard."""

from __future__ import annotations

import base64
import stat
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
from fakes.app_driver import rows_of, seen, send, until
from fakes.scripted_model import ScriptedModel, says

from orca_tui.app.terminal import copy, edited

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


@pytest.mark.long
def test_pages_of_the_memories(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        for number in range(60):
            await app.bridge.engine.memories.add(f"memory number {number}")
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
