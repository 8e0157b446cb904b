"""What a controller or a pane may do to its screen: notes, screens, questions, copying, editing, drawing anew."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from gettext import gettext as _
from typing import TypeVar

from textual.screen import Screen

from orca_tui.app.bridge import Bridge
from orca_tui.app.terminal import copy, edited
from orca_tui.app.widgets.key_line import KeyLine

T = TypeVar("T")


class Stage(Screen[None], inherit_bindings=False):
    """The screen as controllers know it: it shows notes and screens, asks Orca, redraws."""

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self.bridge = bridge

    def know_width(self) -> None:
        """Take the class of the width before Textual gives it: else all is styled without one, and then again."""
        width = self.app.size.width
        classes = [name for least, name in self.HORIZONTAL_BREAKPOINTS or () if least <= width]
        self.add_class(*classes[-1:], update=False)

    def redraw(self) -> None:
        """Redraw what follows from the state of the chat; subclasses do."""

    def changed(self, *, anew: bool = False) -> None:
        """Have lists and counts read memories again, for they changed; `anew` where there may be other ones."""

    def note(self, text: str, owner: str = "", *, stays: bool = False) -> None:
        """Show a note where the user looks."""
        lines = self.app.screen.query(KeyLine) or self.query(KeyLine)
        lines.first().note(text, owner, stays=stays)

    def push(self, screen: Screen[T], then: Callable[[T | None], None] | None = None) -> None:
        """Push a screen; `then` is called with its result."""
        self.app.push_screen(screen, then)

    def ask(self, work: Callable[[], Awaitable[T]], then: Callable[[T], None], *, group: str = "change") -> None:
        """Run work with Orca and call `then` with its result; see `Bridge.ask` for its groups."""
        self.bridge.ask(work, then, group=group)

    def later(self, work: Callable[..., object], *values: object) -> None:
        """Call `work` once the screen has finished its current work."""
        self.call_later(work, *values)

    def copy(self, text: str) -> str:
        """Copy a text, and say so; returns what was said."""
        words = copy(self.app, text)
        self.note(words)
        return words

    def edit(self, text: str) -> str | None:
        """The text as it was left in the user's editor; None, and said, where there is none."""
        changed = edited(self.app, text)
        if changed is None:
            self.note(_("your editor can't be opened here"))
        return changed
