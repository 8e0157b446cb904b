"""Undo and redo of operations, in one transaction or in slices."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from orca_core.model.errors import InvalidInput, NotFound
from orca_core.model.memories import Memory
from orca_core.model.operations import MOST_TOLD, Actor, Conflict, Operation, OperationHeader, PassedOver, Undone
from orca_core.model.record_types import TASK, Ref
from orca_core.operations.memory_pairs import make_ready
from orca_core.operations.operation_log import (
    OPERATION,
    UNDER_WAY,
    Progress,
    changes_of,
    operation_from_row,
    operation_of,
    progress_from_column,
    progress_to_column,
    records_of,
    touched_by,
)
from orca_core.operations.operations import OpenOperation, ScopedStore
from orca_core.operations.records import STANDS, RecordTypes
from orca_core.operations.undo_steps import HISTORY, Compared, PlanUndo, UndoSteps, operations_since, plan_of
from orca_core.operations.undoable import (
    check_can_be_taken_back,
    check_can_be_undone,
    check_is_done,
    is_act_after,
    latest_undoable,
)
from orca_core.rules.memory import undo_rules
from orca_core.settings import MemorySettings
from orca_core.store.ports import Rows, Slice, Transactions, above, any_of, is_, is_not

AT_ONCE = 100
"""So many changes are taken back in one transaction. Chosen by hand."""
JUDGED_AT_ONCE = 100
"""Of so many records the pairs are judged in one slice at most. Chosen by hand."""
_REDOABLE = (is_not("undoes", None), is_("undone_by", None), is_("action", "undo"))


class Begun(Struct, frozen=True):
    """An undo after its first transaction: done, or under way."""

    operation: int
    done: Undone | None
    offered: Operation | None = None
    passed_over: tuple[PassedOver, ...] = ()


class UndoRedo(ScopedStore):
    """Undo and redo in one scope."""

    def __init__(self, transactions: Transactions, types: RecordTypes, settings: MemorySettings) -> None:
        self._transactions = transactions
        self._types = types
        self._settings = settings
        self._carried_on: set[int] = set()

    async def undo(self, operation: int | None, at: datetime, plan: PlanUndo) -> Undone:
        header = OperationHeader(Actor.USER, "undo", at)

        def begin(rows: Rows) -> Begun:
            if operation is None:
                latest, offered, passed_over = latest_undoable(rows, self._types)
                begun = self._begin(rows, latest, header, plan)
                return replace(begun, offered=offered, passed_over=passed_over)
            named = operation_of(rows, operation)
            check_can_be_undone(rows, named)
            return self._begin(rows, named, header, plan)

        return await self._taken_back(lambda rows: self._half_undone(rows, operation), begin, plan)

    async def redo(self, operation: int | None, at: datetime, plan: PlanUndo) -> Undone:
        def begin(rows: Rows) -> Begun:
            target = self._undo_to_redo(rows, operation)
            if target.header.action != "undo":
                raise InvalidInput(template="operation {id} is no undo", id=target.id)
            if target.undone_by is not None:
                raise InvalidInput(template="operation {id} was done again already", id=target.id)
            check_is_done(target)
            return self._begin(rows, target, OperationHeader(Actor.USER, "redo", at), plan)

        return await self._taken_back(lambda rows: self._half_redone(rows, operation), begin, plan)

    async def carry_on(self, plan: PlanUndo) -> int:
        return len(await self._finished(plan))

    async def waiting(self) -> list[Operation]:
        return await self._transactions.read(
            lambda rows: [operation_of(rows, number) for number in self._left(rows)], own=True
        )

    async def _finished(self, plan: PlanUndo) -> list[Undone]:
        """Those that nobody carries on, brought to their end. One that another process takes over meanwhile is not
        among them."""
        ended = [await self._go_on(number, plan) for number in await self._transactions.read(self._left, own=True)]
        return [each for each in ended if each is not None]

    def _left(self, rows: Rows) -> list[int]:
        """Those under way that nobody carries on, oldest first."""
        found = rows.select("operations", ("id", "under_way"), UNDER_WAY, order=("id",))
        owners = {number: progress_from_column(text, self._types.kinds).owner for number, text in found}
        return [number for number, owner in owners.items() if self._is_left(rows, number, owner)]

    def _is_left(self, rows: Rows, number: int, owner: str) -> bool:
        """Whether nobody carries it on."""
        return number not in self._carried_on if owner == rows.owner else not rows.is_alive(owner)

    def _half_undone(self, rows: Rows, operation: int | None) -> Operation | None:
        """The undo under way that is meant by an undo: of the same operation, or with no act of a person after it."""
        half = _under_way(rows, "undo", operation)
        if half is not None and operation is None and is_act_after(rows, self._types, half.id):
            return None
        return half

    def _half_redone(self, rows: Rows, operation: int | None) -> Operation | None:
        """The redo under way that is meant by a redo: of the same undo, or with no undo after it."""
        half = _under_way(rows, "redo", operation)
        if half is not None and operation is None and rows.count("operations", *_REDOABLE, above("id", half.id)):
            return None
        return half

    async def _taken_back(
        self, half_done: Callable[[Rows], Operation | None], begin: Callable[[Rows], Begun], plan: PlanUndo
    ) -> Undone:
        """Bring to an end what was left half done. Where that is what is asked for, it is told, whoever ended it, and
        nothing else is taken back. Raises InvalidInput where another carries it on."""

        def begin_anew(rows: Rows) -> Begun:
            if (begun_meanwhile := half_done(rows)) is not None:
                check_is_done(begun_meanwhile)
            return begin(rows)

        meant = await self._transactions.read(half_done, own=True)
        ended = {each.operation: each for each in await self._finished(plan)}
        if meant is not None:
            told = ended.get(meant.id) or await self._told_if_ended(meant.id)
            return await self._with_finished(told, {*ended, meant.id})
        begun = await self._transactions.write(begin_anew)
        told = begun.done or await self._go_on(begun.operation, plan) or await self._told_if_ended(begun.operation)
        told = replace(told, offered=begun.offered, passed_over=begun.passed_over)
        return await self._with_finished(told, ended.keys())

    async def _told_if_ended(self, operation: int) -> Undone:
        """One that another brought to its end. Raises InvalidInput as long as it is under way."""

        def told(rows: Rows) -> Undone:
            check_is_done(operation_of(rows, operation))
            return self._told(rows, operation, Progress(rows.owner, 0))

        return await self._transactions.read(told, own=True)

    async def _with_finished(self, told: Undone, finished: Collection[int]) -> Undone:
        def named(rows: Rows) -> tuple[Operation, ...]:
            return tuple(operation_of(rows, number) for number in sorted(finished))

        return replace(told, finished=await self._transactions.read(named, own=True)) if finished else told

    def _begin(self, rows: Rows, undone: Operation, header: OperationHeader, plan: PlanUndo) -> Begun:
        """Take it back where that is little; else note that it is under way."""
        check_can_be_taken_back(rows, self._types, undone.id)
        by = self._operation(rows, header, undoes=undone.id)
        progress = Progress(rows.owner, 0)
        if rows.count(HISTORY, is_("operation", undone.id)) <= AT_ONCE:
            done = take_back(rows, self._types, undone.id, by, plan)
            rest = UndoSteps(rows, self._types, undone, by, plan, progress, are_back=True)
            rest.go_on()
            conflicts = (*done.conflicts, *rest.progress.conflicts)
            return Begun(done.operation, replace(done, conflicts=conflicts, changed=_changed_by(rows, done.operation)))
        number = by.insert_row()
        _mark_taken_back(rows, undone.id, number)
        whole = UndoSteps(rows, self._types, undone, by, plan, progress).whole()
        moved_on = self._end_that_moved_on(rows, undone)
        progress = replace(progress, whole=whole, leaves_ends=bool(moved_on)).with_conflicts(moved_on)
        _note(rows, number, progress)
        return Begun(number, None)

    def _end_that_moved_on(self, rows: Rows, undone: Operation) -> Sequence[Conflict]:
        """Of the whole operation: its tasks and episodes stand or fall together, in whichever slice they come."""
        ended = changes_of(rows, self._types, undone, _Everything(), (is_("kind", TASK.name), is_not("before", None)))
        current = records_of(rows, self._types, [each.ref for each in ended])
        held = {ref: self._types.of(ref.kind).changeable_fields(record) for ref, record in current.items()}
        return undo_rules.ends_that_moved_on(ended, held)

    async def _go_on(self, operation: int, plan: PlanUndo) -> Undone | None:
        """Slice by slice to its end; None where another process carries it on by then."""
        self._carried_on.add(operation)
        try:
            await self._transactions.read(lambda _rows: make_ready())
            progress = await self._in_slices(operation, plan)
        finally:
            self._carried_on.discard(operation)

        def told(rows: Rows) -> Undone | None:
            is_done = operation_of(rows, operation).under_way is None
            return self._told(rows, operation, progress) if is_done else None

        return await self._transactions.read(told, own=True)

    async def _in_slices(self, operation: int, plan: PlanUndo) -> Progress:
        ahead: Compared | None = None

        def look(rows: Rows) -> None:
            nonlocal ahead
            going = self._going(rows, operation, plan)
            ahead = None if going is None else going.compared_ahead(JUDGED_AT_ONCE)

        def take(rows: Rows, slice_: Slice) -> Progress | None:
            return self._slice(rows, operation, plan, slice_, ahead)

        return await self._transactions.in_slices(take, look)

    def _slice(
        self, rows: Rows, operation: int, plan: PlanUndo, slice_: Slice, ahead: Compared | None
    ) -> Progress | None:
        """The next slice; returns how it went once nothing is left of it, or another process carries it on."""
        going = self._going(rows, operation, plan)
        if going is None:
            return Progress(rows.owner, 0)
        if going.progress.owner != rows.owner:
            if rows.is_alive(going.progress.owner):
                return going.progress
            going.progress = replace(going.progress, owner=rows.owner)
        is_more = going.go_on(slice_, ahead)
        _note(rows, operation, going.progress if is_more else None)
        return None if is_more else going.progress

    def _going(self, rows: Rows, operation: int, plan: PlanUndo) -> UndoSteps | None:
        """As far as it is; None where it is done."""
        [[text]] = rows.select("operations", ("under_way",), is_("id", operation))
        if text is None:
            return None
        own = operation_of(rows, operation)
        assert own.undoes is not None
        by = OpenOperation(rows, self._types, self._settings, own.header, undoes=own.undoes, continues=operation)
        undone = operation_of(rows, own.undoes)
        return UndoSteps(rows, self._types, undone, by, plan, progress_from_column(text, self._types.kinds))

    def _told(self, rows: Rows, operation: int, progress: Progress) -> Undone:
        own = operation_of(rows, operation)
        assert own.undoes is not None
        changed = touched_by(rows, self._types, operation, MOST_TOLD)
        current = records_of(rows, self._types, changed)
        return Undone(
            operation,
            operation_of(rows, own.undoes),
            _wholes(self._types, current),
            tuple(record for record in current.values() if isinstance(record, Memory)),
            progress.conflicts,
            _standing(rows, progress.later),
            changed=_changed_by(rows, operation),
            unnamed=progress.unnamed,
        )

    def _undo_to_redo(self, rows: Rows, operation: int | None) -> Operation:
        if operation is not None:
            return operation_of(rows, operation)
        by = any_of("actor", [actor.value for actor in undo_rules.OWN_ACTORS])
        found = rows.select("operations", OPERATION, by, *_REDOABLE, order=("-id",), limit=1)
        if not found:
            raise NotFound(template="there is nothing to take back", what="operation", id="")
        return operation_from_row(found[0])


def _under_way(rows: Rows, action: str, undoes: int | None) -> Operation | None:
    """The newest operation of an action that is under way, of one if it is given."""
    which = () if undoes is None else (is_("undoes", undoes),)
    found = rows.select("operations", OPERATION, UNDER_WAY, is_("action", action), *which, order=("-id",), limit=1)
    return operation_from_row(found[0]) if found else None


class _Everything:
    """Records that were deleted since are among them."""

    def __contains__(self, ref: object) -> bool:
        return True


def _note(rows: Rows, operation: int, progress: Progress | None) -> None:
    column = None if progress is None else progress_to_column(progress)
    rows.update("operations", {"under_way": column}, is_("id", operation))


def _changed_by(rows: Rows, operation: int) -> int:
    return rows.count(HISTORY, is_("operation", operation))


def take_back(rows: Rows, types: RecordTypes, operation: int, by: OpenOperation, plan: PlanUndo) -> Undone:
    """Undo one operation as another one, inside the caller's transaction."""
    target = operation_of(rows, operation)
    touched = touched_by(rows, types, operation)
    planned, current = plan_of(rows, types, target, touched, plan)
    records = by.change_all(planned.restore, current)
    number = by.insert_row()
    _mark_taken_back(rows, operation, number)
    memories = tuple(record for record in records if isinstance(record, Memory))
    later = _standing(rows, operations_since(rows, touched, operation, number))
    put_back = {ref: current[ref] for ref in planned.restore}
    return Undone(number, target, _wholes(types, put_back), memories, planned.conflicts, later)


def _wholes(types: RecordTypes, records: Mapping[Ref, Any]) -> tuple[Ref, ...]:
    """The records as they are spoken of, each once."""
    return tuple(dict.fromkeys(types.whole(types.of(ref.kind), record) for ref, record in records.items()))


def _standing(rows: Rows, operations: Sequence[int]) -> tuple[Operation, ...]:
    """Those of the operations that were not undone."""
    if not operations:
        return ()
    which = any_of("id", operations)
    return tuple(operation_from_row(row) for row in rows.select("operations", OPERATION, which, *STANDS, order=("id",)))


def _mark_taken_back(rows: Rows, operation: int, by: int) -> None:
    """Note which operation undid this one. What an undone undo had itself undone stands again, and so on along the
    chain."""
    below_it: int | None = operation
    is_taken_back = True
    while below_it is not None:
        rows.update("operations", {"undone_by": by if is_taken_back else None}, is_("id", below_it))
        [[undoes]] = rows.select("operations", ("undoes",), is_("id", below_it)) or [[None]]
        by, below_it = below_it, undoes
        is_taken_back = not is_taken_back
