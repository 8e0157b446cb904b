"""What a key or a word has the app draw: how many lines of which widget, and how often the screen was laid out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest
from textual._compositor import Compositor, ReflowResult
from textual.geometry import Size
from textual.widget import Widget


class Drawing:
    """Counts as long as the patches of a test last, from the latest `begin` on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.lines: Counter[str] = Counter()
        """Lines that were to be drawn anew, by the ids (else the classes) of their widgets."""
        self.layouts = 0
        update, reflow = Compositor.update_widgets, Compositor.reflow

        def counting_update(compositor: Compositor, widgets: set[Widget]) -> None:
            self._count(widgets)
            update(compositor, widgets)

        def counting_reflow(compositor: Compositor, parent: Widget, size: Size) -> ReflowResult:
            self.layouts += 1
            return reflow(compositor, parent, size)

        monkeypatch.setattr(Compositor, "update_widgets", counting_update)
        monkeypatch.setattr(Compositor, "reflow", counting_reflow)

    def begin(self) -> None:
        self.lines.clear()
        self.layouts = 0

    def _count(self, widgets: Iterable[Widget]) -> None:
        for widget in widgets:
            lines = sum(region.height for region in widget._repaint_regions)
            if lines:
                self.lines[widget.id or " ".join(sorted(widget.classes))] += lines
