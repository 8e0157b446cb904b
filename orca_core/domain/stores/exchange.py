"""What leaves a home for another, and what comes into one, as a port."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Protocol

from orca_core.domain.exchange import Packed, PackedOperation
from orca_core.domain.records import RecordType


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


class ExchangeStore(Protocol):
    """Records on their way between homes."""

    async def snapshot(self) -> Snapshot: ...
