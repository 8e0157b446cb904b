"""What a controller or a pane may do to the screen that it plays on. Knows none of them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar

from textual.screen import Screen

T = TypeVar("T")


class Stage(Protocol):
    """Say something, show something, ask the engine, have things drawn anew; nothing else of a screen is held."""

    def note(self, text: str, owner: str = "", *, stays: bool = False) -> None:
        """Say something about a key that was pressed, where the user looks."""

    def push(self, screen: Screen[T], then: Callable[[T | None], None] | None = None) -> None:
        """Put a screen over this one; `then` is called with what it was left with."""

    def ask(self, work: Callable[[], Awaitable[T]], then: Callable[[T], None], *, group: str = "change") -> None:
        """Do something with the engine and hand the outcome on. A newer question of a group `look…` takes the place
        of an older one; changes never do."""

    def later(self, work: Callable[..., object], *values: object) -> None:
        """Do it once what is under way on the screen is done."""

    def redraw(self) -> None:
        """The state of the talk changed: draw what follows from it."""

    def changed(self, *, anew: bool = False) -> None:
        """Memories changed: what counts or lists them looks again; `anew` where there may be other ones."""

    def copy(self, text: str) -> None:
        """Copy a text, and say so."""

    def edit(self, text: str) -> str | None:
        """The text as it was left in the user's editor; None, and said, where there is none."""
