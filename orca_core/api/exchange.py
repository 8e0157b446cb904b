"""What leaves a home for another, and what comes into one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:  # they lead to the ports of all stores, and nobody who starts the app needs one
    from orca_core.model.exchange import Arrived, Arriving, Brought, ImportProgress, ImportTerms
    from orca_core.model.foreign import ForeignBrought, ForeignEntry, LeftOut, Repeated
    from orca_core.store.protocols.exchange import Snapshot


class Exchange(Protocol):
    """The doors of a home."""

    async def export(self) -> Snapshot:
        """All that travels, with the status that people see. It is to be closed."""
        ...

    async def bring(
        self,
        arriving: Iterable[Arriving],
        terms: ImportTerms,
        *,
        tell: Callable[[ImportProgress], None] = ...,
        hear: Callable[[Arrived], None] | None = None,
    ) -> Brought:
        """Read all of it, then bring it in as one operation. `tell` hears how far it is, `hear` at the end what
        became of each. Raises InvalidInput, which names the place: nothing was written then."""
        ...

    async def bring_foreign(
        self,
        entries: Iterable[ForeignEntry],
        terms: ImportTerms,
        *,
        tell: Callable[[ImportProgress], None] = ...,
        hear: Callable[[Arrived | LeftOut | Repeated], None] = ...,
    ) -> ForeignBrought:
        """The same of another program's file. Whatever comes waits for a person, also in an empty home, unless it is
        trusted."""
        ...
