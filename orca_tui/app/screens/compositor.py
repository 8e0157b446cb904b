"""Textual's compositor, which also draws what it arranged because somebody asked where a widget stands."""

from __future__ import annotations

from textual._compositor import Compositor, CompositorMap


class WholeCompositor(Compositor):
    """After a scroll Textual 8.2.8 arranges all widgets when it is next asked for one of them. What had moved by then
    is no change to the layout that follows, and stayed where it was on the screen: lines under others, and lost."""

    @property
    def full_map(self) -> CompositorMap:
        """Where each widget is; what is found to have moved is drawn next."""
        if self.root is None or not self._full_map_invalidated:
            return super().full_map
        before, screen = self._full_map, self.size.region
        found = super().full_map
        if screen not in self._dirty_regions:
            moved = (each.clip.intersection(each.region) for _, each in found.items() ^ before.items())
            self._dirty_regions.update(filter(None, moved))
        return found
