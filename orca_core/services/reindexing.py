"""Makes what records and messages are found by anew, from what is stored."""

from __future__ import annotations

from collections.abc import Callable

from orca_core.model.operations import Reached, Tell
from orca_core.store.protocols import Stores

RECORDS, VECTORS, MESSAGES = "records", "vectors", "messages"
"""What it tells that it is indexing."""
TOLD_EVERY_S = 0.2


async def reindexed(stores: Stores, model: str, tell: Tell) -> None:
    """The words of every kind, the vectors that `model` made, then what was said. Raises StorageError."""
    counts = await stores.indexes.counts()
    before, whole = 0, sum(counts.values())
    for kind, count in counts.items():
        await stores.indexes.mend(kind, _telling(tell, RECORDS, before, whole))
        before += count
    have, _whole = await stores.vectors.progress(model)
    await stores.vectors.refresh_index(model, _telling(tell, VECTORS, 0, have))
    await reindexed_messages(stores, tell)


def _telling(tell: Tell, stage: str, before: int, whole: int) -> Callable[[int], None]:
    return lambda done: tell(Reached(stage, min(before + done, whole), whole))


async def reindexed_messages(stores: Stores, tell: Tell) -> None:
    """What was said. Raises StorageError."""
    await stores.messages.rebuild()
    whole = left = await stores.messages.backlog()
    while left:
        tell(Reached(MESSAGES, whole - left, whole))
        before, left = left, await stores.messages.catch_up(TOLD_EVERY_S)
        if left >= before:  # others write, too; the work in the background does the rest
            break
