"""Where a message is written: several lines, a history, and a memory for what was pasted."""

from __future__ import annotations

from collections.abc import Sequence
from gettext import gettext as _

from textual import events
from textual.widgets import TextArea

from orca_core.rules.spans import mark_pasted, normalise
from orca_tui.app.messages import Submitted

MAX_PASTES = 50
MAX_HISTORY = 500


class Prompt(TextArea):
    """Enter sends, ctrl+j breaks the line. Text is data: nothing in it is ever a key."""

    def __init__(self, history: Sequence[str] = ()) -> None:
        super().__init__(id="prompt", soft_wrap=True, show_line_numbers=False, compact=True)
        self.highlight_cursor_line = False
        self.placeholder = _("Message  (enter send · ctrl+j newline · / commands)")
        self._past: list[str] = list(history)[-MAX_HISTORY:]
        self._place = len(self._past)
        self._draft = ""
        self._pastes: list[str] = []

    @property
    def past(self) -> list[str]:
        """What was sent before, oldest first."""
        return list(self._past)

    def remember(self, prompts: Sequence[str]) -> None:
        """What was sent in earlier sittings."""
        self._past = [*prompts, *self._past][-MAX_HISTORY:]
        self._place = len(self._past)

    def fill(self, text: str) -> None:
        """Put a text into the prompt, the cursor behind it."""
        self.load_text(text)
        self.move_cursor(self.document.end)

    async def _on_key(self, event: events.Key) -> None:
        if event.key == "enter":
            event.stop()
            event.prevent_default()
            self._submit()
        elif event.key in ("ctrl+j", "shift+enter"):
            event.stop()
            event.prevent_default()
            self.insert("\n")
        elif event.key == "up" and self.cursor_location[0] == 0:
            event.stop()
            event.prevent_default()
            self._recall(-1)
        elif event.key == "down" and self.cursor_location[0] == self.document.line_count - 1:
            event.stop()
            event.prevent_default()
            self._recall(1)

    async def _on_paste(self, event: events.Paste) -> None:
        # TextArea's own handler of the same name runs as well, and inserts it.
        self._note_paste(event.text)

    def action_paste(self) -> None:
        """Paste from the app's own clipboard: that is pasted text, too."""
        self._note_paste(self.app.clipboard)
        super().action_paste()

    def insert_material(self, text: str) -> None:
        """Text that came from elsewhere than the keyboard, such as an editor full of a file."""
        self._note_paste(text)
        self.insert(text)

    def _note_paste(self, text: str) -> None:
        self._pastes = [*self._pastes, text.replace("\r\n", "\n").replace("\r", "\n")][-MAX_PASTES:]

    def _submit(self) -> None:
        text = self.text
        if not text.strip():
            return
        spans = normalise(mark_pasted(text, self._pastes))
        self._past = [*self._past, text][-MAX_HISTORY:]
        self._place = len(self._past)
        self.load_text("")
        self.post_message(Submitted(text, spans))

    def _recall(self, step: int) -> None:
        place = self._place + step
        if not 0 <= place <= len(self._past):
            return
        if self._place == len(self._past):
            self._draft = self.text
        self._place = place
        self.fill(self._draft if place == len(self._past) else self._past[place])
