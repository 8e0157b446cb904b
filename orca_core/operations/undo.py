"""Undo and redo of operations, in one transaction or in slices; and which of them can be taken back."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, NoReturn

from msgspec.structs import replace

from orca_core.model.backups import RESTORED, kept_note
from orca_core.model.errors import InvalidInput, NotFound
from orca_core.model.memories import Memory
from orca_core.model.operations import MOST_TOLD, Actor, Operation, OperationHeader, SkippedOperation, UndoOutcome
from orca_core.model.record_types import TASK, Ref
from orca_core.operations.history import (
    HISTORY,
    UNDER_WAY,
    OperationHistory,
    UndoProgress,
    changes_where,
    operation_of,
    operations_where,
    read_progress,
    records_of,
    touched_by,
    write_progress,
)
from orca_core.operations.memory_pairs import make_ready
from orca_core.operations.records import STANDS, RecordTypes
from orca_core.operations.undo_steps import UndoSteps
from orca_core.rules.memory import undo_rules
from orca_core.store.ports import Condition, Rows, Slice, above, any_of, below, is_, is_not

AT_ONCE = 100
"""So many changes are taken back in one transaction. Chosen by hand."""
MOST_PASSED = 3
"""So many of those that were passed over are named, the newest ones."""
PAGE = 50
_DELETE = "delete"
_UNDOABLE = (is_not("action", _DELETE), *STANDS)
_REDOABLE = (is_not("undoes", None), is_("undone_by", None), is_("action", "undo"))


class HistoryStore(OperationHistory):
    """The operations of one scope, read, undone and redone."""

    def __init__(self, *about: Any) -> None:
        super().__init__(*about)
        self._carried_on: set[int] = set()

    async def undo(self, operation: int | None, at: datetime) -> UndoOutcome:
        """Take back this operation, or the latest act of a person. Raises NotFound, InvalidInput."""
        return await self._taken_back(OperationHeader(Actor.USER, "undo", at), operation)

    async def redo(self, operation: int | None, at: datetime) -> UndoOutcome:
        """Take back this undo, or the latest one. Raises NotFound, InvalidInput."""
        return await self._taken_back(OperationHeader(Actor.USER, "redo", at), operation)

    async def carry_on(self) -> int:
        """Bring to an end what nobody carries on; returns how many undos and redos that were."""
        return len(await self._finished())

    async def waiting(self) -> list[Operation]:
        """The undos and redos under way that nobody carries on, oldest first."""
        return await self._transactions.read(self._left, own=True)

    async def _taken_back(self, header: OperationHeader, operation: int | None) -> UndoOutcome:
        """Bring to an end what was left half done. Where that is what is asked for, it is told, whoever ended it, and
        nothing else is taken back. Raises InvalidInput where another carries it on."""

        def begin(rows: Rows) -> tuple[UndoOutcome, bool]:
            if (begun_meanwhile := self._half_done(rows, header.action, operation)) is not None:
                check_is_done(begun_meanwhile)
            if header.action == "redo":
                return self._begin(rows, _undo_to_redo(rows, operation), header)
            if operation is not None:
                named = operation_of(rows, operation)
                check_can_be_undone(rows, named)
                return self._begin(rows, named, header)
            latest, offered, passed_over = latest_undoable(rows, self._types)
            begun, is_under_way = self._begin(rows, latest, header)
            return replace(begun, offered=offered, passed_over=passed_over), is_under_way

        meant = await self._transactions.read(lambda rows: self._half_done(rows, header.action, operation), own=True)
        finished = await self._finished()
        if meant is not None:
            told = finished.get(meant.id) or await self._told_if_ended(meant.id)
            return await self._with_finished(told, {*finished, meant.id})
        begun, is_under_way = await self._transactions.write(begin)
        if is_under_way:
            ended = await self._go_on(begun.operation) or await self._told_if_ended(begun.operation)
            begun = replace(ended, offered=begun.offered, passed_over=begun.passed_over)
        return await self._with_finished(begun, finished.keys())

    def _half_done(self, rows: Rows, action: str, operation: int | None) -> Operation | None:
        """The undo or redo under way that is meant: of the same operation, or with nothing after it that could be
        meant."""
        which = (is_("action", action), *(() if operation is None else (is_("undoes", operation),)))
        for half in operations_where(rows, UNDER_WAY, *which, order=("-id",), limit=1):
            if operation is None and action == "undo" and _latest(rows, self._types, undo_rules.OWN_ACTORS, half.id)[0]:
                return None
            if operation is None and action == "redo" and rows.count("operations", *_REDOABLE, above("id", half.id)):
                return None
            return half
        return None

    def _left(self, rows: Rows) -> list[Operation]:
        found = []
        for number, text in rows.select("operations", ("id", "under_way"), UNDER_WAY, order=("id",)):
            owner = read_progress(text).owner
            if number not in self._carried_on if owner == rows.owner else not rows.is_alive(owner):
                found.append(operation_of(rows, number))
        return found

    async def _finished(self) -> dict[int, UndoOutcome]:
        """Those that nobody carries on, brought to their end. One that another process takes over meanwhile is not
        among them."""
        ended = [await self._go_on(each.id) for each in await self.waiting()]
        return {each.operation: each for each in ended if each is not None}

    async def _told_if_ended(self, operation: int) -> UndoOutcome:
        """One that another brought to its end. Raises InvalidInput as long as it is under way."""

        def told(rows: Rows) -> UndoOutcome:
            check_is_done(operation_of(rows, operation))
            return self._told(rows, operation, UndoProgress(rows.owner))

        return await self._transactions.read(told, own=True)

    async def _with_finished(self, told: UndoOutcome, finished: Collection[int]) -> UndoOutcome:
        if not finished:
            return told
        numbers = any_of("id", sorted(finished))
        return replace(
            told,
            finished=await self._transactions.read(lambda rows: tuple(operations_where(rows, numbers)), own=True),
        )

    def _begin(self, rows: Rows, undone: Operation, header: OperationHeader) -> tuple[UndoOutcome, bool]:
        """Take it back where that is little; else note that it is under way, which the second tells."""
        check_can_be_taken_back(rows, self._types, undone.id)
        by = self._operation(rows, header, undoes=undone.id)
        number = by.insert_row()
        mark_taken_back(rows, undone.id, number)
        moved_on = self._end_that_moved_on(rows, undone)
        progress = UndoProgress(rows.owner, leaves_ends=bool(moved_on)).with_conflicts(moved_on)
        steps = UndoSteps(rows, self._types, undone, by, progress)
        is_much = rows.count(HISTORY, is_("operation", undone.id)) > AT_ONCE
        if is_much:
            write_progress(rows, number, replace(progress, whole=steps.whole()))
        else:
            steps.go_on()
        return replace(self._told(rows, number, steps.progress), undid=undone), is_much

    def _end_that_moved_on(self, rows: Rows, undone: Operation) -> Sequence[Any]:
        """Of the whole operation: its tasks and episodes stand or fall together, in whichever slice they come."""
        of_tasks = (is_("operation", undone.id), is_("kind", TASK.name), is_not("before", None))
        ended = changes_where(rows, self._types, *of_tasks)
        current = records_of(rows, self._types, [each.ref for each in ended])
        held = {ref: self._types.of(ref.kind).changeable_fields(record) for ref, record in current.items()}
        return undo_rules.ends_that_moved_on(ended, held)

    async def _go_on(self, operation: int) -> UndoOutcome | None:
        """Slice by slice to its end; None where another process carries it on by then."""
        self._carried_on.add(operation)
        try:
            await self._transactions.read(lambda _rows: make_ready())
            progress = await self._transactions.in_slices(lambda rows, slice_: self._slice(rows, operation, slice_))
        finally:
            self._carried_on.discard(operation)

        def told(rows: Rows) -> UndoOutcome | None:
            is_done = operation_of(rows, operation).under_way is None
            return self._told(rows, operation, progress) if is_done else None

        return await self._transactions.read(told, own=True)

    def _slice(self, rows: Rows, operation: int, slice_: Slice) -> UndoProgress | None:
        """The next slice; returns how it went once nothing is left of it, or another process carries it on."""
        [[text]] = rows.select("operations", ("under_way",), is_("id", operation))
        if text is None:
            return UndoProgress(rows.owner)
        progress = read_progress(text)
        if progress.owner != rows.owner and rows.is_alive(progress.owner):
            return progress
        own = operation_of(rows, operation)
        assert own.undoes is not None
        by = self._operation(rows, own.header, undoes=own.undoes, continues=operation)
        undone = operation_of(rows, own.undoes)
        steps = UndoSteps(rows, self._types, undone, by, replace(progress, owner=rows.owner))
        is_more = steps.go_on(slice_)
        write_progress(rows, operation, steps.progress if is_more else None)
        return None if is_more else steps.progress

    def _told(self, rows: Rows, operation: int, progress: UndoProgress) -> UndoOutcome:
        own = operation_of(rows, operation)
        assert own.undoes is not None
        current = records_of(rows, self._types, touched_by(rows, self._types, operation, MOST_TOLD))
        later = any_of("id", progress.later)
        return UndoOutcome(
            operation,
            operation_of(rows, own.undoes),
            _wholes(self._types, current),
            tuple(record for record in current.values() if isinstance(record, Memory)),
            progress.named_conflicts(self._types.kinds),
            tuple(operations_where(rows, later, *STANDS)),
            changed=rows.count(HISTORY, is_("operation", operation)),
            unnamed=progress.unnamed,
        )


def _undo_to_redo(rows: Rows, operation: int | None) -> Operation:
    """Raises NotFound, InvalidInput."""
    if operation is None:
        by = any_of("actor", [actor.value for actor in undo_rules.OWN_ACTORS])
        found = operations_where(rows, by, *_REDOABLE, order=("-id",), limit=1)
        if not found:
            raise NotFound(template="there is nothing to take back", what="operation", id="")
        [target] = found
    else:
        target = operation_of(rows, operation)
    if target.header.action != "undo":
        raise InvalidInput(template="operation {id} is no undo", id=target.id)
    if target.undone_by is not None:
        raise InvalidInput(template="operation {id} was done again already", id=target.id)
    check_is_done(target)
    return target


def _wholes(types: RecordTypes, records: Mapping[Ref, Any]) -> tuple[Ref, ...]:
    """The records as they are spoken of, each once."""
    return tuple(dict.fromkeys(types.whole(types.of(ref.kind), record) for ref, record in records.items()))


def mark_taken_back(rows: Rows, operation: int, by: int) -> None:
    """Note which operation undid this one. What an undone undo had itself undone stands again, and so on along the
    chain."""
    below_it: int | None = operation
    is_taken_back = True
    while below_it is not None:
        rows.update("operations", {"undone_by": by if is_taken_back else None}, is_("id", below_it))
        [[undoes]] = rows.select("operations", ("undoes",), is_("id", below_it)) or [[None]]
        by, below_it = below_it, undoes
        is_taken_back = not is_taken_back


# What can be taken back


def latest_undoable(rows: Rows, types: RecordTypes) -> tuple[Operation, Operation | None, tuple[SkippedOperation, ...]]:
    """The latest act of a person of which something can be taken back, a machine's that came after it, and what was
    passed over. Raises NotFound; InvalidInput where there is nothing else than what is being taken back."""
    found, empty = _latest(rows, types, undo_rules.OWN_ACTORS)
    if found is None:
        for half in operations_where(rows, UNDER_WAY, order=("-id",), limit=1):
            check_is_done(half)
        _refuse(rows, types, empty)
    machines, _ = _latest(rows, types, undo_rules.MACHINES, found.id)
    by = any_of("actor", [actor.value for actor in undo_rules.OWN_ACTORS])
    deletes = operations_where(rows, by, is_("action", _DELETE), above("id", found.id), order=("-id",), limit=1)
    deleted = max((each.id for each in deletes), default=0)  # it explains what it left nothing of
    unexplained = [each for each in empty if each.id > deleted or each.header.action == RESTORED]
    passed = sorted([*unexplained, *deletes], key=lambda each: each.id, reverse=True)[:MOST_PASSED]
    return found, machines, tuple(SkippedOperation(each, _kept_backup(rows, each)) for each in passed)


def check_is_done(operation: Operation) -> None:
    """Raises InvalidInput."""
    if operation.under_way is not None:
        raise InvalidInput(
            template="operation {id} is under way ({percent} %)",
            hint="it goes on by itself: wait until it is done",
            id=operation.id,
            percent=operation.under_way.percent,
        )


def check_can_be_undone(rows: Rows, operation: Operation) -> None:
    """Raises InvalidInput."""
    if operation.header.action == _DELETE:
        raise InvalidInput(template="operation {id} is a delete, which is for good", id=operation.id)
    check_is_done(operation)
    if operation.undone_by is not None:
        check_is_done(operation_of(rows, operation.undone_by))
        raise InvalidInput(
            template="operation {id} was taken back already, by operation {by}",
            hint="orca memory redo brings it again",
            id=operation.id,
            by=operation.undone_by,
        )
    if rows.count(HISTORY, is_("operation", operation.id)):
        return
    if operation.header.action == RESTORED:
        kept = _kept_backup(rows, operation)
        raise InvalidInput(
            template="operation {id} restored a backup, which an undo can't take back",
            hint="orca restore {kept} does" if kept else "orca backup list names them",
            id=operation.id,
            kept=kept,
        )
    raise InvalidInput(template="operation {id} changed nothing that is still there", id=operation.id)


def check_can_be_taken_back(rows: Rows, types: RecordTypes, operation: int) -> None:
    """Raises InvalidInput where nothing could be restored of a record: nothing is marked as taken back then."""
    unknown = (is_not("kind", each.kind.name) for each in types)
    if (ref := _first_there(rows, types, operation, *unknown)) is not None:
        raise InvalidInput(
            template="operation {id} changed {ref}, and this Orca knows no records of the kind {what}",
            id=operation,
            ref=ref,
            what=ref.kind.name,
        )
    lasting = any_of("kind", [each.kind.name for each in types if each.unmade is None])
    if (ref := _first_there(rows, types, operation, lasting, is_("before", None))) is not None:
        raise InvalidInput(
            template="operation {id} made {ref}, and the making of this kind can't be taken back: {what}",
            hint="delete it where it is to go",
            id=operation,
            ref=ref,
            what=ref.kind.name,
        )


def _refuse(rows: Rows, types: RecordTypes, empty: list[Operation]) -> NoReturn:
    machine, _ = _latest(rows, types, undo_rules.MACHINES)
    if machine is not None:
        raise NotFound(
            template="there is nothing of yours to take back",
            hint="orca memory undo {id} takes back what Orca did itself: {action}",
            what="operation",
            id=machine.id,
            action=machine.header.action,
        )
    kept = next((kept for each in empty if (kept := _kept_backup(rows, each))), "")
    raise NotFound(
        template="there is nothing to take back",
        hint="orca restore {kept} brings back what stood before you restored a backup" if kept else "",
        what="operation",
        id="",
        kept=kept,
    )


def _latest(
    rows: Rows, types: RecordTypes, actors: Collection[Actor], after: int = 0
) -> tuple[Operation | None, list[Operation]]:
    """The latest of which something is left, and the newest of those after it of which nothing is."""
    by = (any_of("actor", [actor.value for actor in actors]), *_UNDOABLE, above("id", after))
    empty: list[Operation] = []
    before: tuple[Condition, ...] = ()
    while found := operations_where(rows, *by, *before, order=("-id",), limit=PAGE):
        for operation in found:
            if _first_there(rows, types, operation.id) is not None:
                return operation, empty
            if len(empty) < MOST_PASSED:
                empty.append(operation)
        before = (below("id", found[-1].id),)
    return None, empty


def _first_there(rows: Rows, types: RecordTypes, operation: int, *which: Condition) -> Ref | None:
    """The first record, of those that the operation changed so, that is there still, or is of a kind that this Orca
    does not know."""
    last = 0
    columns, changed = ("id", "kind", "memory_id"), is_("operation", operation)
    while found := rows.select(HISTORY, columns, changed, *which, above("id", last), order=("id",), limit=PAGE):
        refs = [Ref(types.named(kind), number) for _, kind, number in found]
        there = records_of(rows, types, refs)
        for ref in refs:
            if ref in there or ref.kind not in types:
                return ref
        last = found[-1][0]
    return None


def _kept_backup(rows: Rows, operation: Operation) -> str:
    """The backup of what stood before a restore; empty where there is none."""
    if operation.header.action != RESTORED:
        return ""
    found = rows.select("meta", ("value",), is_("key", kept_note(operation.id)), limit=1)
    return str(found[0][0]) if found else ""
