"""What is remembered, and every operation on it, as ports; and the rules that they take into their transactions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol

from orca_core.model.memories import (
    Addition,
    Decide,
    Deletion,
    Fields,
    Memory,
    NewMemory,
    SaidAgain,
    UndecidedPair,
    Use,
)
from orca_core.model.operations import Change, Changed, Operation, OperationHeader, Undone, UndoPlan
from orca_core.model.records import Kind, Ref
from orca_core.model.views import MemoryPage, MemoryQuery, TextPlace

Evolve = Callable[[Memory, Use, datetime], Fields]
"""The weight rule: what one use changes in a memory (`rules.keeping.weights.evolve`)."""

Again = Callable[[Memory, NewMemory], SaidAgain]
"""What to do with a memory whose content is stored already (`rules.keeping.said_again`). A store is opened with it."""

PlanUndo = Callable[[Sequence[Change], Mapping[Ref, Fields], Mapping[Kind, Fields]], UndoPlan]
"""What an undo restores (`rules.keeping.undo.plan`) of records whose changeable fields are these now; the last are, by
kind, the fields by which a record that was made is put away."""

PlanRetry = Callable[[Sequence[Change], Mapping[Ref, Fields], Collection[Ref]], UndoPlan]
"""What a turn that is tried again gives back of the weights that it moved (`rules.keeping.undo.plan_retried`); the
last are memories whose weight a person has set since."""


class MemoryStore(Protocol):
    """Long-term memories, read and changed by hand or by rule."""

    async def get(self, ids: Sequence[int], *, missing_ok: bool = False) -> list[Memory]:
        """In the order asked; raises NotFound for the first id that does not exist, or leaves it out."""
        ...

    async def page(self, query: MemoryQuery) -> MemoryPage: ...

    async def add(self, new: NewMemory, header: OperationHeader) -> Addition: ...

    async def change(
        self, ids: Sequence[int], header: OperationHeader, decide: Decide, *, continues: int | None = None
    ) -> Changed:
        """All or nothing; memories for which `decide` returns no changes are left alone. What `continues` an operation
        is its next slice."""
        ...

    async def delete(self, ids: Sequence[int], header: OperationHeader, with_messages: bool = False) -> Deletion: ...

    async def counts(self) -> dict[str, dict[str, int]]:
        """`{"state": {…}, "type": {…}}`, of this scope."""
        ...

    async def undecided(self) -> list[UndecidedPair]:
        """Pairs that a person has not decided yet, both of which live or wait; newest first."""
        ...

    async def open_pairs(self, ids: Sequence[int]) -> set[tuple[int, int]]:
        """The pairs among these memories that a person has not decided yet: of each the newer, and the older."""
        ...

    async def keep_both(self, first: int, second: int) -> None:
        """The two are not the same. Raises NotFound where they are no listed pair."""
        ...


class FilteredLists(Protocol):
    """Lists of memories that are filtered by what no index knows, looked through in slices."""

    async def beginning(self, query: MemoryQuery, most: int) -> tuple[list[int], bool]:
        """Of the first so many memories of a list those that pass its filter, and whether the list has no others."""
        ...

    async def among_texts(
        self, query: MemoryQuery, behind: TextPlace | None, most: int
    ) -> tuple[list[int], TextPlace | None]:
        """What of a list is found among the next so many texts, in no order; and how far that was, None at the end."""
        ...

    async def in_order(self, query: MemoryQuery, ids: Sequence[int]) -> list[int]:
        """Those of these memories that the list has, in its order."""
        ...


class MemoryImport(Protocol):
    """Many memories, and records of other kinds, from elsewhere."""

    async def store_all(self, batch: Sequence[tuple[NewMemory, OperationHeader]]) -> list[Addition]:
        """All or nothing, each an operation of its own. None is compared with others: no pair is listed."""
        ...

    async def make_all(self, kind: Kind, records: Sequence[Any], header: OperationHeader) -> list[Any]:
        """Records of any other kind, as they are, in one operation; with the numbers that they get."""
        ...


class HistoryStore(Protocol):
    """Operations and what they changed."""

    async def history(self, memory_id: int) -> list[Change]:
        """Oldest first; raises NotFound."""
        ...

    async def operations(self, limit: int) -> list[Operation]:
        """Newest first."""
        ...

    async def deleted(self, texts: Sequence[str]) -> frozenset[str]:
        """Those of the texts that say what a memory of this scope said that was deleted."""
        ...

    async def changes_of(self, operations: Sequence[int], most_each: int | None = None) -> list[Change]:
        """What these operations did, in the order in which it was done; of each at most the first so many changes."""
        ...

    async def undo(self, operation: int | None, at: datetime, plan: PlanUndo) -> Undone:
        """Take back the operation named, else the person's latest act that stands and is no undo.

        An undo that was left half done is brought to its end first. Where it is what this one means, of the same
        operation or with no act after it, nothing else is taken back.

        A machine's operation that is later than that act is offered, and never taken in its place. Raises NotFound
        where there is none, InvalidInput where it was taken back already or is a delete."""
        ...

    async def redo(self, operation: int | None, at: datetime, plan: PlanUndo) -> Undone:
        """Take back an undo: the one named, else the person's latest that was not taken back itself. A redo that was
        left half done is treated as `undo` treats an undo."""
        ...

    async def carry_on(self, plan: PlanUndo) -> int:
        """Bring to its end what was begun to be taken back, and nobody carries on; how many operations these were."""
        ...

    async def waiting(self) -> list[Operation]:
        """Those of them that nobody carries on: the process that did has ended. Oldest first."""
        ...

    async def under_way(self) -> list[Operation]:
        """The undos and redos that are not done yet, oldest first."""
        ...
