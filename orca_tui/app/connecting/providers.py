"""Connects a model: lists servers, asks what one offers, tries it with one call; the configuration is written when
it answered."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Mapping
from gettext import gettext as _
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

from orca_core.config.config_edit import Changes, change_config, changed_config
from orca_core.config.config_file import FILE_NAME, LoadedSettings, loaded_from
from orca_core.config.providers import PRESETS, key_variable
from orca_core.model.errors import OrcaError
from orca_core.settings import MEANING, Settings
from orca_tui.app.bridge import Bridge
from orca_tui.app.connecting.connect_screen import BY_MEANING, ConnectScreen, Form, Outcome, changes_of, name_of
from orca_tui.app.stage import Stage
from orca_tui.app.widgets.dialogs import Choice
from orca_tui.language import sentence_and_way_out, translated
from orca_tui.marks import Marks

T = TypeVar("T")

PROBE_S = 0.3
TRYING = "look connect"


class Providers:
    """From the demo to a real model, and from one model to another."""

    def __init__(self, stage: Stage, bridge: Bridge, marks: Marks) -> None:
        self._stage = stage
        self._bridge = bridge
        self._marks = marks
        self._form: ConnectScreen | None = None

    def choose(self) -> None:
        """Open the form: what is configured, and the presets with what each needs."""
        if self._bridge.is_answering:
            self._stage.note(_("stop the answer first: esc"))
            return
        self._form = ConnectScreen(self, self._settings, os.environ, self._marks)
        self._stage.push(self._form)

    def look_around(self, say: Callable[[str], None]) -> None:
        """While the demo answers, say what could be connected."""
        if self._settings.provider:
            return

        def show(choices: list[Choice]) -> None:
            ready = [choice for choice in choices if choice.is_ready]
            if ready:
                lines = [f"{choice.label}: {choice.detail}" for choice in ready]
                say("\n".join([_("Ready to be connected with ctrl+l:"), *lines]))

        self._stage.ask(lambda: _offers(self._settings), show, group="look models")

    # What the form asks for

    def offers(self) -> None:
        """Hand the known servers to the form, and look for those on this machine."""
        more: list[Choice] = []
        if self._bridge.is_ready and self._bridge.orca.about.offers_meaning:
            more = [Choice(_("find memories by meaning"), BY_MEANING, _("installed · wants no network"))]

        def show(form: ConnectScreen, offers: list[Choice]) -> None:
            form.show_offers([*offers[:1], *more, *offers[1:]])  # behind what is in use, where it is seen

        self._ask(lambda: _offers(self._settings), show, "look offers")

    def list_models(self, form: Form) -> None:
        """Ask the server what it offers; one that does not say leaves the name to be typed."""

        async def ask() -> Outcome:
            loaded = self._as_it_would_be(changes_of(form, self._settings))
            names = await self._bridge.doors.list_models(loaded, loaded.settings.provider, "")
            return Outcome(True, "", tuple(names))

        self._ask(lambda: _told(ask), lambda screen, outcome: screen.show_models(form, outcome), "look models")

    def attempt(self, form: Form) -> None:
        """Send one word to the model with the fields of the form; nothing is written."""

        async def attempt() -> Outcome:
            loaded = self._as_it_would_be(changes_of(form, self._settings))
            await self._bridge.doors.try_model(loaded)
            words = [_("{model} answers").format(model=form.model)]
            words += [translated(notice.template, notice.fields) for notice in loaded.warnings]
            return Outcome(True, " · ".join(words))

        self._ask(lambda: _told(attempt), lambda screen, outcome: screen.show_outcome(form, outcome), TRYING)

    def stop(self) -> None:
        """Cancel the try."""
        self._bridge.give_up(TRYING)

    def save(self, form: Form) -> None:
        """Switch to the model of the form, and write it into the configuration."""

        async def save() -> Outcome:
            words = _("connected: {name} · {model}").format(name=kept_as, model=form.model)
            return await self._switch(changes_of(form, self._settings), words)

        def show(screen: ConnectScreen, outcome: Outcome) -> None:
            if not outcome.is_good:
                screen.show_outcome(form, outcome)
                return
            screen.dismiss(None)
            self._stage.note(outcome.words, "connect")

        kept_as = name_of(form, self._settings)
        self._ask(lambda: _told(save), show, "connect")

    def find_by_meaning(self) -> None:
        """Switch to the embedder of meaning. What is kept is embedded anew in the background."""

        def show(screen: ConnectScreen, outcome: Outcome) -> None:
            screen.dismiss(None)
            self._stage.note(outcome.words, "connect", stays=not outcome.is_good)

        words = _("memories are found by meaning from now on")
        self._ask(lambda: _told(lambda: self._switch({"embedding.provider": MEANING}, words)), show, "connect")

    async def _switch(self, changes: Changes, words: str) -> Outcome:
        """Open an Orca on the changed configuration, write it, and switch to it; a failure leaves everything as it
        was. Raises OrcaError."""
        if self._bridge.is_answering:
            return Outcome(False, _("stop the answer first: esc"))
        path = self._path
        await self._bridge.reopen(self._as_it_would_be(changes), lambda: change_config(path, changes))
        return Outcome(True, words)

    def _ask(self, work: Callable[[], Awaitable[T]], then: Callable[[ConnectScreen, T], None], group: str) -> None:
        """Ask for the form that is open; the answer for a closed form is dropped."""
        form = self._form
        if form is None:
            return

        def hand_on(outcome: T) -> None:
            if form.is_attached and form in form.app.screen_stack:
                then(form, outcome)

        self._stage.ask(work, hand_on, group=group)

    def _as_it_would_be(self, changes: Changes) -> LoadedSettings:
        """The configuration with these changes. Raises ConfigError."""
        text = changed_config(self._path, changes)
        return loaded_from(text, self._path, self._bridge.loaded.home)

    @property
    def _path(self) -> Path:
        return self._bridge.loaded.path or self._bridge.loaded.home / FILE_NAME

    @property
    def _settings(self) -> Settings:
        return self._bridge.loaded.settings


async def _told(work: Callable[[], Awaitable[Outcome]]) -> Outcome:
    """The outcome; an expected failure in the server's words, with the way out."""
    try:
        return await work()
    except OrcaError as error:
        sentence, way_out = sentence_and_way_out(error)
        return Outcome(False, f"{sentence}\n{way_out}" if way_out else sentence)


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


async def _answers(base_url: str) -> bool:
    """Whether a server listens there, checked with a short timeout."""
    address = urlsplit(base_url)
    try:
        async with asyncio.timeout(PROBE_S):
            _reader, writer = await asyncio.open_connection(address.hostname, address.port)
    except (OSError, TimeoutError):
        return False
    writer.close()
    return True
