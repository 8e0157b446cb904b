"""What grows word by word, and what holds it: the screen is laid out anew only for another line, and then once."""

from __future__ import annotations

from textual.geometry import Size
from textual.visual import VisualType
from textual.widget import Widget
from textual.widgets import Static


class LaidOutOnce(Widget):
    """A widget whose size is told to it by a layout that has counted it in already. Textual lays the whole screen out a
    second time where a widget comes to hold more, for the sake of bars that scroll; what appears or leaves of those
    asks for a layout by itself. As the last base it leaves the styles to the others."""

    def _size_updated(self, size: Size, virtual_size: Size, container_size: Size, layout: bool = True) -> bool:  # noqa: ARG002  # Textual's
        return super()._size_updated(size, virtual_size, container_size, layout=False)


class Growing(Static, LaidOutOnce):
    """A text as wide as its place. A layout walks over every widget of the screen; a word that stands in a line that is
    there already needs none."""

    def update(self, content: VisualType = "", *, layout: bool = True) -> None:
        super().update(content, layout=False)
        if layout and self.is_mounted and not self._fits():  # what is mounted is laid out in any case
            self.refresh(layout=True)

    def _fits(self) -> bool:
        """Whether what it says now takes exactly the lines that it was given."""
        given = self.content_size
        return bool(given) and self.visual.get_height(self.styles, given.width) == given.height  # type: ignore[arg-type]  # as Textual calls it
