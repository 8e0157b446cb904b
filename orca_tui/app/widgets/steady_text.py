"""A text whose place has its size already: a title, a strip, the two lines about what is under a cursor."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static


class SteadyText(Static):
    """Saying something else lays nothing out anew; saying the same draws nothing. Whatever is drawn behind a key is a
    frame more, and Textual lets up to two of its periods pass before that."""

    def __init__(self, content: Content = Content(""), *, id: str | None = None, classes: str | None = None) -> None:  # noqa: B008  # immutable
        super().__init__(content, id=id, classes=classes)
        self._said = content

    def say(self, content: Content) -> None:
        """Have this stand here."""
        if not content.is_same(self._said):
            self._said = content
            self.update(content, layout=False)
