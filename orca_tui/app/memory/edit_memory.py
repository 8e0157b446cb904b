"""The form of a memory: its text, its type, its tags, its cues."""

from __future__ import annotations

from collections.abc import Sequence
from gettext import gettext as _
from typing import ClassVar

from msgspec import Struct
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Label, Static, TextArea

from orca_core.domain.memories import Memory
from orca_tui.app.widgets.dialogs import Bindings
from orca_tui.app.widgets.literal import literal


class MemoryForm(Struct, frozen=True):
    """What was entered of a memory; `cues` is None where they were left as they are."""

    content: str
    type: str
    tags: tuple[str, ...]
    cues: tuple[str, ...] | None = None


class EditMemory(ModalScreen[MemoryForm | None]):
    """A memory's text, type and tags; and its cues, where it is there already."""

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
            if memory:
                with Horizontal(classes="fields"):
                    yield Label(Content(_("comes to mind at")))
                    yield Input(
                        _joined(memory.cues), placeholder=_("cues, with | between them"), id="cues", compact=True
                    )
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
            self._cues(),
        )
        self.dismiss(form)

    def _cues(self) -> tuple[str, ...] | None:
        if self._memory is None:
            return None
        written = self.query_one("#cues", Input).value
        if written == _joined(self._memory.cues):
            return None
        return tuple(cue.strip() for cue in written.replace("｜", "|").split("|") if cue.strip())


def _joined(cues: Sequence[str]) -> str:
    return " | ".join(cues)
