"""Knowledge as the commands of `orca knowledge` know it."""

from __future__ import annotations

from orca_tui.cli.record_hand import ByHand
from orca_tui.cli.record_ids import KNOWLEDGE_ID
from orca_tui.words.work_words import knowledge_line

KNOWLEDGE_BY_HAND = ByHand(KNOWLEDGE_ID, lambda orca: orca.engine.work.knowledge, knowledge_line)
