"""Where a message is written: several lines, a history, commands, and a memory for what was pasted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from gettext import gettext as _

from textual import events
from textual.binding import Binding
from textual.message import Message
from textual.widgets import TextArea

from orca_core.model.llm import Source, Span
from orca_core.rules.text.typed_spans import join_spans, mark_pasted, merge_spans
from orca_tui.app.chat.chat_state import Question

MAX_PASTES = 50
MAX_HISTORY = 500

KEYS_OF_PANES = frozenset({"f6", "f7"})
"""Textual selects lines by them."""


@dataclass
class Submitted(Message):
    """The prompt was sent."""

    question: Question


@dataclass
class SlashTyped(Message):
    """A command is being typed: those that it may become, and which of them enter takes; none where it is none."""

    names: tuple[str, ...]
    at: int = 0


class QueuedWanted(Message):
    """The user wants to edit the message that waits."""


class Prompt(TextArea, inherit_bindings=False):
    """Enter sends, ctrl+j breaks the line. Text is data: nothing in it is ever a key. `commands` are the names that
    begin with a slash, and whether they want a text behind; `queued` messages come back with the up key; `take_line`
    is asked about up, down and enter while nothing is written, and about a digit that is sent alone: it returns whether
    it took a line that is offered."""

    BINDINGS = [each for each in TextArea.BINDINGS if not isinstance(each, Binding) or each.key not in KEYS_OF_PANES]  # noqa: RUF012  # Textual's way

    def __init__(self) -> None:
        super().__init__(id="prompt", soft_wrap=True, show_line_numbers=False, compact=True)
        self.highlight_cursor_line = False
        self.placeholder = _("Message  (enter send · ctrl+j newline · / commands)")
        self.commands: Mapping[str, bool] = {}
        self.queued = 0
        self.take_line: Callable[[str], bool] = lambda _key: False
        self._past: list[str] = []
        self._place = 0
        self._draft = ""
        self._pastes: list[str] = []
        self._offered: tuple[str, ...] = ()
        self._offered_for = ""
        self._chosen = 0

    @property
    def past(self) -> list[str]:
        """What was sent before, oldest first."""
        return list(self._past)

    def remember(self, sent: Sequence[Sequence[Span]]) -> None:
        """What was sent in earlier sittings, oldest first; what was pasted then stays pasted."""
        self._past = [*(join_spans(spans) for spans in sent), *self._past][-MAX_HISTORY:]
        self._place = len(self._past)
        untrusted = [span.text for spans in sent for span in spans if span.source is not Source.TYPED]
        self._pastes = [*untrusted, *self._pastes][-MAX_PASTES:]

    def fill(self, text: str, pasted: Sequence[str] = ()) -> None:
        """Put a text into the prompt, the cursor behind it; what was pasted of it stays pasted."""
        for each in pasted:
            self._note_paste(each)
        self.load_text(text)
        self.move_cursor(self.document.end)

    def on_text_area_changed(self) -> None:
        self._offer()

    async def _on_key(self, event: events.Key) -> None:
        if self._take_key(event.key):
            event.stop()
            event.prevent_default()

    def _take_key(self, key: str) -> bool:
        """Whether the key is none of the text area's own."""
        self._offer()  # the text may have changed since it last told
        if self._offered and key in ("up", "down", "tab", "escape"):
            self._choose(key)
        elif self._takes_line(key):
            self.load_text("")
        elif key == "enter":
            self._enter()
        elif key in ("ctrl+j", "shift+enter"):
            self.insert("\n")
        elif key == "up" and self._drawn_row == 0:
            self._up()
        elif key == "down" and self.cursor_location[0] == self.document.line_count - 1:
            self._recall(1)
        else:
            return False
        return True

    def _takes_line(self, key: str) -> bool:
        if not self.text:
            return key in ("up", "down", "enter") and not (self.queued and key == "up") and self.take_line(key)
        return key == "enter" and self.text.strip().isdecimal() and self.take_line(self.text.strip())

    @property
    def _drawn_row(self) -> int:
        """The row of the cursor as the text is wrapped."""
        return self.wrapped_document.location_to_offset(self.cursor_location).y

    async def _on_paste(self, event: events.Paste) -> None:
        # TextArea's own handler of the same name runs as well, and inserts it.
        self._note_paste(event.text)

    def paste(self, text: str) -> None:
        """Insert a text that was pasted while the focus was elsewhere."""
        self._note_paste(text)
        self.insert(text)

    def action_paste(self) -> None:
        """Paste from the app's own clipboard: that is pasted text, too."""
        self._note_paste(self.app.clipboard)
        super().action_paste()

    def _note_paste(self, text: str) -> None:
        self._pastes = [*self._pastes, text.replace("\r\n", "\n").replace("\r", "\n")][-MAX_PASTES:]

    def _enter(self) -> None:
        """Carry out the command that is offered, or begin it where it wants a text; else send."""
        if self._offered:
            name = self._offered[self._chosen]
            self.fill(f"{name} " if self.commands[name] else name)
            if self.commands[name]:
                return
        self._submit()

    def _submit(self) -> None:
        text = self.text
        if not text.strip():
            return
        spans = merge_spans(mark_pasted(text, self._pastes))
        self._past = [*self._past, text][-MAX_HISTORY:]
        self._place = len(self._past)
        self.load_text("")
        self.post_message(Submitted(Question(text, spans)))

    def _up(self) -> None:
        if self.queued and not self.text:
            self.post_message(QueuedWanted())
        else:
            self._recall(-1)

    def _recall(self, step: int) -> None:
        place = self._place + step
        if not 0 <= place <= len(self._past):
            return
        if self._place == len(self._past):
            self._draft = self.text
        self._place = place
        self.fill(self._draft if place == len(self._past) else self._past[place])

    def _offer(self) -> None:
        """The commands that the text may become, while it is no more than the beginning of one."""
        text = self.text
        if text == self._offered_for:
            return
        self._offered_for = text
        is_command = text.startswith("/") and text.strip() == text and self._place == len(self._past)
        offered = tuple(name for name in self.commands if name.startswith(text)) if is_command else ()
        if offered != self._offered:
            self._offered, self._chosen = offered, 0
            self.post_message(SlashTyped(offered))

    def _choose(self, key: str) -> None:
        """Up and down choose a command, tab writes it, escape wants none."""
        if key == "tab":
            self.fill(f"{self._offered[self._chosen]} ")
        elif key == "escape":
            self._offered = ()
        else:
            step = 1 if key == "down" else -1
            self._chosen = (self._chosen + step) % len(self._offered)
        self.post_message(SlashTyped(self._offered, self._chosen))
