"""One line below everything: the keys that count here, in the language of the interface."""

from __future__ import annotations

from gettext import gettext as _

from rich.cells import cell_len
from textual.content import Content
from textual.widget import Widget

from orca_tui.app.plain import plain

KEY_WORDS = {"escape": "esc", "slash": "/", "space": "space", "pagedown": "pgdn", "pageup": "pgup"}


class KeyLine(Widget):
    """What a key does, as long as there is room; a note takes its place while it lasts."""

    def __init__(self) -> None:
        super().__init__(id="keys")
        self._note = ""
        self._words: dict[str, str] = {}

    def rename(self, action: str, words: str) -> None:
        """What a key does just now, where that changes; nothing hides it."""
        if self._words.get(action) != words:
            self._words[action] = words
            self.refresh()

    def note(self, text: str) -> None:
        """Say something in the place of the keys; empty for the keys again."""
        self._note = text
        self.refresh()

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, lambda _screen: self.refresh())

    def render(self) -> Content:
        if self._note:
            return plain(f" {self._note}", "$text-warning")
        parts: list[Content] = []
        room = self.size.width - 1
        seen: set[str] = set()
        for active in self.screen.active_bindings.values():
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
            parts.append(plain(key, "bold") + plain(words, "$foreground-muted"))
        return Content(" ") + Content("").join(parts)


def key_name(key: str) -> str:
    """A key as people write it: `^p`, `esc`, `f2`."""
    if key.startswith("ctrl+"):
        return f"^{key.removeprefix('ctrl+')}"
    return KEY_WORDS.get(key, key)
