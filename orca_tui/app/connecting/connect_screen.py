"""The form that connects a model, on one screen: the server, its key, its model, a try and its outcome, saving."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from gettext import gettext as _
from itertools import chain, count
from typing import ClassVar, Protocol
from urllib.parse import SplitResult, urlsplit

from msgspec import Struct
from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Label, Static

from orca_core.config.config_edit import Changes
from orca_core.config.providers import PRESETS, key_variable
from orca_core.settings import ProviderSettings, Settings
from orca_tui.app.widgets.dialogs import Bindings, Choice, choice_lines, narrowed, with_typed
from orca_tui.app.widgets.text import literal, padded
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


FIELDS = ("server", "address", "key", "model")


class ConnectScreen(ModalScreen[None]):
    """Nothing is written before it worked. Enter goes on to the next field, escape leaves everything as it was."""

    BINDINGS: ClassVar[Bindings] = [
        Binding("escape", "back", "", priority=True),
        Binding("down", "cursor(1)", "", priority=True),
        Binding("up", "cursor(-1)", "", priority=True),
    ]

    def __init__(self, connector: Connector, settings: Settings, environ: Mapping[str, str], marks: Marks) -> None:
        super().__init__()
        self._connector = connector
        self._settings = settings
        self._environ = environ
        self._marks = marks
        self._offers: list[Choice] = []
        self._models: tuple[str, ...] = ()
        self._server = ""
        self._typed = ""
        self._at = 0
        self._trying: Form | None = None
        self._is_saving = False
        self._worked: Form | None = None
        self._asked: Form | None = None
        self._said = Outcome(True, "")

    def compose(self) -> ComposeResult:
        names = {"server": _("server"), "address": _("address"), "key": _("key"), "model": _("model")}
        width = max(cell_len(name) for name in names.values()) + 2
        with Vertical(classes="dialog wide connect"):
            yield Static(literal(_("Connect a model"), "bold"), classes="dialog-title")
            for field in FIELDS:
                with Horizontal(classes="connect-field"):
                    yield Label(literal(padded(names[field], width), "$foreground-muted"))
                    yield Input(id=field, compact=True, password=field == "key")
            yield Static("", id="connect-list")
            yield Static("", id="connect-said")
            with Horizontal(classes="buttons"):
                yield Button(Content(_("Try")), id="try", compact=True)
                yield Button(Content(_("Save")), id="save", compact=True, disabled=True)
                yield Button(Content(_("Cancel")), id="cancel", compact=True)
            yield Static("", id="connect-hint")

    def on_mount(self) -> None:
        self._field("server").placeholder = _("type to narrow, or paste an address")
        self._field("server").focus()
        self._connector.offers()
        self._draw()

    # What the servers say

    def show_offers(self, offers: list[Choice]) -> None:
        """The servers that are known, with what each needs."""
        self._offers = [*offers, Choice(_("another server"), OTHER, _("by its address"))]
        self._draw()

    def show_models(self, form: Form, outcome: Outcome) -> None:
        """What a server offers, or why it does not say."""
        if self._asked is None or (form.address, form.key) != (self._asked.address, self._asked.key):
            return
        self._models = outcome.models
        if self._focused_field == "model" and not self._typed:
            here = self._field("model").value
            if self._models and here not in self._models:
                self._set("model", "")
            self._at = self._models.index(here) if here in self._models else 0
        if not outcome.is_good and self._trying is None and self._worked is None:
            self._said = outcome
        self._draw()

    def show_outcome(self, form: Form, outcome: Outcome) -> None:
        """Show the outcome of a try or of saving; a cancelled one shows nothing."""
        if form != self._trying:
            return
        self._trying, self._is_saving = None, False
        self._worked = form if outcome.is_good else None
        self._said = outcome
        self.query_one("#save", Button).disabled = not outcome.is_good
        self.query_one("#save" if outcome.is_good else "#try").focus()
        self._draw()

    # What the user does

    @property
    def form(self) -> Form:
        """The fields as they are filled in."""
        address, key, model = (self._field(name).value.strip() for name in FIELDS[1:])
        return Form(self._server, address, key, model)

    def action_back(self) -> None:
        """Stop the try, else leave everything as it was."""
        if self._is_saving:
            return
        self._connector.stop()
        if self._trying is None:
            self.dismiss(None)
            return
        self._trying = None
        self._said = Outcome(False, _("stopped"))
        self._draw()

    def action_cursor(self, step: int) -> None:
        choices = self._choices()
        if choices:
            self._at = max(0, min(self._at + step, len(choices) - 1))
            self._draw()
        else:
            self.focus_next() if step > 0 else self.focus_previous()

    def on_descendant_focus(self, _event: events.DescendantFocus) -> None:
        """Show the list of the field with the focus, with the cursor on the field's value."""
        self._typed = ""
        values = [choice.value for choice in self._choices()]
        here = self._server if self._focused_field == "server" else self._field("model").value
        self._at = values.index(here) if here in values else 0
        if self._focused_field == "model":
            self._ask_models()
        self._draw()

    def on_input_changed(self, event: Input.Changed) -> None:
        self._typed, self._at = event.value, 0
        self._outdate()
        self._draw()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        choices = self._choices()
        chosen = choices[self._at].value if choices else event.value.strip()
        match event.input.id:
            case "server" if chosen == BY_MEANING:
                self._connector.find_by_meaning()
            case "server":
                self._choose_server(chosen)
            case "address" if event.value.strip():
                self._go_on()
            case "key":
                self._field("model").focus()
            case "model" if chosen:
                self._set("model", chosen)
                self._try()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        match event.button.id:
            case "cancel":
                self.action_back()
            case "try":
                self._try()
            case "save" if self._worked is not None and self._worked == self.form:
                self._trying, self._is_saving = self._worked, True
                self._connector.save(self._worked)

    def on_resize(self) -> None:
        self._draw()

    def _choose_server(self, chosen: str) -> None:
        if not chosen:
            return
        known = known_provider(chosen, self._settings)
        address = known.base_url if known is not None else chosen if is_address(chosen) else ""
        if address != self._field("address").value.strip():
            self._set("key", "")  # another server's
        self._server = "" if is_address(chosen) or chosen == OTHER else chosen
        self._set("server", self._server or _("another server"))
        self._set("address", address)
        self._set("model", known.model if known is not None else "")
        self._outdate()
        if address:
            self._go_on()
        else:
            self._field("address").focus()

    def _go_on(self) -> None:
        """The address is known: ask for the key where it needs one or may, else for the model."""
        wants_key = not self.form.key and (not self._server or needs_key(self.form, self._settings, self._environ))
        self._field("key" if wants_key else "model").focus()

    def _ask_models(self) -> None:
        """Ask the server what it offers, once for each address and key."""
        form = self.form
        if form.address and (self._asked is None or (form.address, form.key) != (self._asked.address, self._asked.key)):
            self._models, self._asked = (), form
            self._connector.list_models(form)

    def _try(self) -> None:
        form = self.form
        if not form.address or not form.model:
            self._field("model" if form.address else "server").focus()
            return
        self._trying, self._worked = form, None
        self._connector.attempt(form)
        self._draw()

    def _outdate(self) -> None:
        """Note that the fields changed since the try that succeeded."""
        if self._worked not in (None, self.form) or not self._said.is_good:
            self._said = Outcome(True, "")
        if self._worked != self.form:
            self._worked = None
        if self._trying not in (None, self.form):
            self._connector.stop()
            self._trying = None
        if self._asked is not None and self._asked.address != self.form.address:
            self._models, self._asked = (), None
        self.query_one("#save", Button).disabled = self._worked is None

    # How it looks

    def _field(self, name: str) -> Input:
        return self.query_one(f"#{name}", Input)

    def _set(self, name: str, value: str) -> None:
        with self.prevent(Input.Changed):
            self._field(name).value = value

    @property
    def _focused_field(self) -> str:
        return self.focused.id or "" if self.focused is not None else ""

    def _choices(self) -> list[Choice]:
        model = self._field("model").value
        return choices_for(self._focused_field, self._offers, self._models, self._typed, model)

    def _draw(self) -> None:
        if not self.is_mounted:
            return
        key = self._field("key")
        key.placeholder = key_words(self.form, self._settings, self._environ) if self.form.address else ""
        area, choices = self.query_one("#connect-list", Static), self._choices()
        lines = choice_lines(choices, self._at, area.size.width, area.size.height, self._marks.cursor)
        kept_as = name_of(self._worked, self._settings) if self._worked is not None else ""
        area.update(lines if choices else literal(explanation(self._focused_field, kept_as), "$foreground-muted"))
        said = said_of(self._said, self._trying, is_saving=self._is_saving, marks=self._marks)
        self.query_one("#connect-said", Static).update(said)
        is_busy, is_field = self._trying is not None, self._focused_field in FIELDS
        self.query_one("#connect-hint", Static).update(
            literal(hint(is_busy=is_busy, is_field=is_field), "$foreground-muted")
        )
