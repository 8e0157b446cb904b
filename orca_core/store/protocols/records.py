"""What is asked of any kind of record that has no store of its own: made, read, changed, deleted, listed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import Any, Protocol

from msgspec import Struct

from orca_core.model.memories import Fields
from orca_core.model.operations import Change, OperationHeader, RecordsChanged
from orca_core.model.records import R
from orca_core.model.views import RecordPage, RecordQuery

DecideRecords = Callable[[Sequence[R]], Mapping[int, Fields]]
"""The changeable fields, as plain values, that each of some records is to have, by its number."""


class Left(Struct, frozen=True):
    """What a delete of episodes left of the knowledge that was made of them: `held` is held back until it is written
    anew, `kept` stays, for a person pinned or wrote it."""

    held: tuple[int, ...] = ()
    kept: tuple[int, ...] = ()
    is_wiped: bool = True
    """False while a reader keeps old pages from being wiped."""


class RecordStore(Protocol[R]):
    """The records of one kind in one scope. What is done to them is an operation, which can be undone; a delete can
    not."""

    async def get(self, ids: Sequence[int], *, missing_ok: bool = False) -> list[R]:
        """In the order asked; raises NotFound for the first id that does not exist, or leaves it out."""
        ...

    def all(self) -> AsyncIterator[R]:
        """Every record, by its number, a page at a time."""
        ...

    async def page(self, query: RecordQuery) -> RecordPage[R]: ...

    async def add(self, record: R, header: OperationHeader) -> R:
        """With the number that it gets."""
        ...

    async def change(self, record_id: int, wanted: Mapping[str, Any], header: OperationHeader) -> R:
        """`wanted` are changeable fields as plain values. Raises NotFound."""
        ...

    async def change_all(
        self,
        ids: Sequence[int],
        header: OperationHeader,
        decide: DecideRecords[R],
        continues: int | None = None,
    ) -> RecordsChanged[R]:
        """One operation, all or nothing, decided on the records as they are inside the transaction; those for which
        `decide` returns no changes are left alone. A large operation comes in slices, each of which `continues` the
        one that the first began. Raises NotFound, and what `decide` raises."""
        ...

    async def delete(self, ids: Sequence[int], header: OperationHeader) -> Left:
        """For good: words, vectors, history and what receipts show of it; and of knowledge that was made of a deleted
        episode what it said before."""
        ...

    async def history(self, record_id: int) -> list[Change]:
        """Oldest first. Raises NotFound."""
        ...
