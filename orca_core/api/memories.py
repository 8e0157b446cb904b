"""Memories: looking at them, changing them, finding them, and what was done to them."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from orca_core.model.journal import Change, Changed, Operation, Undone
    from orca_core.model.memories import Addition, Deletion, Memory
    from orca_core.model.queries import ListQuery, Sifted
    from orca_core.model.views import MemoryView, SearchResult, Stats, ViewPage


class MemoryLists(Protocol):
    """Looking at memories. Where a number names none, NotFound."""

    async def page(self, query: ListQuery) -> ViewPage: ...

    def sift(self, query: ListQuery) -> AsyncGenerator[Sifted]:
        """The memories of a list that is filtered by a text or tags, as they are found: the first ones after as long as
        in a small home, the last time all. Its pages are then asked for by numbers."""
        ...

    async def get(self, ids: Sequence[int]) -> list[Memory]: ...

    async def views(self, ids: Sequence[int]) -> list[MemoryView]: ...

    async def counts(self) -> dict[str, int]:
        """How many there are of each status."""
        ...

    async def stats(self) -> Stats: ...


class MemoryChanges(Protocol):
    """Changing memories by hand: one operation each, which can be undone; but a delete is for good."""

    async def add(
        self, text: str, *, type_word: str | None = None, tags: Sequence[str] = (), pinned: bool = False
    ) -> Addition: ...

    async def edit(
        self,
        memory_id: int,
        *,
        content: str | None = None,
        type_word: str | None = None,
        tags: Sequence[str] | None = None,
        confidence: float | None = None,
        weight: float | None = None,
    ) -> Changed: ...

    async def pin(self, ids: Sequence[int]) -> Changed: ...

    async def unpin(self, ids: Sequence[int]) -> Changed: ...

    async def archive(self, ids: Sequence[int]) -> Changed: ...

    async def restore(self, ids: Sequence[int]) -> Changed: ...

    async def delete(self, ids: Sequence[int], *, with_messages: bool = False) -> Deletion: ...


class Memories(MemoryLists, MemoryChanges, Protocol):
    """Memories, looked at and changed."""


class Search(Protocol):
    """Finding memories by meaning and by words."""

    async def find(self, text: str, limit: int) -> SearchResult: ...

    async def meant(self, wanted: str) -> list[int]: ...


class History(Protocol):
    """What was done to memories, by whom, and taking it back."""

    async def changes_of(self, memory_id: int) -> list[Change]: ...

    async def activity(self, limit: int) -> list[tuple[Operation, list[Change]]]: ...

    async def undo(self, operation: int | None = None) -> Undone: ...

    async def redo(self, operation: int | None = None) -> Undone: ...

    async def waiting(self) -> list[Operation]: ...
