"""Connecting a model: presets with what each needs, a key typed hidden, one call to try, the configuration written."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from dataclasses import dataclass
from gettext import gettext as _
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from orca_core.config_edit import change_config
from orca_core.config_file import FILE_NAME, read_settings
from orca_core.domain.diagnosis import Diagnosis
from orca_core.domain.errors import OrcaError
from orca_core.presets import PRESETS, Preset, key_variable
from orca_tui.app.plain import plain
from orca_tui.app.screens.dialogs import AskLine, Choice, Pick, TextView

if TYPE_CHECKING:
    from orca_tui.app.screens.main import MainScreen

PROBE_S = 0.3


@dataclass(frozen=True, slots=True)
class Chosen:
    """A provider that is being connected."""

    name: str
    preset: Preset
    key: str = ""
    model: str = ""


class Providers:
    """From the demo to a real model, and from one model to another."""

    def __init__(self, screen: MainScreen) -> None:
        self._screen = screen
        self._bridge = screen.bridge

    def choose(self) -> None:
        """The presets, each with what it needs; a server on this machine is looked for."""

        def offer(choices: list[Choice]) -> None:
            hint = _("enter connects · esc leaves it as it is")
            self._screen.app.push_screen(Pick(_("Connect a model"), choices, hint=hint), self._chosen)

        self._bridge.ask(_offers, offer, group="look models")

    def look_around(self) -> None:
        """While the demo answers: say what could be connected at once."""
        if self._bridge.loaded.settings.provider:
            return

        def say(choices: list[Choice]) -> None:
            ready = [choice for choice in choices if choice.is_ready]
            if ready and not self._screen.transcript.views:
                lines = [f"{choice.label}: {choice.detail}" for choice in ready]
                words = "\n".join(
                    [self._screen.overview.welcome(), "", _("Ready to be connected with ctrl+l:"), *lines]
                )
                self._screen.call_later(self._screen.transcript.clear, words)

        self._bridge.ask(_offers, say, group="look models")

    def doctor(self) -> None:
        """What `orca doctor` says."""

        def show(diagnosis: Diagnosis) -> None:
            lines = [
                f"{check.state:<5} {check.name}: {check.detail}" + (f"\n      → {check.fix}" if check.fix else "")
                for check in diagnosis.checks
            ]
            self._screen.app.push_screen(TextView(_("Doctor"), plain("\n".join(lines))))

        self._bridge.ask(lambda: self._bridge.engine.doctor.examine([]), show, group="look doctor")

    def _chosen(self, name: str | None) -> None:
        if name is None:
            return
        chosen = Chosen(name, PRESETS[name])
        if chosen.preset.needs_key and not os.environ.get(key_variable(name)):
            self._screen.app.push_screen(
                AskLine(_("{name}: its key (typed hidden, kept in config.toml)").format(name=name), is_secret=True),
                lambda key: self._ask_model(Chosen(name, chosen.preset, key)) if key else None,
            )
        else:
            self._ask_model(chosen)

    def _ask_model(self, chosen: Chosen) -> None:
        self._screen.app.push_screen(
            AskLine(_("{name}: the model").format(name=chosen.name), chosen.preset.model),
            lambda model: self._connect(Chosen(chosen.name, chosen.preset, chosen.key, model)) if model else None,
        )

    def _connect(self, chosen: Chosen) -> None:
        self._screen.note(_("trying {name} …").format(name=chosen.name))
        words = _("connected: {name} · {model}").format(name=chosen.name, model=chosen.model)
        self._bridge.ask(lambda: self._try(chosen), lambda _none: self._screen.note(words), group="connect")

    async def _try(self, chosen: Chosen) -> None:
        """Write the configuration, open an engine on it, ask one word. What fails leaves everything as it was."""
        path = self._bridge.loaded.path or self._bridge.loaded.home / FILE_NAME
        before = path.read_bytes() if path.exists() else None
        changes: dict[str, object] = {"provider": chosen.name, f"{chosen.name}.model": chosen.model}
        if chosen.key:
            changes[f"{chosen.name}.api_key"] = chosen.key
        try:
            change_config(path, changes)
            loaded = read_settings(os.environ, path)
            await self._bridge.try_model(loaded)
            await self._bridge.reopen(loaded)
        except OrcaError:
            _put_back(path, before)
            raise


async def _offers() -> list[Choice]:
    return [await _offer(name, preset, os.environ) for name, preset in PRESETS.items()]


async def _offer(name: str, preset: Preset, environ: Mapping[str, str]) -> Choice:
    """What a provider needs, or has already."""
    variable = key_variable(name)
    if preset.needs_key:
        if environ.get(variable):
            return Choice(name, name, _("key found in {variable}").format(variable=variable), is_ready=True)
        return Choice(name, name, _("needs a key"))
    if await _answers(preset.base_url):
        return Choice(name, name, _("found on this machine"), is_ready=True)
    return Choice(name, name, _("on this machine · not running"))


async def _answers(base_url: str) -> bool:
    """Whether something listens there, told within a blink."""
    address = urlsplit(base_url)
    try:
        async with asyncio.timeout(PROBE_S):
            _reader, writer = await asyncio.open_connection(address.hostname, address.port)
    except (OSError, TimeoutError):
        return False
    writer.close()
    return True


def _put_back(path: Path, before: bytes | None) -> None:
    """The configuration as it was before the attempt."""
    if before is None:
        path.unlink(missing_ok=True)
    else:
        path.write_bytes(before)
