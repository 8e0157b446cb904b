"""The keys of the lists of work: those of every list of records, what a record rests on, and the other tab."""

from __future__ import annotations

from orca_tui.app.keymap import Key
from orca_tui.app.records.keys import record_keys
from orca_tui.app.work.call_list import CALLS
from orca_tui.app.work.step_list import STEPS
from orca_tui.language import N_

LISTS = (
    *record_keys("work", without={"new", "merge", "type"}),
    Key("work.sources", "o", "act('sources')", N_("what it rests on"), is_shown=True),
    Key("work.tab", "t", "other_tab(1)", N_("other tab"), is_shown=True),
    Key("work.tab_by_arrows", "right", "other_tab(1)", N_("other tab")),
    Key("work.tab_back", "left", "other_tab(-1)", N_("tab before")),
)
WORK = (*STEPS, *CALLS, *LISTS)
