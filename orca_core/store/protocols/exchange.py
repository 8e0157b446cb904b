"""What leaves a home for another, and what comes into one, as a port."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from datetime import datetime
from typing import Any, Protocol

from orca_core.model.import_export import Arrived, Coming, ImportCounts, ImportProgress, Packed, PackedOperation
from orca_core.model.operations import OperationHeader
from orca_core.model.records import RecordType


class Snapshot(Protocol):
    """Everything of a scope that travels, as of one moment. Close it."""

    @property
    def counts(self) -> dict[str, int]:
        """How many records each list has, by the names of `TRAVELLING`."""
        ...

    def records(self, record_type: RecordType[Any]) -> AsyncIterator[Packed]:
        """In the order in which they were made, a page at a time."""
        ...

    def operations(self) -> AsyncIterator[PackedOperation]:
        """Those of which something travels, in their order, numbered from 1."""
        ...

    async def aclose(self) -> None: ...


class Arrivals(Protocol):
    """One import: all of it is put down, decided upon, and brought in as one. Close it: what was not brought in by
    then is gone, and nothing is left of it."""

    async def put(self, batch: Sequence[Coming]) -> None:
        """Raises InvalidInput for what stands twice in the document."""
        ...

    async def decide(self) -> ImportCounts:
        """What would become of each record, beside what is here now, once all is put down. Raises InvalidInput where
        the document does not hold together."""
        ...

    def arrived(self) -> AsyncIterator[Arrived]:
        """What became, or would become, of each record, in the order of the document."""
        ...

    async def bring(self, header: OperationHeader, tell: Callable[[ImportProgress], None]) -> tuple[int, ImportCounts]:
        """In one transaction, as one operation that can be undone; whatever changed here since `decide` counts.
        Returns the operation."""
        ...

    async def aclose(self) -> None: ...


class ExchangeStore(Protocol):
    """Records on their way between homes."""

    async def snapshot(self) -> Snapshot: ...

    async def is_empty(self) -> bool:
        """Whether nothing is here that could travel."""
        ...

    async def arrivals(self, *, again: bool) -> Arrivals:
        """`again`: what was deleted here comes, too."""
        ...

    async def uncompared(self) -> int:
        """How many memories that came were not compared with others yet."""
        ...

    async def compare(self, at: datetime) -> int:
        """Compare some of them, in a transaction, and list the pairs of which a person is to decide; returns how many
        were compared."""
        ...
