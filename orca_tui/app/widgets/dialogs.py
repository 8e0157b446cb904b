"""Small screens over the main one: a question, a line, a form, a text, a choice. Escape leaves things as they were."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from gettext import gettext as _
from typing import ClassVar

from msgspec import Struct
from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Label, Static, TextArea

from orca_core.rules.text.cleaning import for_terminal
from orca_tui.app.widgets.text import Field, MoreToRead, cut, literal

DIALOG_CELLS = 106
"""How wide the widest dialog is within, for what is drawn before it is laid out."""


class Choice(Struct, frozen=True):
    """One line of a picker: what is shown, what it means, and whether it can be had at once. `marks` are places in the
    label that stand out, each from its first character to behind its last."""

    label: str
    value: str
    detail: str = ""
    is_ready: bool = False
    marks: tuple[tuple[int, int], ...] = ()


def narrowed(choices: Sequence[Choice], typed: str) -> list[Choice]:
    """Those that hold every word that was typed."""
    words = typed.casefold().split()
    return [each for each in choices if all(word in f"{each.label} {each.detail}".casefold() for word in words)]


def with_typed(names: Sequence[str], typed: str, usual: str) -> list[Choice]:
    """Those of the names that hold what was typed; what is no name of theirs can be taken all the same, last."""
    found = [Choice(name, name) for name in names if typed.casefold() in name.casefold()]
    own = typed or usual
    return found if not own or own in names else [*found, Choice(own, own, _("as typed") if typed else "")]


def choice_lines(choices: Sequence[Choice], at: int, width: int, height: int, cursor: str) -> Content:
    """A list to choose from as far as it fits, the line with the cursor in it."""
    width, height = width or DIALOG_CELLS, max(1, height)
    first = max(0, min(at - height // 2, len(choices) - height))
    lines = []
    for number, choice in enumerate(choices[first : first + height], start=first):
        is_here = number == at
        detail = f"  {choice.detail}" if choice.detail else ""
        label = _marked(choice, f"{cursor if is_here else ' '} ", width - cell_len(detail), is_here=is_here)
        lines.append(label + literal(detail, "$foreground-muted"))
    return Content("\n").join(lines)


def _marked(choice: Choice, head: str, cells: int, *, is_here: bool) -> Content:
    """The label behind its head, with the places in it that stand out: also without colour, and under the cursor."""
    line = cut(f"{head}{choice.label}", cells)
    label = literal(line, "bold" if is_here else "")
    if for_terminal(choice.label) != choice.label:  # what was cleaned has its places elsewhere
        return label
    for start, end in choice.marks:
        label = label.stylize("$text-accent bold underline", len(head) + start, min(len(head) + end, len(line)))
    return label


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


class EditFields(ModalScreen[Mapping[str, str] | None]):
    """The form of a record: a line or an area for each of its fields. Gives back those that were changed, None where it
    was left."""

    BINDINGS: ClassVar[Bindings] = [
        Binding("escape", "dismiss(None)", "", priority=True),
        Binding("ctrl+s", "save", "", priority=True),
    ]

    def __init__(self, title: str, entries: Sequence[Field]) -> None:
        super().__init__()
        self._title = title
        self._entries = entries

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog wide form"):
            yield Static(literal(self._title, "bold"), classes="dialog-title")
            for entry in self._entries:
                if entry.is_area:
                    yield Label(Content(entry.label), classes="area-label")
                    yield TextArea(entry.text, soft_wrap=True, compact=True, id=f"field-{entry.name}")
                else:
                    with Horizontal(classes="fields"):
                        yield Label(Content(entry.label))
                        yield Input(entry.text, id=f"field-{entry.name}", compact=True)
            yield Static(literal(_("ctrl+s or enter in a field saves · esc leaves it as it was"), "$foreground-muted"))

    def on_mount(self) -> None:
        if self._entries[0].is_area:
            area = self.query(TextArea).first()
            area.move_cursor(area.document.end)

    def on_input_submitted(self, _event: Input.Submitted) -> None:
        self.action_save()

    def action_save(self) -> None:
        texts = {entry.name: self._text_of(entry) for entry in self._entries}
        self.dismiss({entry.name: texts[entry.name] for entry in self._entries if texts[entry.name] != entry.text})

    def _text_of(self, entry: Field) -> str:
        if entry.is_area:
            return self.query_one(f"#field-{entry.name}", TextArea).text
        return self.query_one(f"#field-{entry.name}", Input).value
