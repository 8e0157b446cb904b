"""Memories made and changed by hand or by rule, and pairs that a person decides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from orca_core.model.errors import NotFound
from orca_core.model.memories import MEMORIES, Addition, Decide, Fields, NewMemory
from orca_core.model.operations import Changed, OperationHeader
from orca_core.model.records import Kind, Ref, memory_ref
from orca_core.operations.acts import supports
from orca_core.operations.beside import PAIRS
from orca_core.operations.coming import Seen, add_beside, look_beside
from orca_core.operations.edits import Edit
from orca_core.operations.operations import OpenOperation
from orca_core.operations.pairs import judge_pairs
from orca_core.operations.records import RecordTypes, records_of
from orca_core.settings import MemorySettings
from orca_core.store.ports import Rows, Transactions, any_of, is_

MERGING = ("merge", "clean")
"""Where these put a memory aside for another, that one says what it said."""


class MemoryChanges:
    """The memories of one scope, as they are written."""

    def __init__(self, transactions: Transactions, types: RecordTypes, settings: MemorySettings) -> None:
        self._transactions = transactions
        self._types = types
        self._settings = settings

    async def add(self, new: NewMemory, header: OperationHeader) -> Addition:
        def look(rows: Rows) -> Seen | None:
            return look_beside(rows, OpenOperation(rows, self._types, self._settings, header), new)

        def write(rows: Rows, seen: Seen | None) -> Addition:
            return add_beside(rows, OpenOperation(rows, self._types, self._settings, header), new, seen)

        return await self._transactions.write_after(look, write)

    async def change(
        self, ids: Sequence[int], header: OperationHeader, decide: Decide, *, continues: int | None = None
    ) -> Changed:
        def begun(rows: Rows) -> OpenOperation:
            return OpenOperation(rows, self._types, self._settings, header, continues=continues)

        def look(rows: Rows) -> tuple[Mapping[Ref, Fields], Sequence[Edit]]:
            current = {memory_ref(each.id): each for each in records_of(rows, MEMORIES, list(dict.fromkeys(ids)))}
            wanted: dict[Ref, Fields] = {ref: {} for ref in current}
            wanted.update({memory_ref(each): fields for each, fields in decide(list(current.values())).items()})
            return wanted, begun(rows).edits(wanted, current)

        def write(rows: Rows, seen: tuple[Mapping[Ref, Fields], Sequence[Edit]] | None) -> Changed:
            wanted, edits = seen or look(rows)
            operation = begun(rows)
            changed = operation.carry_out(edits)
            if header.action in MERGING:
                _take_over_supports(rows, operation, wanted)
            judge_pairs(rows, operation.memories, header.at)
            return Changed(operation.number, tuple(changed))

        return await self._transactions.write_after(look, write)

    async def open_pairs(self, ids: Sequence[int]) -> set[tuple[int, int]]:
        def read(rows: Rows) -> set[tuple[int, int]]:
            among = (any_of("newer", ids), any_of("older", ids))
            return {
                (newer, older) for newer, older in rows.select(PAIRS, ("newer", "older"), *among, is_("settled", 0))
            }

        return await self._transactions.read(read)

    async def keep_both(self, first: int, second: int) -> None:
        def write(rows: Rows) -> None:
            pair = (first, second)
            if not rows.update(PAIRS, {"settled": 1}, any_of("newer", pair), any_of("older", pair)):
                raise NotFound(what="pair", id=f"{first} {second}")

        await self._transactions.write(write)


def _take_over_supports(rows: Rows, operation: OpenOperation, wanted: Mapping[Ref, Fields]) -> None:
    by_kept: dict[int, list[int]] = {}
    for ref, fields in wanted.items():
        if (kept := fields.get("superseded_by")) is not None:
            by_kept.setdefault(kept, []).append(ref.id)
    for kept, others in by_kept.items():
        supports.take_over(rows, operation, kept, others)


class MemoryImports:
    """Memories and other records from elsewhere, as they are written."""

    def __init__(self, transactions: Transactions, types: RecordTypes, settings: MemorySettings) -> None:
        self._transactions = transactions
        self._types = types
        self._settings = settings

    async def store_all(self, batch: Sequence[tuple[NewMemory, OperationHeader]]) -> list[Addition]:
        def write(rows: Rows) -> list[Addition]:
            return [OpenOperation(rows, self._types, self._settings, header).add(new) for new, header in batch]

        return await self._transactions.write(write)

    async def make_all(self, kind: Kind, records: Sequence[Any], header: OperationHeader) -> list[Any]:
        def write(rows: Rows) -> list[Any]:
            operation = OpenOperation(rows, self._types, self._settings, header)
            return [operation.create(self._types.of(kind), record) for record in records]

        return await self._transactions.write(write)
