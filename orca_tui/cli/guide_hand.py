"""Guides of tools as the commands of `orca tool` know them."""

from __future__ import annotations

from orca_tui.cli.record_hand import ByHand
from orca_tui.cli.record_ids import GUIDE_ID
from orca_tui.words.tool_words import guide_line

GUIDES_BY_HAND = ByHand(GUIDE_ID, lambda orca: orca.engine.guides, guide_line, group="tool")
