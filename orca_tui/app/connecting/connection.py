"""The form of a connection: its fields, the section that holds them, what would be written. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from gettext import gettext as _
from itertools import chain, count
from typing import Protocol
from urllib.parse import SplitResult, urlsplit

from msgspec import Struct
from textual.content import Content

from orca_tui.app.widgets.choices import Choice, narrowed, with_typed
from orca_tui.app.widgets.literal import literal
from orca_tui.configuration import PRESETS, Changes, ProviderSettings, Settings, key_variable
from orca_tui.marks import Marks

_NOT_IN_A_NAME = re.compile(r"[^a-z0-9-]+")
_NO_NAMES = frozenset({"www", "api", "com", "org", "net", "co", "cn", "io", "ai", "dev", "localhost"})

OTHER = "?"
"""The choice of a server that is not in the list."""
BY_MEANING = "?meaning"
"""The choice of an embedder of meaning, which is no server."""


class Form(Struct, frozen=True):
    """The fields as they were filled in; the key is empty where the one that is there already is meant."""

    server: str = ""
    address: str = ""
    key: str = ""
    model: str = ""


class Outcome(Struct, frozen=True):
    """The outcome of asking a server: whether it succeeded, and the sentence to show."""

    is_good: bool
    words: str
    models: tuple[str, ...] = ()


class Connector(Protocol):
    """What the form calls to ask servers and to write the configuration; outcomes come back to the form."""

    def offers(self) -> None: ...
    def list_models(self, form: Form) -> None: ...
    def attempt(self, form: Form) -> None: ...
    def stop(self) -> None: ...
    def find_by_meaning(self) -> None: ...
    def save(self, form: Form) -> None: ...


def known_provider(name: str, settings: Settings) -> ProviderSettings | None:
    """A provider of the configuration, or one known by name."""
    if name in settings.providers:
        return settings.providers[name]
    if name not in PRESETS:
        return None
    preset = PRESETS[name]
    return ProviderSettings(base_url=preset.base_url, model=preset.model, context_tokens=preset.context_tokens)


def name_of(form: Form, settings: Settings) -> str:
    """The section that the form is kept in. A key belongs to its server: another one is another section."""
    known = known_provider(form.server, settings)
    if known is not None and _place(known.base_url) == _place(form.address):
        return form.server
    for name, provider in settings.providers.items():
        if _place(provider.base_url) == _place(form.address):
            return name
    wanted = _name_from(form.address)
    taken = {*Settings.__struct_fields__, *PRESETS, *settings.providers}
    return next(name for name in chain([wanted], (f"{wanted}-{n}" for n in count(2))) if name not in taken)


def changes_of(form: Form, settings: Settings) -> Changes:
    """The changes to write: only settings that differ."""
    name = name_of(form, settings)
    known = known_provider(name, settings)
    model_and_key = {"model": form.model, "api_key": form.key}
    changes: dict[str | tuple[str, ...], object] = {"provider": name}
    if known is None or known.base_url != form.address.strip():
        changes[name, "base_url"] = form.address.strip()
    changes |= {(name, field): value for field, value in model_and_key.items() if value}
    origin = known_provider(form.server, settings)
    if known is None and origin is not None:
        changes[name, "context_tokens"] = origin.context_tokens
    return changes


def key_words(form: Form, settings: Settings, environ: Mapping[str, str]) -> str:
    """Where the key comes from if none is typed."""
    name = name_of(form, settings)
    there = settings.providers.get(name)
    variable = key_variable(name)
    if there is not None and there.api_key:
        if there.api_key.startswith("env:"):
            return _("from {variable} · type to replace it").format(variable=there.api_key.removeprefix("env:"))
        return _("kept in config.toml · type to replace it")
    if there is not None and there.api_key_cmd:
        return _("from a command · type to replace it")
    if environ.get(variable):
        return _("found in {variable} · type another one").format(variable=variable)
    return _("it needs one") if needs_key(form, settings, environ) else _("none, unless the server wants one")


def needs_key(form: Form, settings: Settings, environ: Mapping[str, str]) -> bool:
    """Whether a key must be typed: a provider of the configuration has one, or needs none."""
    name = name_of(form, settings)
    if name in settings.providers or environ.get(key_variable(name)):
        return False
    return name in PRESETS and PRESETS[name].needs_key


def explanation(field: str, kept_as: str) -> str:
    """The hint for the field with the focus, where it has no list."""
    words = {
        "server": _("nothing matches"),
        "address": _("Where the server's API begins, such as https://api.example.com/v1"),
        "key": _("It stays hidden, and is kept in config.toml. env:NAME takes it from a variable instead."),
        "model": _("The model's name, as the server knows it."),
    }
    kept = _("It will be kept as [{name}] in config.toml.").format(name=kept_as) if kept_as else ""
    return words.get(field, kept)


def hint(*, is_busy: bool, is_field: bool) -> str:
    """The words for enter and escape."""
    if is_busy:
        return _("esc stops")
    if is_field:
        return _("enter goes on · tab moves · esc leaves it as it was")
    return _("enter presses · tab moves · esc leaves it as it was")


def is_address(text: str) -> bool:
    return text.strip().lower().startswith(("https://", "http://"))


def _place(address: str) -> tuple[str, str | None, int | None]:
    """Whom an address reaches, whatever the path."""
    parts = _split(address)
    try:
        port = parts.port
    except ValueError:
        port = None
    return parts.scheme, parts.hostname, port or {"http": 80, "https": 443}.get(parts.scheme)


def _name_from(address: str) -> str:
    """A word of the host's name that tells it from others."""
    host = _split(address).hostname or ""
    labels = [_NOT_IN_A_NAME.sub("", label) for label in host.lower().split(".")]
    telling = [label for label in labels if label and label not in _NO_NAMES and not label.isdecimal()]
    return max(telling, key=len, default="server")


def _split(address: str) -> SplitResult:
    try:
        return urlsplit(address.strip())
    except ValueError:  # reading the configuration reports a malformed address
        return urlsplit("")


def said_of(said: Outcome, trying: Form | None, *, is_saving: bool, marks: Marks) -> Content:
    """The outcome of the last try, or that one runs."""
    if trying is not None:
        words = _("saving …") if is_saving else _("trying {model} …").format(model=trying.model)
        return literal(words, "$text-warning")
    if not said.words:
        return Content("")
    sign, colour = (marks.marked, "success") if said.is_good else (marks.rejected, "error")
    return literal(f"{sign} {said.words}", f"$text-{colour}")


def choices_for(field: str, offers: Sequence[Choice], models: tuple[str, ...], typed: str, model: str) -> list[Choice]:
    """What the field with the focus can become; what was typed comes last where the list says something else."""
    match field:
        case "server" if is_address(typed):
            return [Choice(_("this address"), typed.strip())]
        case "server":
            return narrowed(offers, typed)
        case "model":
            return with_typed(models, typed.strip(), model.strip())
    return []
