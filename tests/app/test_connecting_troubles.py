"""What can go wrong while a model is connected: said in the form, and everything is left as it was."""

from __future__ import annotations

from pathlib import Path

import pytest
from fakes.app_driver import SIZES, seen, until
from fakes.connecting import REFUSED, Server, opened, words
from textual.widgets import Input

from orca_core.config.config_file import LoadedSettings
from orca_core.model.errors import ModelRejected, StoreBusy
from orca_tui.language import speak

pytestmark = pytest.mark.long


@pytest.mark.parametrize("fails", ["store", "folder"])
def test_what_fails_while_saving_leaves_everything_as_it_was(make, drive, monkeypatch, fails: str) -> None:
    async def scenario(app, pilot) -> None:
        await opened(app, pilot)
        await pilot.press(*"ollama", "enter", "enter")
        await until(pilot, lambda: "answers" in seen(app))
        before = app.bridge.engine
        if fails == "store":
            monkeypatch.setattr(app.bridge, "doors", Broken(app.bridge.doors))
        else:
            monkeypatch.setattr("orca_core.config.config_edit._replace", refuse)
        await pilot.press("enter")
        await until(pilot, lambda: message in words(app))
        assert app.bridge.engine is before
        assert not app.bridge.loaded.settings.provider
        assert not config.exists()
        await pilot.press("escape")
        await until(pilot, lambda: "demo · no model connected" in seen(app))

    class Broken:
        def __init__(self, doors) -> None:
            self.try_model, self.list_models = doors.try_model, doors.list_models

        async def open_engine(self, loaded: LoadedSettings) -> object:
            raise StoreBusy(path="orca.db")

    def refuse(path: Path, text: str) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    message = {"store": "another process holds the database", "folder": "can not be written"}[fails]
    app, config = make(Server())
    drive(app, scenario)


@pytest.mark.parametrize("text", ["provider = [", "\ufffd".encode("utf-16").decode("latin-1"), 'deepseek = "x"\n'])
def test_a_configuration_that_can_not_be_read_is_said_and_left_alone(make, drive, text: str) -> None:
    async def scenario(app, pilot) -> None:
        await opened(app, pilot)
        await pilot.press(*"deepseek", "enter", *"sk-1", "enter", "enter")
        await until(pilot, lambda: "✗" in seen(app))
        assert config.read_bytes() == before
        assert server.tried == []

    server = Server()
    app, config = make(server)
    config.parent.mkdir()
    before = text.encode("latin-1")
    config.write_bytes(before)
    drive(app, scenario)


HOSTILE = "[/x] [@click=app.quit]hit[/] \u202e [bold \U000e0041"


@SIZES
def test_hostile_words_in_every_field_and_from_the_server_are_words(make, drive, size) -> None:
    async def scenario(app, pilot) -> None:
        await opened(app, pilot)
        for name in ("server", "address", "key", "model"):
            app.screen.query_one(f"#{name}").focus()
            await pilot.pause()
            app.screen.query_one(f"#{name}", Input).value = f"https://x/{HOSTILE}"
            await pilot.pause()
            await pilot.press("enter")
            await pilot.pause()
            assert not {"\x1b", "\u202e", "\U000e0041"} & set(seen(app))
        app.screen.query_one("#server").focus()
        await pilot.press(*"ollama", "enter")
        await until(pilot, lambda: "[@click=app.quit]hit" in words(app))
        await pilot.press("enter")
        await until(pilot, lambda: "[/nosuch] no" in words(app))
        assert not {"\x1b", "\u202e", "\U000e0041"} & set(seen(app))

    refusal = ModelRejected(provider="p", detail="[/nosuch] no \x1b[2J\u202e")
    server = Server(models=[HOSTILE], errors=[refusal, refusal])
    app, _config = make(server)
    drive(app, scenario, size)


@SIZES
def test_in_chinese_the_form_fits(make, drive, size) -> None:
    async def scenario(app, pilot) -> None:
        await pilot.press("ctrl+l")
        await until(pilot, lambda: "连接模型" in seen(app) and "ollama" in seen(app))
        await pilot.press(*"deepseek", "enter", *"sk-1", "enter", "enter")
        await until(pilot, lambda: "✗" in seen(app))
        assert "esc 保持原样" in words(app)
        assert "Authentication Fails" in words(app)
        assert "试一试" in words(app)

    speak("zh")
    server = Server(errors=[REFUSED])
    app, _config = make(server)
    drive(app, scenario, size)
