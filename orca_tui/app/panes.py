"""The panes beside the chat, in their order. A new one is an entry here: layout, tab order, keys and help follow."""

from __future__ import annotations

from orca_tui.app.memory.activity_pane import ActivityPane
from orca_tui.app.memory.memories_pane import MemoriesPane
from orca_tui.app.pane import Pane
from orca_tui.app.talk.turn_pane import TurnPane
from orca_tui.app.work.work_pane import WorkPane

PANES: tuple[type[Pane], ...] = (TurnPane, MemoriesPane, ActivityPane, WorkPane)
