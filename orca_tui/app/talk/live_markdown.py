"""An answer while it streams: Markdown in which a word is drawn where it comes, and what stands there stays."""

from __future__ import annotations

from typing import Any

from textual._types import CallbackType
from textual.widget import AwaitMount
from textual.widgets import Markdown
from textual.widgets._markdown import MarkdownParagraph

from orca_tui.app.widgets.growing import Growing, LaidOutOnce


class GrowingParagraph(MarkdownParagraph, Growing):
    """The paragraph at the end."""


class LiveMarkdown(Markdown, LaidOutOnce):
    """Textual's, with blocks that know how to grow. Links are text: the answer of a model opens nothing."""

    BLOCKS = {**Markdown.BLOCKS, "paragraph_open": GrowingParagraph}  # noqa: RUF012  # Textual's way

    def __init__(self) -> None:
        super().__init__(classes="live", open_links=False)

    def call_next(self, callback: CallbackType, *args: Any, **kwargs: Any) -> None:
        """Textual waits for every mount a second time, and then has the screen laid out again. Whoever mounts a block
        here waits for it."""
        if not isinstance(callback, AwaitMount):
            super().call_next(callback, *args, **kwargs)
