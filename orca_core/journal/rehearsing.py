"""Settles the facts of a run in a reading, before the transaction that does it: rules that read what facts say, and the
search for what is near to them, take longer than all that is written. What they come to is decided there once more;
what is kept of this are the readings, which rules remember by the text, and which memories are near."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from datetime import datetime

from orca_core.domain.dataclass import dataclass
from orca_core.domain.learning import Batch
from orca_core.domain.settling import Proposal, Settle
from orca_core.domain.stores.rows import Rows, above
from orca_core.journal import known, pairs
from orca_core.journal.records import JournalRules, RecordTypes


@dataclass(frozen=True, slots=True)
class Rehearsed:
    """The live memories near each text that is to be stored, as they were after the `last` operation."""

    last: int = 0
    near: Mapping[str, Sequence[int]] = field(default_factory=dict)

    def still_near(self, rows: Rows) -> Mapping[str, Sequence[int]]:
        """The same, if nothing has been done since."""
        return {} if rows.count("operations", above("id", self.last)) else self.near


def rehearse(
    rows: Rows,
    types: RecordTypes,
    rules: JournalRules,
    batch: Batch,
    proposals: Iterable[Proposal],
    settle: Settle,
    at: datetime,
) -> Rehearsed:
    newest = rows.select("operations", ("id",), order=("-id",), limit=1)
    earlier = known.from_same_rounds(rows, batch)
    near = {}
    for proposal in proposals:
        settlement = settle(proposal, known.beside(rows, types, proposal, (), earlier))
        if settlement.store is not None:
            near[proposal.new.content] = pairs.near_to_come(rows, rules, settlement.store.born("", at))
    return Rehearsed(newest[0][0] if newest else 0, near)
