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
from orca_core.presets import PRESETS, key_variable
from orca_core.settings import Settings
from orca_tui.app.plain import plain
from orca_tui.app.rows import padded
from orca_tui.app.screens.dialogs import AskLine, Choice, Pick, TextView
from orca_tui.language import said, sentence_and_way_out, with_detail
from orca_tui.phrases import CHECK_WORDS, found_and_fix

if TYPE_CHECKING:
    from orca_tui.app.screens.main import MainScreen

PROBE_S = 0.3


@dataclass(frozen=True, slots=True)
class Chosen:
    """A provider that is being connected."""

    name: str
    key: str = ""
    model: str = ""


class Providers:
    """From the demo to a real model, and from one model to another."""

    def __init__(self, screen: MainScreen) -> None:
        self._screen = screen
        self._bridge = screen.bridge

    def choose(self) -> None:
        """What is configured, and the presets with what each needs; a server on this machine is looked for."""
        if self._bridge.is_answering:
            self._screen.note(_("stop the answer first: esc"))
            return

        def offer(choices: list[Choice]) -> None:
            hint = _("enter connects · esc leaves it as it is")
            self._screen.app.push_screen(Pick(_("Connect a model"), choices, hint=hint), self._chosen)

        self._bridge.ask(lambda: _offers(self._bridge.loaded.settings), offer, group="look models")

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

        self._bridge.ask(lambda: _offers(self._bridge.loaded.settings), say, group="look models")

    def doctor(self) -> None:
        """What `orca doctor` says."""

        def show(diagnosis: Diagnosis) -> None:
            lines = []
            for check in diagnosis.checks:
                found, fix = found_and_fix(check)
                lines.append(f"{padded(_(CHECK_WORDS[check.state]), 9)}{with_detail(said(check.name), found)}")
                if fix:
                    lines.append(f"{'':9}{_('what to do: {fix}').format(fix=fix)}")
            self._screen.app.push_screen(TextView(_("Doctor"), plain("\n".join(lines))))

        self._bridge.ask(lambda: self._bridge.engine.doctor.examine([]), show, group="look doctor")

    def _chosen(self, name: str | None) -> None:
        if name is None:
            return
        if _needs_key(name, self._bridge.loaded.settings):
            self._screen.app.push_screen(
                AskLine(_("{name}: its key (typed hidden, kept in config.toml)").format(name=name), is_secret=True),
                lambda key: self._look_for_models(Chosen(name, key)) if key else None,
            )
        else:
            self._look_for_models(Chosen(name))

    def _look_for_models(self, chosen: Chosen) -> None:
        """Ask the server what it offers; one that does not say leaves the name to be typed."""
        self._screen.note(_("asking {name} what it offers …").format(name=chosen.name))

        async def offered() -> list[str]:
            try:
                return await self._bridge.doors.list_models(self._bridge.loaded, chosen.name, chosen.key)
            except OrcaError as error:
                self._screen.note(sentence_and_way_out(error)[0])
                return []

        self._bridge.ask(offered, lambda models: self._ask_model(chosen, models), group="look models")

    def _ask_model(self, chosen: Chosen, models: list[str]) -> None:
        usual = _usual_model(chosen.name, self._bridge.loaded.settings)
        first = [usual] if usual and (usual in models or not models) else []
        choices = [Choice(model, model) for model in [*first, *(each for each in models if each not in first)]]
        title = _("{name}: the model").format(name=chosen.name)
        self._screen.app.push_screen(
            Pick(title, choices, hint=_("enter connects · another name can be typed"), takes_other=True),
            lambda model: self._connect(Chosen(chosen.name, chosen.key, model)) if model else None,
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
            await self._bridge.doors.try_model(loaded)
            await self._bridge.reopen(loaded)
        except OrcaError:
            _put_back(path, before)
            raise


async def _offers(settings: Settings) -> list[Choice]:
    """What is configured comes first."""
    own = [name for name in settings.providers if name not in PRESETS]
    names = [*own, *PRESETS]
    names.sort(key=lambda name: (name != settings.provider, name not in settings.providers))
    return [await _offer(name, settings, os.environ) for name in names]


async def _offer(name: str, settings: Settings, environ: Mapping[str, str]) -> Choice:
    """What a provider needs, or has already."""
    if name in settings.providers:
        words = [_("in use") if name == settings.provider else _("configured"), settings.providers[name].model]
        return Choice(name, name, " · ".join(word for word in words if word), is_ready=True)
    preset = PRESETS[name]
    variable = key_variable(name)
    if preset.needs_key:
        if environ.get(variable):
            return Choice(name, name, _("key found in {variable}").format(variable=variable), is_ready=True)
        return Choice(name, name, _("needs a key"))
    if await _answers(preset.base_url):
        return Choice(name, name, _("found on this machine"), is_ready=True)
    return Choice(name, name, _("on this machine · not running"))


def _needs_key(name: str, settings: Settings) -> bool:
    """Whether a key must be typed: a provider of the configuration has one, or needs none."""
    return name not in settings.providers and PRESETS[name].needs_key and not os.environ.get(key_variable(name))


def _usual_model(name: str, settings: Settings) -> str:
    return settings.providers[name].model if name in settings.providers else PRESETS[name].model


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
