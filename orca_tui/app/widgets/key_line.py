"""One line below everything: the keys that count here, in the language of the interface, and notes in their place."""

from __future__ import annotations

import time
from collections.abc import Callable
from gettext import gettext as _

from msgspec import Struct
from rich.cells import cell_len
from textual.content import Content
from textual.widget import Widget

from orca_tui.app.widgets.text import joined, literal

SHOWN_S = 4.0


class Note(Struct, frozen=True):
    """Something said by an owner. One that `stays` ends when its owner says so, or when the user acts after reading."""

    owner: str
    text: str
    stays: bool
    until: float


class Notes:
    """The notes that hold, each owner's latest: those that stay, and the newest of the others."""

    def __init__(self) -> None:
        self._notes: dict[str, Note] = {}

    def say(self, owner: str, text: str, now: float, *, stays: bool = False) -> None:
        """Put a note in the place of the owner's last one; an empty one takes that back."""
        self._notes.pop(owner, None)
        if text:
            self._notes[owner] = Note(owner, text, stays, now + SHOWN_S)

    def mended(self, owner: str) -> None:
        """Remove the owner's note that stays."""
        if owner in self._notes and self._notes[owner].stays:
            del self._notes[owner]

    def acted(self, now: float) -> bool:
        """The user did something: what stayed, and could be read, goes. Whether any went."""
        read = [note.owner for note in self._notes.values() if note.stays and note.until <= now]
        for owner in read:
            del self._notes[owner]
        return bool(read)

    def shown(self, now: float) -> tuple[Note, ...]:
        """What is to be seen, in its order: the newest that stays, then the newest that passes."""
        holding = [note for note in self._notes.values() if note.stays or note.until > now]
        self._notes = {note.owner: note for note in holding}
        staying = [note for note in holding if note.stays][-1:]
        passing = [note for note in holding if not note.stays][-1:]
        return (*staying, *passing)


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
