"""The form that connects a model, on one screen: the server, its key, its model, a try and its outcome, saving."""

from __future__ import annotations

from collections.abc import Mapping
from gettext import gettext as _
from typing import ClassVar

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Label, Static

from orca_tui.app.connecting.connection import (
    BY_MEANING,
    OTHER,
    Connector,
    Form,
    Outcome,
    choices_for,
    explanation,
    hint,
    is_address,
    key_words,
    known_provider,
    name_of,
    needs_key,
    said_of,
)
from orca_tui.app.widgets.choices import Choice, choice_lines
from orca_tui.app.widgets.dialogs import Bindings
from orca_tui.app.widgets.literal import literal
from orca_tui.app.widgets.rows import padded
from orca_tui.configuration import Settings
from orca_tui.marks import Marks

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
