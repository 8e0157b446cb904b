"""Connecting a model by keys: one screen that stays, nothing written before it worked, keys that stay hidden."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from fakes.app_driver import SIZES, seen, until
from fakes.connecting import REFUSED, Server, opened, words
from textual.widgets import Input

from orca_core.model.errors import ModelUnavailable
from orca_core.settings import ProviderSettings, Settings


@pytest.mark.long
@SIZES
def test_a_refused_key_stays_with_the_servers_words_and_is_mended_in_place(make, drive, size) -> None:
    async def scenario(app, pilot) -> None:
        await opened(app, pilot)
        await pilot.press(*"deepseek", "enter", *"sk-wrong", "enter", "enter")
        await until(pilot, lambda: "the key was not accepted" in words(app))
        assert "****rong is invalid" in words(app)
        assert "check deepseek.api_key" in words(app)
        assert not config.exists()
        assert app.screen.query_one("#key", Input).value == "sk-wrong"
        assert "sk-wrong" not in seen(app)
        await pilot.press("shift+tab", "shift+tab")  # over the model
        assert app.focused.id == "key"
        await pilot.press("end", *["backspace"] * 5, *"right", "enter")
        assert "the key was not accepted" not in words(app)  # it was about another key
        await pilot.press("enter")
        await until(pilot, lambda: "deepseek-v4-flash answers" in words(app))
        assert not config.exists()
        await pilot.press("enter")
        await until(pilot, lambda: "connected: deepseek · deepseek-v4-flash" in seen(app))
        assert 'api_key = "sk-right"' in config.read_text(encoding="utf-8")
        assert server.keys == ["sk-wrong", "sk-right"]

    server = Server(errors=[REFUSED])
    app, config = make(server)
    drive(app, scenario, size)


@pytest.mark.long
def test_trying_again_asks_again_with_the_same_words(make, drive) -> None:
    async def scenario(app, pilot) -> None:
        await opened(app, pilot)
        await pilot.press(*"deepseek", "enter", *"sk-1", "enter", "enter")
        await until(pilot, lambda: "overloaded" in words(app))
        await pilot.press("enter")
        await until(pilot, lambda: "answers" in seen(app))
        assert server.keys == ["sk-1", "sk-1"]

    server = Server(errors=[ModelUnavailable(provider="deepseek", detail="overloaded")])
    app, _config = make(server)
    drive(app, scenario)


@pytest.mark.long
def test_leaving_after_a_try_that_worked_writes_nothing(make, drive) -> None:
    async def scenario(app, pilot) -> None:
        await opened(app, pilot)
        await pilot.press(*"ollama", "enter", "enter")
        await until(pilot, lambda: "llama3.2 answers" in seen(app))
        await pilot.press("escape")
        await until(pilot, lambda: len(app.screen_stack) == 1)
        assert not config.exists()
        assert "demo · no model connected" in seen(app)

    app, config = make(Server())
    drive(app, scenario)


def test_what_worked_is_saved_and_nothing_else(make, drive) -> None:
    async def scenario(app, pilot) -> None:
        await opened(app, pilot)
        await pilot.press(*"ollama", "enter", "enter")
        await until(pilot, lambda: "llama3.2 answers" in seen(app))
        app.screen.query_one("#model").focus()
        await pilot.press("x")
        assert app.screen.query_one("#save").disabled
        assert "answers" not in seen(app)

    app, _config = make(Server())
    drive(app, scenario)


@pytest.mark.long
def test_the_configuration_keeps_its_comments_and_its_place(make, drive, tmp_path: Path) -> None:
    async def scenario(app, pilot) -> None:
        await opened(app, pilot)
        await pilot.press(*"ollama", "enter", "enter")
        await until(pilot, lambda: "answers" in seen(app))
        await pilot.press("enter")
        await until(pilot, lambda: "connected: ollama" in seen(app))
        assert config.is_symlink()
        text = dotfile.read_text(encoding="utf-8")
        assert "# my own words" in text
        assert 'provider = "ollama"' in text

    app, config = make(Server())
    dotfile = tmp_path / "dotfile.toml"
    dotfile.write_text('# my own words\nprovider = ""\n', encoding="utf-8")
    config.parent.mkdir()
    config.symlink_to(dotfile)
    drive(app, scenario)


@pytest.mark.long
def test_models_are_listed_as_the_server_offers_them(make, drive) -> None:
    async def scenario(app, pilot) -> None:
        await opened(app, pilot)
        await pilot.press(*"ollama", "enter")
        await until(pilot, lambda: "qwen3:4b" in seen(app))
        assert app.screen.query_one("#model", Input).value == ""  # the usual one is not offered
        await pilot.press(*"qwen", "enter")
        await until(pilot, lambda: "qwen3:4b answers" in seen(app))
        await pilot.press("enter")
        await until(pilot, lambda: "connected: ollama · qwen3:4b" in seen(app))
        await opened(app, pilot)
        assert "in use · qwen3:4b" in seen(app)
        await pilot.press("enter")
        await until(pilot, lambda: "gemma3" in seen(app))
        await pilot.press(*"qwen3", "down", "enter")  # a name that is not offered, as it was typed
        await until(pilot, lambda: "qwen3 answers" in seen(app))
        assert server.tried[-1].settings.providers["ollama"].model == "qwen3"

    server = Server(models=["gemma3", "qwen3:4b"])
    app, _config = make(server)
    drive(app, scenario)


@pytest.mark.long
def test_an_own_address_is_kept_under_a_name_of_its_own(make, drive) -> None:
    async def scenario(app, pilot) -> None:
        await opened(app, pilot)
        await pilot.press(*"https://llm.example.net/v1", "enter")
        assert app.focused.id == "key"
        await pilot.press("enter")
        await until(pilot, lambda: "its-model" in seen(app))
        await pilot.press("enter")
        await until(pilot, lambda: "its-model answers" in seen(app))
        assert "[example]" in words(app)
        await pilot.press("enter")
        await until(pilot, lambda: "connected: example · its-model" in seen(app))
        assert server.listed[0].settings.providers["example"].base_url == "https://llm.example.net/v1"

    server = Server(models=["its-model"])
    app, _config = make(server)
    drive(app, scenario)


def test_a_key_is_never_sent_to_another_server(make, drive) -> None:
    async def scenario(app, pilot) -> None:
        await opened(app, pilot)
        await pilot.press(*"deepseek", "enter", *"sk-of-deepseek")
        app.screen.query_one("#server").focus()
        await pilot.press(*"ollama", "enter")
        await until(pilot, lambda: server.listed)
        await pilot.press("enter")
        await until(pilot, lambda: server.tried)
        assert server.keys == [None]

    server = Server()
    app, _config = make(server)
    drive(app, scenario)


@pytest.mark.long
def test_the_key_that_is_kept_does_not_follow_a_changed_address(make, drive) -> None:
    async def scenario(app, pilot) -> None:
        await opened(app, pilot)
        await pilot.press("enter")
        app.screen.query_one("#address").focus()
        await pilot.press("end", *["backspace"] * 30, *"https://other.net/v1", "enter")
        app.screen.query_one("#model").focus()
        await pilot.press("enter")
        await until(pilot, lambda: server.tried)
        [loaded] = server.tried
        assert loaded.settings.provider == "other"
        assert loaded.settings.providers["other"].api_key is None

    server = Server()
    own = ProviderSettings(base_url="https://own.example/v1", model="m", api_key="sk-kept")
    app, config = make(server, Settings(provider="own", providers={"own": own}))
    config.parent.mkdir()
    config.write_text(
        'provider = "own"\n[own]\nbase_url = "https://own.example/v1"\nmodel = "m"\napi_key = "sk-kept"\n', "utf-8"
    )
    drive(app, scenario)


@pytest.mark.long
def test_a_try_is_stopped_and_the_form_stays(make, drive) -> None:
    async def scenario(app, pilot) -> None:
        server.gate = asyncio.Event()
        await opened(app, pilot)
        await pilot.press(*"ollama", "enter", "enter")
        await until(pilot, lambda: "trying llama3.2" in seen(app))
        await pilot.press("escape")
        await until(pilot, lambda: "stopped" in seen(app))
        server.gate.set()
        await pilot.pause()
        assert "answers" not in seen(app)
        await pilot.press("escape")
        await until(pilot, lambda: len(app.screen_stack) == 1)

    server = Server()
    app, _config = make(server)
    drive(app, scenario)
