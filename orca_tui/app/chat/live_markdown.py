"""An answer while it streams: Markdown in which a word is drawn where it comes, and what stands there stays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from textual._types import CallbackType
from textual.app import ComposeResult
from textual.widget import AwaitMount, Widget
from textual.widgets import Label, Markdown

# Textual 8.2.8 exports neither its paragraphs nor its lists.
from textual.widgets._markdown import (
    MarkdownBullet,
    MarkdownBulletList,
    MarkdownList,
    MarkdownOrderedList,
    MarkdownParagraph,
)
from textual.widgets.markdown import MarkdownBlock, MarkdownFence, MarkdownStream

from orca_tui.app.chat.transcript import Live
from orca_tui.app.widgets.text import Growing

# Textual takes the styles of a class from its first base alone: those of its Markdown come first here.


class GrowingParagraph(MarkdownParagraph, Growing):
    """The paragraph at the end."""


class GrowingCode(Label, Growing):
    """The lines of code at the end. They are as wide as the longest of them, their place at least."""

    def _fits(self) -> bool:
        parent = self.parent
        assert isinstance(parent, Widget)
        room, given = parent.content_size.width - self.gutter.width, self.content_size.width
        wanted = self.visual.get_optimal_width(self.styles, room)  # type: ignore[arg-type]  # as Textual calls it
        return max(room, wanted) == given and super()._fits()


class GrowingFence(MarkdownFence):
    """The code at the end."""

    def compose(self) -> ComposeResult:
        yield GrowingCode(self._highlighted_code, id="code-content", expand=True)


class GrowingList(MarkdownList):
    """The list at the end: its last line grows, and others come below it. Textual makes a list anew with every word."""

    async def _update_from_block(self, block: MarkdownBlock) -> None:
        if type(block) is not type(self):
            await super()._update_from_block(block)
            return
        rows, fresh = list(self.children), list(block.compose())
        bullets = [_bullet(row.children[0]) for row in rows]
        if not rows or bullets != [_bullet(_to_be_in(row)[0]) for row in fresh[: len(rows)]]:
            await self.remove_children()
            await self.mount_all(fresh)
            return
        await _grow(rows[-1].children[1], _to_be_in(_to_be_in(fresh[len(rows) - 1])[1]))
        if more := fresh[len(rows) :]:
            await self.mount_all(more)


class GrowingBulletList(MarkdownBulletList, GrowingList):
    """With bullets before its lines."""


class GrowingOrderedList(MarkdownOrderedList, GrowingList):
    """With numbers before its lines: they take more room from the tenth on, and then all is made anew."""


class LiveMarkdown(Markdown, Live):
    """Textual's, with blocks that know how to grow. Links are text: the answer of a model opens nothing."""

    BLOCKS = {  # noqa: RUF012  # Textual's way
        **Markdown.BLOCKS,
        "paragraph_open": GrowingParagraph,
        "fence": GrowingFence,
        "code_block": GrowingFence,
        "bullet_list_open": GrowingBulletList,
        "ordered_list_open": GrowingOrderedList,
    }

    def __init__(self) -> None:
        super().__init__(classes="live", open_links=False)
        self._stream: MarkdownStream | None = None

    async def write(self, piece: str) -> None:
        if self._stream is None:
            self._stream = Markdown.get_stream(self)
        await self._stream.write(piece)

    async def stop(self) -> None:
        stream, self._stream = self._stream, None
        if stream is not None:
            await stream.stop()

    async def draw(self, source: str) -> None:
        await self.update(source)

    def call_next(self, callback: CallbackType, *args: Any, **kwargs: Any) -> None:
        """Textual waits for every mount a second time, and then has the screen laid out again. Whoever mounts a block
        here waits for it."""
        if not isinstance(callback, AwaitMount):
            super().call_next(callback, *args, **kwargs)


async def _grow(place: Widget, blocks: Sequence[Widget]) -> None:
    """Have a line of a list hold these blocks. What stood before its last one has been said to its end."""
    held = list(place.children)
    if not held or len(blocks) < len(held):
        await place.remove_children()
        await place.mount_all(blocks)
        return
    last, now = held[-1], blocks[len(held) - 1]
    if isinstance(last, GrowingParagraph | GrowingFence | GrowingList) and type(last) is type(now):
        assert isinstance(now, MarkdownBlock)
        await last._update_from_block(now)  # noqa: SLF001  # as Textual has a block grow
    else:
        await last.remove()
        await place.mount(now)
    if more := blocks[len(held) :]:
        await place.mount_all(more)


def _to_be_in(widget: Widget) -> Sequence[Widget]:
    """What a widget will hold once it is mounted."""
    return widget._pending_children  # noqa: SLF001  # the only place where Textual keeps them


def _bullet(bullet: Widget) -> str:
    assert isinstance(bullet, MarkdownBullet)
    return bullet.symbol
