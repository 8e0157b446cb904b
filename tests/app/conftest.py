"""The app on a real database, with a model that says what the test wrote down, driven by keys."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from fakes.app_driver import WIDE, until
from fakes.connecting import Server
from fakes.scripted_model import ScriptedModel, says
from fakes.stillness import render_at_rest, until_still
from textual import constants
from textual._compositor import Compositor
from textual._styles_cache import StylesCache
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.pilot import Pilot

from orca_core.clock import SystemClock
from orca_core.config.config_file import LoadedSettings
from orca_core.llm.cached_embedder import CachedEmbedder
from orca_core.llm.local_embedder import LocalEmbedder
from orca_core.model.errors import ModelUnavailable
from orca_core.model.llm import ChatModel, Clock
from orca_core.orca import Orca
from orca_core.services.shared.saving import PATIENCE_S
from orca_core.settings import ProviderSettings, Settings
from orca_core.store.sqlite.store import open_stores
from orca_tui.app.app import OrcaApp
from orca_tui.app.bridge import Doors, ListModels
from orca_tui.app.commands import COMMANDS, Command
from orca_tui.app.pane import Pane
from orca_tui.app.panes import PANES
from orca_tui.app.records import record_list, shelf
from orca_tui.language import speak
from orca_tui.marks import UNICODE_MARKS, Marks

constants.TEXTUAL_ANIMATIONS = "none"
CONNECTED = Settings(
    provider="fake", providers={"fake": ProviderSettings(base_url="http://127.0.0.1:1", model="fake-1")}
)


MakeApp = Callable[..., OrcaApp]
Scenario = Callable[[OrcaApp, "Pilot[int]"], Awaitable[None]]


_parse_rules = Stylesheet._parse_rules
_PARSED: dict[tuple[object, ...], list[RuleSet]] = {}


def parse_once(stylesheet: Stylesheet, *source: Any, **named: Any) -> list[RuleSet]:
    """In the place of a stylesheet's `_parse_rules`: each app of a test would read the same styles anew."""
    key = (*source, *named.items(), *stylesheet._variables.items())
    if key not in _PARSED:
        _PARSED[key] = _parse_rules(stylesheet, *source, **named)
    return _PARSED[key]


async def nothing_to_wait_for(_pilot: Pilot[int], _timeout: float = 30.0) -> bool:
    """In the place of a pilot's `_wait_for_screen`, which hands each widget one more message: `until_still` looks at what
    each of them has still to do, and a third of all messages were these."""
    return True


@pytest.fixture(autouse=True)
def still(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nothing blinks, a key has done what it does before the next, English is spoken unless a test says otherwise."""
    from textual.widgets import Input, TextArea

    monkeypatch.setattr(Input, "_toggle_cursor", lambda self: None)
    monkeypatch.setattr(TextArea, "_toggle_cursor_blink_visible", lambda self: None)
    monkeypatch.setattr(Compositor, "render_update", render_at_rest)
    monkeypatch.setattr(Stylesheet, "_parse_rules", parse_once)
    monkeypatch.setattr(RuleSet, "__hash__", object.__hash__)  # its own is the same, but in Python
    monkeypatch.setattr(Pilot, "_wait_for_screen", nothing_to_wait_for)
    monkeypatch.setattr("textual.pilot.wait_for_idle", until_still)
    monkeypatch.setattr("textual.app.wait_for_idle", until_still)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    speak("en")
    yield
    StylesCache.get_inner_outer.cache_clear()  # it keeps every line that a widget of this test drew


@pytest.fixture
def short_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lists ask the store for fewer rows at once than a screen has lines for, so that few records are many pages."""
    for module in (record_list, shelf):
        monkeypatch.setattr(module, "PAGE_ROWS", 20)


@pytest.fixture
def make_app(tmp_path: Path) -> MakeApp:
    """An app whose Orca answers with `model`, and learns with `agent`."""

    def make(
        model: ChatModel | None = None,
        agent: ChatModel | None = None,
        *,
        settings: Settings = CONNECTED,
        clock: Clock | None = None,
        try_model: Callable[[LoadedSettings], Awaitable[None]] | None = None,
        list_models: ListModels | None = None,
        marks: Marks = UNICODE_MARKS,
        patience_s: float = PATIENCE_S,
        panes: Sequence[type[Pane]] = PANES,
        commands: Sequence[Command] = COMMANDS,
    ) -> OrcaApp:
        async def open_orca(loaded: LoadedSettings) -> Orca:
            stores = await open_stores(tmp_path / "home" / "orca.db", scope="me", must_exist=False)
            return Orca(
                loaded.settings,
                stores,
                model=lambda: model or ScriptedModel(says("ok")),
                agent=lambda: agent or ScriptedModel(says('{"facts": []}')),
                embedder=lambda: CachedEmbedder(LocalEmbedder(), stores.vectors),
                clock=clock or SystemClock(),
                patience_s=patience_s,
            )

        async def nothing_offered(loaded: LoadedSettings, name: str, key: str) -> list[str]:
            raise ModelUnavailable(provider=name, detail="no list")

        async def never_tried(loaded: LoadedSettings) -> None:
            raise AssertionError(loaded)

        loaded = LoadedSettings(settings, None, tmp_path / "home")
        doors = Doors(open_orca, try_model or never_tried, list_models or nothing_offered)
        return OrcaApp(loaded, marks, doors, clock, panes=panes, commands=commands)

    return make


@pytest.fixture
def drive() -> Callable[..., None]:
    """Run a scenario in the app; what it crashed of fails the test, and Orca is closed."""

    def run(app: OrcaApp, scenario: Scenario, size: tuple[int, int] = WIDE) -> None:
        def reported(_loop: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
            if isinstance(error := context.get("exception"), Exception):
                app.bridge.mistakes.append(error)

        async def whole() -> None:
            asyncio.get_running_loop().set_exception_handler(reported)
            async with app.run_test(size=size) as pilot:
                await until(pilot, lambda: app.has_started)
                await pilot.pause()
                try:
                    await scenario(app, pilot)
                finally:
                    await app.bridge.close(patience_s=0.0)
            assert app.crash is None, app.crash
            if app.bridge.mistakes:
                raise app.bridge.mistakes[0]

        asyncio.run(whole())

    return run


@pytest.fixture
def make(make_app: MakeApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[OrcaApp, Path]]:
    """An app that reaches a server of a test, and where its configuration would be; no key is in the environment."""
    for name in [name for name in os.environ if name.endswith("_API_KEY")]:
        monkeypatch.delenv(name)

    def made(server: Server, settings: Settings | None = None) -> tuple[OrcaApp, Path]:
        app = make_app(settings=settings or Settings(), try_model=server.try_model, list_models=server.list_models)
        return app, tmp_path / "home" / "config.toml"

    return made
