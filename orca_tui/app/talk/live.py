"""Where an answer streams. What draws it is loaded with the first answer: a start does without."""

from __future__ import annotations

from abc import abstractmethod

from orca_tui.app.widgets.growing import LaidOutOnce


class Live(LaidOutOnce):
    """An answer while it comes. `stop` may be called again; after it nothing is written."""

    @abstractmethod
    async def write(self, piece: str) -> None:
        """Draw a piece more."""

    @abstractmethod
    async def stop(self) -> None:
        """Draw what was written and is not drawn yet."""

    @abstractmethod
    async def draw(self, source: str) -> None:
        """Draw a text from its beginning."""


def live_answer() -> Live:
    """A place for an answer."""
    from orca_tui.app.talk.live_markdown import LiveMarkdown

    return LiveMarkdown()


def load_what_draws_answers() -> None:
    """Have the first answer not wait for it."""
    from orca_tui.app.talk import live_markdown  # noqa: F401  # to have it loaded
