"""Settles the facts of a run in a reading, before the transaction that does it: that rules read what facts and memories
say takes longer than all that is written, and they remember what they read. Nothing else is kept of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import TypeVar

from orca_core.domain.learning import Batch
from orca_core.domain.settling import Proposal, Settle
from orca_core.domain.stores.rows import Rows, Transactions
from orca_core.journal import beside, known
from orca_core.journal.records import JournalRules, RecordTypes

T = TypeVar("T")


async def rehearsed(transactions: Transactions, rehearsal: Callable[[Rows], object], write: Callable[[Rows], T]) -> T:
    """The transaction, after its rehearsal. Like any transaction it is carried out where its caller is cancelled: the
    model was paid for what it writes."""
    try:
        await transactions.read(rehearsal, own=True)
    except asyncio.CancelledError:
        await transactions.write(write)
        raise
    return await transactions.write(write)


def rehearse(
    rows: Rows,
    types: RecordTypes,
    rules: JournalRules,
    batch: Batch,
    proposals: Iterable[Proposal],
    settle: Settle,
    at: datetime,
) -> None:
    earlier = known.from_same_rounds(rows, batch)
    for proposal in proposals:
        settlement = settle(proposal, known.beside(rows, types, proposal, (), earlier))
        if settlement.store is not None:
            beside.make_ready_for(rows, rules, settlement.store.born("", at))
