"""The keys of the lists of work: those of every list of records, what a record rests on, and the other tab."""

from __future__ import annotations

from orca_tui.app.keymap import Key
from orca_tui.app.records.keys import record_keys
from orca_tui.app.work.step_list import STEPS
from orca_tui.language import N_

LISTS = (
    *record_keys("work", without={"new", "merge", "type"}),
    Key("work.sources", "o", "act('sources')", N_("what it rests on"), is_shown=True),
    Key("work.tab", "t", "other_tab", N_("other tab"), is_shown=True),
    Key("work.tab_by_arrows", "right,left", "other_tab", N_("other tab")),
)
WORK = (*STEPS, *LISTS)
