"""One line below everything: the keys that count here, in the language of the interface."""

from __future__ import annotations

import time
from collections.abc import Callable
from gettext import gettext as _

from rich.cells import cell_len
from textual.content import Content
from textual.widget import Widget

from orca_tui.app.widgets.literal import joined, literal
from orca_tui.app.widgets.notes import SHOWN_S, Notes

KEY_WORDS = {
    "escape": "esc",
    "slash": "/",
    "space": "space",
    "pagedown": "pgdn",
    "pageup": "pgup",
    "plus": "+",
    "minus": "-",
}


class KeyLine(Widget):
    """What a key does, as long as there is room; notes take their place while they hold."""

    def __init__(self, lead: Callable[[], str] = str, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(id="keys")
        self.clock = clock
        self._lead = lead
        self._drawn_lead = ""
        self._notes = Notes()
        self._words: dict[str, str] = {}
        self._first = ""

    def rename(self, action: str, words: str, *, is_first: bool = False) -> None:
        """What a key does just now, where that changes; nothing hides it. Of one that `is_first` room is found."""
        first = action if is_first else ""
        if self._words.get(action) != words or self._first != first:
            self._words[action], self._first = words, first
            self.refresh()

    def look_at_lead(self) -> None:
        """Draw anew where other words stand in front. A line that stays costs the key no second frame."""
        if self._lead() != self._drawn_lead:
            self.refresh()

    def note(self, text: str, owner: str = "", *, stays: bool = False) -> None:
        """Say something in the place of the keys, for a while or until it was read; empty takes the owner's back."""
        self._notes.say(owner, text, self.clock(), stays=stays)
        if text and not stays:
            self.set_timer(SHOWN_S + 0.1, lambda: self.refresh(layout=True))
        self.refresh(layout=True)

    def mended(self, owner: str) -> None:
        """An error of this owner is one no longer."""
        self._notes.mended(owner)
        self.refresh(layout=True)

    def acted(self) -> None:
        """The user did something: an error that was read goes."""
        if self._notes.acted(self.clock()):
            self.refresh(layout=True)

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, lambda _screen: self.refresh())

    def render(self) -> Content:
        notes = self._notes.shown(self.clock())
        if notes:
            return joined(
                [literal(f" {note.text}", "$text-error" if note.stays else "$text-warning") for note in notes], "\n"
            )
        lead = self._drawn_lead = self._lead()
        parts: list[Content] = []
        if lead:
            parts.append(literal(f"{lead}  ", "$text-accent bold"))
        room = self.size.width - 1 - (cell_len(lead) + 2 if lead else 0)
        seen: set[str] = set()
        actives = self.screen.active_bindings.values()
        for active in sorted(actives, key=lambda active: active.binding.action != self._first):
            binding = active.binding
            if not binding.show or binding.action in seen or not active.enabled:
                continue
            seen.add(binding.action)
            description = self._words.get(binding.action, _(binding.description))
            if not description:
                continue
            key = key_name(binding.key)
            words = f" {description}  "
            room -= cell_len(key) + cell_len(words)
            if room < 0:
                break
            parts.append(literal(key, "bold") + literal(words, "$foreground-muted"))
        return Content(" ") + Content("").join(parts)


def key_name(key: str) -> str:
    """A key as people write it: `^p`, `esc`, `f2`."""
    if key.startswith("ctrl+"):
        return f"^{key.removeprefix('ctrl+')}"
    return KEY_WORDS.get(key, key)
