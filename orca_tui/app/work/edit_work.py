"""The form of an episode or of knowledge: a line or an area for each of its fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from gettext import gettext as _
from typing import ClassVar

from msgspec import Struct
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Label, Static, TextArea

from orca_tui.app.widgets.dialogs import Bindings
from orca_tui.app.widgets.literal import literal


class Entry(Struct, frozen=True):
    """A field of a form: `name` is how it comes back; of several lines where it is an area."""

    name: str
    label: str
    text: str
    is_area: bool = False


class EditFields(ModalScreen[Mapping[str, str] | None]):
    """Gives back the fields that were changed, None where it was left."""

    BINDINGS: ClassVar[Bindings] = [
        Binding("escape", "dismiss(None)", "", priority=True),
        Binding("ctrl+s", "save", "", priority=True),
    ]

    def __init__(self, title: str, entries: Sequence[Entry]) -> None:
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

    def on_input_submitted(self, _event: Input.Submitted) -> None:
        self.action_save()

    def action_save(self) -> None:
        texts = {entry.name: self._text_of(entry) for entry in self._entries}
        changed = {entry.name: texts[entry.name] for entry in self._entries if texts[entry.name] != entry.text}
        self.dismiss(changed or None)

    def _text_of(self, entry: Entry) -> str:
        if entry.is_area:
            return self.query_one(f"#field-{entry.name}", TextArea).text
        return self.query_one(f"#field-{entry.name}", Input).value


def lines_of(text: str) -> list[str]:
    """What stands on the lines of an area, without those that are empty."""
    return [line.strip() for line in text.splitlines() if line.strip()]


def tags_of(text: str) -> list[str]:
    """Tags as they are written in a field."""
    return [tag.strip() for tag in text.replace("，", ",").split(",") if tag.strip()]
