"""Episodes as the commands of `orca episode` know them."""

from __future__ import annotations

from orca_tui.cli.record_hand import ByHand
from orca_tui.cli.record_ids import EPISODE_ID
from orca_tui.words.work_words import episode_line

EPISODES_BY_HAND = ByHand(EPISODE_ID, lambda orca: orca.engine.work.episodes, episode_line)
