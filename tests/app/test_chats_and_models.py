"""Chats as wholes, and connecting a model."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from fakes.app_driver import seen, send, until
from fakes.model_server import DONE, ModelServer, chunk, stream
from fakes.scripted_model import ScriptedModel, says

from orca_core.config.config_file import LoadedSettings
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
def test_one_word_is_sent_to_try_a_model() -> None:
    import asyncio

    from orca_core.endpoints import try_model
    from orca_core.settings import ProviderSettings

    with ModelServer() as server:
        server.will(stream(chunk("pong", finish="stop"), DONE))
        provider = ProviderSettings(base_url=server.base_url, model="m", api_key="k")
        settings = Settings(provider="p", providers={"p": provider})
        asyncio.run(try_model(LoadedSettings(settings, None, Path("/nowhere")), {}))
        assert server.requests[0].body["messages"] == [{"role": "user", "content": "ping"}]


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
