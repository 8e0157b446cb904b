"""The part of a stage that any screen can be: notes, screens, questions, copying, editing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from gettext import gettext as _
from typing import TypeVar

from textual.screen import Screen

from orca_tui.app.bridge import Bridge
from orca_tui.app.terminal.clipboard import copy
from orca_tui.app.terminal.editor import edited
from orca_tui.app.widgets.key_line import KeyLine

T = TypeVar("T")


class StageScreen(Screen[None], inherit_bindings=False):
    """What `Stage` asks of a screen but for drawing, which subclasses do."""

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self.bridge = bridge

    def know_width(self) -> None:
        """Take the class of the width before Textual gives it: else all is styled without one, and then again."""
        width = self.app.size.width
        classes = [name for least, name in self.HORIZONTAL_BREAKPOINTS or () if least <= width]
        self.add_class(*classes[-1:], update=False)

    def note(self, text: str, owner: str = "", *, stays: bool = False) -> None:
        lines = self.app.screen.query(KeyLine) or self.query(KeyLine)
        lines.first().note(text, owner, stays=stays)

    def push(self, screen: Screen[T], then: Callable[[T | None], None] | None = None) -> None:
        self.app.push_screen(screen, then)

    def ask(self, work: Callable[[], Awaitable[T]], then: Callable[[T], None], *, group: str = "change") -> None:
        self.bridge.ask(work, then, group=group)

    def later(self, work: Callable[..., object], *values: object) -> None:
        self.call_later(work, *values)

    def copy(self, text: str) -> str:
        words = copy(self.app, text)
        self.note(words)
        return words

    def edit(self, text: str) -> str | None:
        changed = edited(self.app, text)
        if changed is None:
            self.note(_("your editor can't be opened here"))
        return changed
