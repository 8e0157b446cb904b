"""The list of the memories: its keys, and the words by which it is filtered and sorted."""

from __future__ import annotations

from orca_core.model.memories import Memory
from orca_core.model.views import MemoryView
from orca_tui.app.keymap import bindings
from orca_tui.app.memory.memory_keys import MEMORIES
from orca_tui.app.memory.memory_row import empty_text, memory_row
from orca_tui.app.records.kind import Listing
from orca_tui.app.records.record_list import RecordList
from orca_tui.language import N_
from orca_tui.marks import Marks

TYPES = ("", "fact", "preference", "project", "instruction", "event")

MEMORY_LISTING = Listing(
    id="memory",
    title=N_("Memories"),
    sorts={"weight": N_("weight"), "used": N_("last used"), "new": N_("newest"), "type": N_("type")},
    statuses={
        "live": N_("live"),
        "all": N_("all"),
        "archived": N_("archived"),
        "candidate": N_("candidate"),
        "core": N_("core"),
        "rejected": N_("rejected"),
    },
    types={word: word for word in TYPES},
    row=memory_row,
    empty=empty_text,
)


class MemoryList(RecordList[MemoryView, Memory]):
    """The memories, page by page."""

    BINDINGS = bindings(MEMORIES)

    def __init__(self, marks: Marks) -> None:
        super().__init__(MEMORY_LISTING, marks)
