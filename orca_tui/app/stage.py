"""What a controller or a pane may do to its screen, without knowing that screen."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar

from textual.screen import Screen

T = TypeVar("T")


class Stage(Protocol):
    """Shows notes and screens, asks the engine, redraws; controllers hold nothing else of a screen."""

    def note(self, text: str, owner: str = "", *, stays: bool = False) -> None:
        """Show a note where the user looks."""

    def push(self, screen: Screen[T], then: Callable[[T | None], None] | None = None) -> None:
        """Push a screen; `then` is called with its result."""

    def ask(self, work: Callable[[], Awaitable[T]], then: Callable[[T], None], *, group: str = "change") -> None:
        """Run work with the engine and call `then` with its result. A newer question of a group `look…` replaces an
        older one; changes are never replaced."""

    def later(self, work: Callable[..., object], *values: object) -> None:
        """Call `work` once the screen has finished its current work."""

    def redraw(self) -> None:
        """Redraw what follows from the state of the chat."""

    def changed(self, *, anew: bool = False) -> None:
        """Have lists and counts read memories again, for they changed; `anew` where there may be other ones."""

    def copy(self, text: str) -> str:
        """Copy a text, and say so; what was said."""
        ...

    def edit(self, text: str) -> str | None:
        """The text as it was left in the user's editor; None, and said, where there is none."""
