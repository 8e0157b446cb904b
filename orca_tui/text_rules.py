"""The core's rules for text that others wrote, and for what was typed or pasted, by one door."""

from __future__ import annotations

from orca_core.rules.text.cleaning import cut, for_terminal, one_line
from orca_core.rules.text.literal_search import holds, wanted_pieces
from orca_core.rules.text.typed_spans import join, mark_pasted, normalise

__all__ = ["cut", "for_terminal", "holds", "join", "mark_pasted", "normalise", "one_line", "wanted_pieces"]
