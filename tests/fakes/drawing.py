"""What a key or a word costs the app: how many lines of which widget are drawn, how often the screen is laid out, how
often a widget is looked at in search of another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest
from textual._compositor import Compositor, ReflowResult
from textual.css import query
from textual.dom import DOMNode
from textual.geometry import Size
from textual.widget import Widget


class Drawing:
    """Counts as long as the patches of a test last, from the latest `begin` on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.lines: Counter[str] = Counter()
        """Lines that were to be drawn anew, by the ids (else the classes) of their widgets."""
        self.layouts = 0
        self.looked_at = 0
        update, reflow, match = Compositor.update_widgets, Compositor.reflow, query.match

        def counting_update(compositor: Compositor, widgets: set[Widget]) -> None:
            self._count(widgets)
            update(compositor, widgets)

        def counting_reflow(compositor: Compositor, parent: Widget, size: Size) -> ReflowResult:
            self.layouts += 1
            return reflow(compositor, parent, size)

        def counting_match(selectors: Any, node: DOMNode) -> bool:
            self.looked_at += 1
            return match(selectors, node)

        monkeypatch.setattr(query, "match", counting_match)
        monkeypatch.setattr(Compositor, "update_widgets", counting_update)
        monkeypatch.setattr(Compositor, "reflow", counting_reflow)

    def begin(self) -> None:
        self.lines.clear()
        self.layouts = self.looked_at = 0

    def _count(self, widgets: Iterable[Widget]) -> None:
        for widget in widgets:
            lines = sum(region.height for region in widget._repaint_regions)
            if lines:
                self.lines[widget.id or " ".join(sorted(widget.classes))] += lines
