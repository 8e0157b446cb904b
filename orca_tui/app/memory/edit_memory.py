"""The form of a memory: its text, its type, its tags."""

from __future__ import annotations

from gettext import gettext as _
from typing import ClassVar

from msgspec import Struct
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Label, Static, TextArea

from orca_core.model.memories import Memory
from orca_tui.app.widgets.dialogs import Bindings
from orca_tui.app.widgets.literal import literal


class MemoryForm(Struct, frozen=True):
    """What was entered of a memory."""

    content: str
    type: str
    tags: tuple[str, ...]


class EditMemory(ModalScreen[MemoryForm | None]):
    """A memory's text, type and tags."""

    BINDINGS: ClassVar[Bindings] = [
        Binding("escape", "dismiss(None)", "", priority=True),
        Binding("ctrl+s", "save", "", priority=True),
    ]

    def __init__(self, title: str, memory: Memory | None = None) -> None:
        super().__init__()
        self._title = title
        self._memory = memory

    def compose(self) -> ComposeResult:
        memory = self._memory
        with Vertical(classes="dialog wide"):
            yield Static(literal(self._title, "bold"))
            yield TextArea(memory.content if memory else "", soft_wrap=True, compact=True, id="content")
            with Horizontal(classes="fields"):
                yield Label(Content(_("type")))
                yield Input(memory.type.value if memory else "", id="type", compact=True)
                yield Label(Content(_("tags")))
                yield Input(", ".join(memory.tags) if memory else "", id="tags", compact=True)
            yield Static(literal(_("ctrl+s or enter in a field saves · esc leaves it as it was"), "$foreground-muted"))

    def on_mount(self) -> None:
        area = self.query_one("#content", TextArea)
        area.move_cursor(area.document.end)

    def on_input_submitted(self, _event: Input.Submitted) -> None:
        self.action_save()

    def action_save(self) -> None:
        tags = self.query_one("#tags", Input).value.replace("，", ",").split(",")
        form = MemoryForm(
            self.query_one("#content", TextArea).text,
            self.query_one("#type", Input).value.strip(),
            tuple(tag.strip() for tag in tags if tag.strip()),
        )
        self.dismiss(form)
