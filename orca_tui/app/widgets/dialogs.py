"""Small screens over the main one: a question, a line, a form, a text. Escape always leaves things as they were."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from gettext import gettext as _
from typing import ClassVar

from msgspec import Struct
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Static

from orca_tui.app.widgets.choices import Choice as Choice  # noqa: PLC0414  # it is theirs who open a Pick
from orca_tui.app.widgets.choices import choice_lines, narrowed
from orca_tui.app.widgets.literal import literal

Bindings = list[Binding | tuple[str, str] | tuple[str, str, str]]


class Confirm(ModalScreen[bool]):
    """Yes or no, with the cursor on no."""

    BINDINGS: ClassVar[Bindings] = [
        ("escape", "dismiss(False)", ""),
        ("y", "dismiss(True)", ""),
        ("n", "dismiss(False)", ""),
    ]

    def __init__(self, question: str, detail: str, yes: str) -> None:
        super().__init__()
        self._question = question
        self._detail = detail
        self._yes = yes

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(literal(self._question, "bold"))
            yield Static(literal(self._detail), classes="detail")
            with Horizontal(classes="buttons"):
                yield Button(Content(_("Cancel")), id="no")
                yield Button(Content(self._yes), id="yes", variant="error")

    def on_mount(self) -> None:
        self.query_one("#no").focus()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        self.dismiss(event.button.id == "yes")


class AskLine(ModalScreen[str | None]):
    """One line of text."""

    BINDINGS: ClassVar[Bindings] = [("escape", "dismiss(None)", "")]

    def __init__(self, question: str, text: str = "", *, is_secret: bool = False) -> None:
        super().__init__()
        self._question = question
        self._text = text
        self._is_secret = is_secret

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(literal(self._question, "bold"))
            yield Input(self._text, password=self._is_secret, compact=True)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.dismiss(event.value)


class MoreToRead(Struct, frozen=True):
    """What a text leads on to, by a key."""

    key: str
    words: str
    open: Callable[[], None]


class TextView(ModalScreen[None]):
    """A text to be read: why, a history, a run, the help."""

    BINDINGS: ClassVar[Bindings] = [
        ("escape,q,enter", "dismiss(None)", ""),
        ("j,down", "scroll(1)", ""),
        ("k,up", "scroll(-1)", ""),
        ("y", "copy", ""),
    ]

    def __init__(self, title: str, body: Content, more: Sequence[MoreToRead] = ()) -> None:
        super().__init__()
        self._title = title
        self._body = body
        self._more = {each.key: each for each in more}

    def compose(self) -> ComposeResult:
        with Vertical(classes="reader"):
            yield Static(literal(self._title, "bold"), classes="reader-title")
            with VerticalScroll(classes="reader-body"):
                yield Static(self._body)
            more = "".join(f" · {each.key} {each.words}" for each in self._more.values())
            yield Static(literal(_("esc back · j k scroll · y copy") + more, "$foreground-muted"))

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).focus()

    def on_key(self, event: events.Key) -> None:
        """What is one key away opens over this, and escape leads back here."""
        if (more := self._more.get(event.key)) is not None:
            event.stop()
            more.open()

    def action_scroll(self, step: int) -> None:
        self.query_one(VerticalScroll).scroll_relative(y=step * 3, animate=False)

    def action_copy(self) -> None:
        self.app.copy_to_clipboard(self._body.plain)


class Pick(ModalScreen[str | None]):
    """A list to choose from, with a field that narrows it; it begins `at` a value. Keys beside enter come back as
    `key:value`."""

    BINDINGS: ClassVar[Bindings] = [
        ("escape", "back", ""),
        Binding("down", "cursor(1)", "", priority=True),
        Binding("up", "cursor(-1)", "", priority=True),
        Binding("enter", "choose", "", priority=True),
    ]

    def __init__(
        self,
        title: str,
        choices: list[Choice],
        *,
        keys: dict[str, str] | None = None,
        hint: str = "",
        at: str = "",
    ) -> None:
        super().__init__()
        self._title = title
        self._all = choices
        self._shown = choices
        self._keys = keys or {}
        self._hint = hint
        self._at = next((number for number, each in enumerate(choices) if at and each.value == at), 0)

    @property
    def choices(self) -> tuple[Choice, ...]:
        """What is left of the list."""
        return tuple(self._shown)

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog wide tall"):
            yield Static(literal(self._title, "bold"))
            yield Input(placeholder=_("type to narrow"), compact=True)
            yield Static("", id="choices")
            yield Static(literal(self._hint, "$foreground-muted"))

    def on_mount(self) -> None:
        self._draw()

    def on_input_changed(self, event: Input.Changed) -> None:
        self._shown = narrowed(self._all, event.value)
        self._at = 0
        self._draw()

    def on_key(self, event: events.Key) -> None:
        if event.key in self._keys and self._shown:
            event.stop()
            self.dismiss(f"{self._keys[event.key]}:{self._shown[self._at].value}")

    def action_back(self) -> None:
        """Clear what narrows the list, else leave it."""
        if self.query_one(Input).value:
            self.query_one(Input).value = ""
        else:
            self.dismiss(None)

    def action_cursor(self, step: int) -> None:
        self._at = max(0, min(self._at + step, len(self._shown) - 1))
        self._draw()

    def action_choose(self) -> None:
        self.dismiss(self._shown[self._at].value if self._shown else None)

    def on_resize(self) -> None:
        self._draw()

    def _draw(self) -> None:
        area = self.query_one("#choices", Static)
        lines = choice_lines(self._shown, self._at, area.size.width, max(3, self.app.size.height - 14), ">")
        area.update(lines if self._shown else literal(_("nothing matches")))
