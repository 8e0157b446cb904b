"""A list of records of work: one of the tabs."""

from __future__ import annotations

from orca_tui.app.records.kind import K, V
from orca_tui.app.records.record_list import RecordList
from orca_tui.app.work.messages import OtherTab


class WorkList(RecordList[V, K]):
    """Leads to the tabs beside it, beside what every list does; its subclasses bind the keys."""

    def action_other_tab(self, step: int) -> None:
        self.post_message(OtherTab(step))
