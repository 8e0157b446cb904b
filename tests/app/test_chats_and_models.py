"""Chats as wholes, and connecting a model."""

from __future__ import annotations

import asyncio
from pathlib import Path

from fakes.app_driver import seen, send, until
from fakes.model_server import DONE, ModelServer, chunk, stream
from fakes.scripted_model import ScriptedModel, says

from orca_core.config_file import LoadedSettings
from orca_core.domain.errors import ModelRejected
from orca_core.settings import Settings


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
        assert len(await app.bridge.engine.sessions.list()) == 1

    drive(make_app(), scenario)


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


def test_a_model_is_connected_and_the_configuration_keeps_its_comments(make_app, drive, tmp_path: Path) -> None:
    async def scenario(app, pilot) -> None:
        assert "demo · no model connected" in seen(app)
        config.write_text('# my own words\nprovider = ""\n', encoding="utf-8")
        await pilot.press("ctrl+l")
        await until(pilot, lambda: "Connect a model" in seen(app))
        await pilot.press(*"ollama", "enter")
        await pilot.pause()
        await pilot.press("enter")
        await until(pilot, lambda: "connected: ollama" in seen(app))
        text = config.read_text(encoding="utf-8")
        assert "# my own words" in text
        assert 'provider = "ollama"' in text
        assert "llama3.2" in seen(app)
        assert tried == ["ollama"]

    tried: list[str] = []

    async def try_model(loaded) -> None:
        tried.append(loaded.settings.provider)

    config = tmp_path / "home" / "config.toml"
    config.parent.mkdir()
    drive(make_app(settings=Settings(), try_model=try_model), scenario)


def test_a_model_that_does_not_answer_changes_nothing(make_app, drive, tmp_path: Path) -> None:
    async def scenario(app, pilot) -> None:
        await pilot.press("ctrl+l")
        await until(pilot, lambda: "Connect a model" in seen(app))
        assert "needs a key" in seen(app)
        await pilot.press(*"deepseek", "enter")
        await pilot.pause()
        await pilot.press(*"sk-wrong", "enter")
        await pilot.pause()
        assert "sk-wrong" not in seen(app)
        await pilot.press("enter")
        await until(pilot, lambda: "the key was refused" in seen(app))
        assert not config.exists()
        assert "demo · no model connected" in seen(app)

    async def try_model(loaded) -> None:
        raise ModelRejected(provider="deepseek", detail="the key was refused")

    config = tmp_path / "home" / "config.toml"
    drive(make_app(settings=Settings(), try_model=try_model), scenario)


def test_one_word_is_sent_to_try_a_model() -> None:
    import asyncio

    from orca_core.bootstrap import try_model
    from orca_core.config_file import LoadedSettings
    from orca_core.settings import ProviderSettings

    with ModelServer() as server:
        server.will(stream(chunk("pong", finish="stop"), DONE))
        provider = ProviderSettings(base_url=server.base_url, model="m", api_key="k")
        settings = Settings(provider="p", providers={"p": provider})
        asyncio.run(try_model(LoadedSettings(settings, None, Path("/nowhere")), {}))
        assert server.requests[0].body["messages"] == [{"role": "user", "content": "ping"}]


def test_a_model_is_chosen_from_what_the_server_offers(make_app, drive, tmp_path: Path) -> None:
    async def scenario(app, pilot) -> None:
        await pilot.press("ctrl+l")
        await until(pilot, lambda: "Connect a model" in seen(app))
        await pilot.press(*"ollama", "enter")
        await until(pilot, lambda: "qwen3:4b" in seen(app))
        await pilot.press(*"qwen", "enter")
        await until(pilot, lambda: "connected: ollama · qwen3:4b" in seen(app))
        assert asked == [("ollama", "")]
        await pilot.press("ctrl+l")
        await until(pilot, lambda: "in use · qwen3:4b" in seen(app))
        await pilot.press("enter")
        await until(pilot, lambda: "another name can be typed" in seen(app))
        await pilot.press(*"mistral", "enter")
        await until(pilot, lambda: "connected: ollama · mistral" in seen(app))

    asked: list[tuple[str, str]] = []

    async def offers(loaded: LoadedSettings, name: str, key: str) -> list[str]:
        asked.append((name, key))
        return ["gemma3", "qwen3:4b"] if len(asked) == 1 else []

    async def answers(loaded: LoadedSettings) -> None:
        return None

    drive(make_app(settings=Settings(), list_models=offers, try_model=answers), scenario)


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
