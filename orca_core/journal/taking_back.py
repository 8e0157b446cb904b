"""Undo and redo of operations; also for the replaced attempt of a round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from orca_core.domain.errors import InvalidInput, NotFound
from orca_core.domain.journal import Actor, Change, Conflict, Operation, OperationHeader, Undone
from orca_core.domain.memories import Memory, State
from orca_core.domain.refs import KNOWLEDGE, Ref
from orca_core.domain.stores import PlanUndo
from orca_core.domain.stores.rows import Rows, Transactions, above, any_of, below, is_, is_not
from orca_core.journal import confirmed
from orca_core.journal.done import OPERATION, changes_of, operation_from_row, operation_of, records_of, touched_by
from orca_core.journal.growth import actions, guides, supports, tool_calls
from orca_core.journal.leaving import hold_again
from orca_core.journal.one_known import keep_one
from orca_core.journal.operations import OpenOperation, apply_changes
from orca_core.journal.pairs import judge_pairs
from orca_core.journal.records import STANDS, JournalRules, RecordTypes
from orca_core.journal.undoable import check_touched, latest_undoable

_REDOABLE = (is_not("undoes", None), is_("undone_by", None), is_("action", "undo"))


class TakingBack:
    """Undo and redo in one scope."""

    def __init__(self, transactions: Transactions, types: RecordTypes, rules: JournalRules) -> None:
        self._transactions = transactions
        self._types = types
        self._rules = rules

    async def undo(self, operation: int | None, at: datetime, plan: PlanUndo) -> Undone:
        header = OperationHeader(Actor.USER, "undo", at)

        def write(rows: Rows) -> Undone:
            if operation is None:
                latest, offered, passed_over = latest_undoable(rows, self._types, self._rules)
                undone = self._taken_back(rows, latest.id, header, plan)
                return replace(undone, offered=offered, passed_over=passed_over)
            _check_can_be_undone(rows, self._types, operation_of(rows, operation))
            return self._taken_back(rows, operation, header, plan)

        return await self._transactions.write(write)

    async def redo(self, operation: int | None, at: datetime, plan: PlanUndo) -> Undone:
        def write(rows: Rows) -> Undone:
            target = self._undo_to_redo(rows, operation)
            if target.header.action != "undo":
                raise InvalidInput(template="operation {id} is no undo", id=target.id)
            if target.undone_by is not None:
                raise InvalidInput(template="operation {id} was done again already", id=target.id)
            return self._taken_back(rows, target.id, OperationHeader(Actor.USER, "redo", at), plan)

        return await self._transactions.write(write)

    def _taken_back(self, rows: Rows, operation: int, header: OperationHeader, plan: PlanUndo) -> Undone:
        by = OpenOperation(rows, self._types, self._rules, header, undoes=operation)
        undone = take_back(rows, self._types, operation, by, plan)
        touched = touched_by(rows, self._types, operation)
        hold_again(rows, by, self._rules, touched)
        known = {ref.id for ref in touched if ref.kind == KNOWLEDGE}
        given_way = keep_one(rows, by, self._rules, header.at, touched=known)
        left = [Ref(KNOWLEDGE, each) for each in given_way if each in known]
        confirmed.agree(rows, self._rules, by, touched)
        withdrawn = actions.agree(rows, self._rules, by, touched)
        supports.agree(rows, self._rules, by, [*touched, *withdrawn])
        guides.agree(rows, self._rules, by, touched, header.at)
        tool_calls.agree(rows, self._rules, touched, undone.undid.header.at)
        judge_pairs(rows, self._rules, by.memories, header.at)
        in_its_place = [Conflict(each, "state", State.LIVE.value, State.ARCHIVED.value) for each in left]
        return replace(undone, conflicts=(*undone.conflicts, *in_its_place))

    def _undo_to_redo(self, rows: Rows, operation: int | None) -> Operation:
        if operation is not None:
            return operation_of(rows, operation)
        by = any_of("actor", [actor.value for actor in self._rules.own_actors])
        found = rows.select("operations", OPERATION, by, *_REDOABLE, order=("-id",), limit=1)
        if not found:
            raise NotFound(template="there is nothing to take back", what="operation", id="")
        return operation_from_row(found[0])


def _check_can_be_undone(rows: Rows, types: RecordTypes, operation: Operation) -> None:
    """Raises InvalidInput."""
    if operation.header.action == "delete":
        raise InvalidInput(template="operation {id} is a delete, which is for good", id=operation.id)
    if operation.undone_by is not None:
        raise InvalidInput(
            template="operation {id} was taken back already, by operation {by}",
            hint="orca memory redo brings it again",
            id=operation.id,
            by=operation.undone_by,
        )
    check_touched(rows, types, operation)


def take_back(rows: Rows, types: RecordTypes, operation: int, by: OpenOperation, plan: PlanUndo) -> Undone:
    """Undo one operation as another one, inside the caller's transaction."""
    target = operation_of(rows, operation)
    touched = touched_by(rows, types, operation)
    current = records_of(rows, types, touched)
    held = {ref: types.of(ref.kind).changeable_fields(record) for ref, record in current.items()}
    changes = changes_of(rows, types, target, held)
    _check_can_be_taken_back(types, operation, touched, changes)
    planned = plan(changes, held, types.unmade)
    records = apply_changes(by, planned.restore, current)
    number = by.insert_row()
    _mark_taken_back(rows, operation, number)
    memories = tuple(record for record in records if isinstance(record, Memory))
    later = _later(rows, touched, operation, number)
    wholes = dict.fromkeys(types.whole(types.of(ref.kind), current[ref]) for ref in planned.restore)
    return Undone(number, target, tuple(wholes), memories, planned.conflicts, later)


def _check_can_be_taken_back(
    types: RecordTypes, operation: int, touched: Sequence[Ref], changes: Sequence[Change]
) -> None:
    """Raises InvalidInput where nothing could be restored of a record: nothing is marked as taken back then."""
    unknown = next((ref for ref in touched if ref.kind not in types), None)
    if unknown is not None:
        raise InvalidInput(
            template="operation {id} changed {ref}, and this Orca knows no records of the kind {what}",
            id=operation,
            ref=unknown,
            what=unknown.kind.name,
        )
    lasting = next((each.ref for each in changes if each.before is None and each.ref.kind not in types.unmade), None)
    if lasting is not None:
        raise InvalidInput(
            template="operation {id} made {ref}, and the making of this kind can't be taken back: {what}",
            hint="delete it where it is to go",
            id=operation,
            ref=lasting,
            what=lasting.kind.name,
        )


def _later(rows: Rows, touched: Sequence[Ref], operation: int, before: int) -> tuple[Operation, ...]:
    """Later operations on the same records that were not undone."""
    numbers: set[int] = set()
    for kind in dict.fromkeys(ref.kind for ref in touched):
        same = any_of("memory_id", [ref.id for ref in touched if ref.kind == kind])
        between = (above("operation", operation), below("operation", before))
        numbers.update(
            row[0] for row in rows.select("memory_history", ("operation",), is_("kind", kind.name), same, *between)
        )
    if not numbers:
        return ()
    which = any_of("id", sorted(numbers))
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
