"""The steps of one undo or redo inside a transaction: records are put back, then what hangs on them agrees again. Each
step takes the records of one kind in the order of their numbers, and can stop behind any of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from orca_core.model.memories import MEMORIES, ConfirmedBy, Fields, Memory, State
from orca_core.model.operations import Change, Conflict, Operation, UndoPlan
from orca_core.model.record_types import ACTION, EPISODE, GUIDE, KNOWLEDGE, MEMORY, SUPPORT, TASK, Kind, Ref
from orca_core.model.tasks import STEP
from orca_core.operations import actions, guides, supports, tool_calls
from orca_core.operations.columns import fields_from_json
from orca_core.operations.knowledge_targets import hold_again, keep_one
from orca_core.operations.memory_pairs import Ahead, find_ahead, is_to_be_compared, judge_pairs
from orca_core.operations.operation_log import Progress, changes_of, records_of
from orca_core.operations.operations import OpenOperation
from orca_core.operations.records import STANDS, RecordTypes, memories_there
from orca_core.rules.memory import said_again, undo_rules
from orca_core.store.ports import ALL, Condition, Rows, Slice, above, any_of, below, is_, is_not

_FIELD = "confirmed_by"
_HAND = ConfirmedBy.HAND.value


def _confirm(rows: Rows, operation: OpenOperation, touched: Sequence[Ref]) -> None:
    """A memory to which a person gave their word several times lives on it until the last of these is taken back."""
    for memory in memories_there(rows, [ref.id for ref in touched if ref.kind == MEMORY]):
        if memory.state is State.LIVE and (wanted := _wanted(rows, memory)):
            operation.change(MEMORIES.ref(memory), wanted, memory)


def _wanted(rows: Rows, memory: Memory) -> Fields:
    """What it lives on by what stands, from the last time on that a person gave it their word; nothing where nobody
    did since it was made."""
    changes = _changes(rows, memory)
    given = [at for at, (_, before, after) in enumerate(changes) if _gives(before, after)]
    if not given:
        return {}
    (first, before, _), *later = changes[given[-1] :]
    spoken = [first, *(number for number, _, after in later if said_again.speaks_by_hand(after, before[_FIELD]))]
    by_hand = any_of("actor", [each.value for each in undo_rules.OWN_ACTORS])
    stands = bool(rows.count("operations", any_of("id", spoken), by_hand, *STANDS))
    is_hand = memory.confirmed_by is ConfirmedBy.HAND
    if stands == is_hand:
        return {}
    return {_FIELD: _HAND if stands else before[_FIELD]}


def _gives(before: Fields, after: Fields) -> bool:
    return after.get(_FIELD) == _HAND and before.get(_FIELD) != _HAND


def _changes(rows: Rows, memory: Memory) -> list[tuple[int, dict[str, Any], dict[str, Any]]]:
    """What changed of it since it was made, oldest first, without what only undid or did again."""
    same = (is_("kind", MEMORY.name), is_("memory_id", memory.id), is_not("before", None))
    found = rows.select("memory_history", ("operation", "before", "after"), *same, order=("operation",))
    numbers = [number for number, _, _ in found]
    own = {number for (number,) in rows.select("operations", ("id",), any_of("id", numbers), is_("undoes", None))}
    return [
        (number, dict(fields_from_json(before)), dict(fields_from_json(after)))
        for number, before, after in found
        if number in own
    ]


PlanUndo = Callable[[Sequence[Change], Mapping[Ref, Fields], Mapping[Kind, Fields]], UndoPlan]
"""What an undo restores (`rules.memory.undo.plan`) of records whose changeable fields are these now; the last are, by
kind, the fields by which a record that was made is put away."""
HISTORY = "memory_history"
FIRST_PART = 4
"""So many records of a kind are taken at first, and twice as many then: what they cost is not known before. Chosen by
hand."""


class Step(NamedTuple):
    """What is done with the records of a kind that the operation changed; with `of_own` those that the undo changed."""

    work: Callable[[Sequence[Ref]], None]
    kind: Kind
    of_own: bool = False


class Compared(NamedTuple):
    """What was found ahead of a slice in which pairs are judged: of so many records at most."""

    most: int
    found: Ahead


class UndoSteps:
    """One undo `by` which an operation is taken back. It goes on where `progress` says."""

    def __init__(
        self,
        rows: Rows,
        types: RecordTypes,
        undone: Operation,
        by: OpenOperation,
        plan: PlanUndo,
        progress: Progress,
        *,
        are_back: bool = False,
    ) -> None:
        """`are_back` says that the records were put back at once."""
        self.progress = progress
        self._rows = rows
        self._types = types
        self._undone = undone
        self._by = by
        self._plan = plan
        self._found: Ahead = {}
        putting_back = () if are_back else tuple(Step(self._put_back, each.kind) for each in types)
        self._steps = (*putting_back, *self._agreeing())

    def go_on(self, slice_: Slice = ALL, ahead: Compared | None = None) -> bool:
        """Take records further until the slice is over; returns whether there is more. In a slice pairs are judged as
        far as those that are to be compared were `ahead` of it."""
        first = FIRST_PART if slice_ is not ALL else slice_.most
        left, part = slice_.most, first
        to_judge = ahead.most if ahead is not None else 0 if slice_ is not ALL else slice_.most
        while self.progress.step < len(self._steps):
            step = self._steps[self.progress.step]
            most = min(part, left, to_judge) if step.work == self._pair else min(part, left)
            if most == 0 or (left < slice_.most and slice_.is_over()):  # one part is always taken
                return True
            refs = self._next(step, most)
            if not refs:
                self.progress, part = replace(self.progress, step=self.progress.step + 1, after=0), first
                continue
            self._found = ahead.found if ahead is not None else {}
            step.work(refs)
            self.progress = replace(self.progress, after=refs[-1].id, done=self.progress.done + len(refs))
            left, part = left - len(refs), 2 * part
            to_judge -= len(refs) if step.work == self._pair else 0
        return False

    def compared_ahead(self, most: int) -> Compared | None:
        """In a reading: the next records whose pairs are judged, up to the first that is to be compared; where this is
        the very next, it is compared. None where another step comes first."""
        step = self._steps[self.progress.step]
        if step.work != self._pair:
            return None
        refs = self._next(step, most)
        for before, memory in self._changed(refs):
            if is_to_be_compared(before, memory, self.progress.compared):
                earlier = [ref for ref in refs if ref.id < memory.id]
                if earlier:
                    return Compared(len(earlier), {})
                return Compared(1, find_ahead(self._rows, before, memory))
        return Compared(max(1, len(refs)), {})

    def whole(self) -> int:
        """How many records the steps take, as far as it is known before."""
        counts = {
            each.kind: self._rows.count(HISTORY, is_("operation", self._undone.id), is_("kind", each.kind.name))
            for each in self._types
        }
        return sum(counts.get(each.kind, 0) for each in self._steps)

    def _agreeing(self) -> tuple[Step, ...]:
        """What hangs on records agrees once all of them are back."""
        return (
            Step(self._hold, KNOWLEDGE),
            Step(self._keep_one, KNOWLEDGE),
            Step(self._confirm, MEMORY),
            Step(self._withdraw_acts, ACTION),
            Step(self._support, MEMORY),
            Step(self._support, ACTION),
            Step(self._support, SUPPORT),
            Step(self._support, ACTION, of_own=True),
            Step(self._keep_one_guide, GUIDE),
            Step(self._call, STEP),
            Step(self._pair, MEMORY, of_own=True),
        )

    def _next(self, step: Step, most: int) -> list[Ref]:
        operation = self._by.number if step.of_own else self._undone.id
        of_kind = (is_("operation", operation), is_("kind", step.kind.name), above("memory_id", self.progress.after))
        found = self._rows.select(HISTORY, ("memory_id",), *of_kind, order=("memory_id",), limit=most)
        return [Ref(step.kind, number) for (number,) in found]

    def _put_back(self, refs: Sequence[Ref]) -> None:
        if self.progress.leaves_ends and refs[0].kind in (TASK, EPISODE):
            return
        planned, current = plan_of(self._rows, self._types, self._undone, refs, self._plan)
        planned = self._without_taken_texts(planned, current)
        self._by.change_all(planned.restore, current)
        later = operations_since(self._rows, refs, self._undone.id, self._by.insert_row())
        self.progress = self.progress.with_conflicts(planned.conflicts).with_later(later)

    def _without_taken_texts(self, planned: UndoPlan, current: Mapping[Ref, Any]) -> UndoPlan:
        """Without texts that another record has by now: there is no way back once slices are done, and what is
        refused as a whole otherwise is left alone here, and named."""
        restore, conflicts = dict(planned.restore), list(planned.conflicts)
        for ref, fields in planned.restore.items():
            record_type = self._types.of(ref.kind)
            column = record_type.text_column
            if not record_type.is_text_unique or column not in fields:
                continue
            same = (is_(column, fields[column]), is_not("id", ref.id))
            if self._rows.count(record_type.table, *same):
                restore[ref] = {name: value for name, value in fields.items() if name != column}
                conflicts.append(Conflict(ref, column, fields[column], record_type.text(current[ref])))
        return UndoPlan(restore, tuple(conflicts))

    def _hold(self, refs: Sequence[Ref]) -> None:
        hold_again(self._rows, self._by, refs)

    def _keep_one(self, refs: Sequence[Ref]) -> None:
        touched = {ref.id for ref in refs}
        given_way = keep_one(self._rows, self._by, self._by.at, touched=touched)
        left = [Ref(KNOWLEDGE, each) for each in given_way if self._is_of_the_undone(each)]
        found = [Conflict(each, "state", State.LIVE.value, State.ARCHIVED.value) for each in left]
        self.progress = self.progress.with_conflicts(found)

    def _is_of_the_undone(self, knowledge: int) -> bool:
        which = (is_("operation", self._undone.id), is_("kind", KNOWLEDGE.name), is_("memory_id", knowledge))
        return self._rows.count(HISTORY, *which) > 0

    def _confirm(self, refs: Sequence[Ref]) -> None:
        _confirm(self._rows, self._by, refs)

    def _withdraw_acts(self, refs: Sequence[Ref]) -> None:
        actions.agree(self._rows, self._by, refs)

    def _support(self, refs: Sequence[Ref]) -> None:
        supports.agree(self._rows, self._by, refs)

    def _keep_one_guide(self, refs: Sequence[Ref]) -> None:
        guides.agree(self._rows, self._by, refs, self._by.at)

    def _call(self, refs: Sequence[Ref]) -> None:
        tool_calls.agree(self._rows, refs, self._undone.header.at, are_kept=self._by.settings.tools.enabled)

    def _pair(self, refs: Sequence[Ref]) -> None:
        compared = judge_pairs(self._rows, self._changed(refs), self._by.at, self.progress.compared, self._found)
        self.progress = replace(self.progress, compared=compared)

    def _changed(self, refs: Sequence[Ref]) -> list[tuple[Memory | None, Memory]]:
        """Each memory as it was before the undo, and as it is."""
        there = records_of(self._rows, self._types, refs)
        own = (
            is_("operation", self._by.number),
            is_("kind", MEMORY.name),
            any_of("memory_id", [ref.id for ref in there]),
        )
        changed: list[tuple[Memory | None, Memory]] = []
        for number, before in self._rows.select(HISTORY, ("memory_id", "before"), *own, order=("memory_id",)):
            memory = there[Ref(MEMORY, number)]
            changed.append((MEMORIES.changed(memory, fields_from_json(before)), memory))
        return changed


def plan_of(
    rows: Rows, types: RecordTypes, undone: Operation, refs: Sequence[Ref], plan: PlanUndo
) -> tuple[UndoPlan, dict[Ref, Any]]:
    """What the plan puts back of these records, and those that there are as they are now."""
    current = records_of(rows, types, refs)
    held = {ref: types.of(ref.kind).changeable_fields(record) for ref, record in current.items()}
    planned = plan(changes_of(rows, types, undone, held, _among(refs)), held, types.unmade)
    return _without_gone_successors(rows, types, planned, held), current


def _without_gone_successors(rows: Rows, types: RecordTypes, planned: UndoPlan, held: Mapping[Ref, Fields]) -> UndoPlan:
    """Without putting a memory away for one that was deleted since: nothing would be left of what both said."""
    successors = {
        ref: Ref(MEMORY, fields["superseded_by"]) for ref, fields in planned.restore.items() if _gives_way(ref, fields)
    }
    there = records_of(rows, types, list(successors.values()))
    lost = {ref for ref, successor in successors.items() if successor not in there}
    conflicts = [Conflict(ref, "state", State.ARCHIVED.value, held[ref]["state"]) for ref in sorted(lost)]
    restore = {ref: fields for ref, fields in planned.restore.items() if ref not in lost}
    return UndoPlan(restore, (*planned.conflicts, *conflicts))


def _gives_way(ref: Ref, fields: Fields) -> bool:
    """Tell whether it would be put away for another memory."""
    is_put_away = ref.kind == MEMORY and fields.get("state") == State.ARCHIVED.value
    return is_put_away and fields.get("superseded_by") is not None


def operations_since(rows: Rows, refs: Sequence[Ref], operation: int, before: int) -> list[int]:
    """The operations between these two that changed some of the records."""
    numbers: set[int] = set()
    for kind in dict.fromkeys(ref.kind for ref in refs):
        same = any_of("memory_id", [ref.id for ref in refs if ref.kind == kind])
        between = (above("operation", operation), below("operation", before))
        numbers.update(row[0] for row in rows.select(HISTORY, ("operation",), is_("kind", kind.name), same, *between))
    return sorted(numbers)


def _among(refs: Sequence[Ref]) -> tuple[Condition, ...]:
    """Records of one kind are looked up, those of several are all that an operation changed."""
    kinds = {ref.kind for ref in refs}
    if len(kinds) != 1:
        return ()
    [kind] = kinds
    return is_("kind", kind.name), any_of("memory_id", [ref.id for ref in refs])
