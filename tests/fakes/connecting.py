"""A server to be connected by keys: it notes whom it was asked for, and refuses where a test says so."""

from __future__ import annotations

import asyncio

from fakes.app_driver import seen, until
from msgspec import Struct, field
from textual.pilot import Pilot

from orca_core.config.config_file import LoadedSettings
from orca_core.model.errors import ModelRejected, ModelUnavailable
from orca_tui.app.app import OrcaApp

REFUSED = ModelRejected(
    template="{provider}: the key was not accepted ({detail})",
    hint="check {provider}.api_key",
    provider="deepseek",
    detail="Authentication Fails, Your api key: ****rong is invalid",
)


class Server(Struct):
    """What stands behind the doors: it notes whom it was asked for, and refuses where `errors` say so."""

    models: list[str] = field(default_factory=list)
    errors: list[Exception] = field(default_factory=list)
    gate: asyncio.Event | None = None
    tried: list[LoadedSettings] = field(default_factory=list)
    listed: list[LoadedSettings] = field(default_factory=list)

    async def try_model(self, loaded: LoadedSettings) -> None:
        self.tried.append(loaded)
        if self.gate is not None:
            await self.gate.wait()
        if self.errors:
            raise self.errors.pop(0)

    async def list_models(self, loaded: LoadedSettings, name: str, key: str) -> list[str]:
        self.listed.append(loaded)
        if not self.models:
            raise ModelUnavailable(provider=name, detail="no list")
        return self.models

    @property
    def keys(self) -> list[str | None]:
        return [loaded.settings.providers[loaded.settings.provider].api_key for loaded in self.tried]


async def opened(app: OrcaApp, pilot: Pilot[int]) -> None:
    await pilot.press("ctrl+l")
    await until(pilot, lambda: "Connect a model" in seen(app) and "ollama" in seen(app))


def words(app: OrcaApp) -> str:
    """What the screen says, however it is wrapped."""
    return " ".join(seen(app).split())
