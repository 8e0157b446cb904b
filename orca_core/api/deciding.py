"""What a person is to decide of what was learnt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from orca_core.model.journal import Changed
    from orca_core.model.memories import Memory
    from orca_core.model.views import Case, PairView, Waiting


class Candidates(Protocol):
    """What was learnt and waits for a person."""

    async def inbox(self, limit: int | None = None) -> list[Memory]: ...

    async def waiting(self) -> Waiting:
        """How many wait, of every kind, and since when the oldest does."""
        ...

    async def case(self, memory_id: int) -> Case: ...

    async def accept(self, ids: Sequence[int], shown: Mapping[int, str] | None = None) -> Changed: ...

    async def accept_edited(
        self,
        candidate_id: int,
        shown: str,
        *,
        content: str | None = None,
        type_word: str | None = None,
        tags: Sequence[str] | None = None,
    ) -> Changed: ...

    async def accept_instead(self, candidate_id: int, old_id: int, shown: str) -> Changed: ...

    async def reject(self, ids: Sequence[int]) -> Changed: ...

    async def never(self, ids: Sequence[int]) -> Changed: ...


class Pairs(Protocol):
    """Memories that may say the same."""

    async def undecided(self) -> list[PairView]: ...

    async def keep_both(self, first: int, second: int) -> None: ...

    async def merge(self, kept_id: int, other_ids: Sequence[int], *, content: str | None = None) -> Changed: ...

    async def merge_outcomes(self, ids: Sequence[int]) -> list[Memory]: ...


class Inbox(Candidates, Pairs, Protocol):
    """What a person is to decide."""
