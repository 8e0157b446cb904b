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
from orca_core.operations.history import HISTORY, UndoProgress, changes_to, changes_where, operations_where, records_of
from orca_core.operations.knowledge_targets import hold_again, keep_one
from orca_core.operations.memory_pairs import judge_pairs
from orca_core.operations.operations import OpenOperation
from orca_core.operations.records import STANDS, RecordTypes, memories_there
from orca_core.rules.memory import said_again, undo_rules
from orca_core.store.ports import ALL, Rows, Slice, above, any_of, below, is_, is_not

Plan = Callable[[Sequence[Change], Mapping[Ref, Fields], Mapping[Kind, Fields]], UndoPlan]
FIRST_PART = 4
"""So many records are taken at first, and twice as many then: what they cost is not known before. Chosen by hand."""


def put_back(
    rows: Rows, types: RecordTypes, undone: Operation, refs: Sequence[Ref], by: OpenOperation, plan: Plan
) -> tuple[list[Any], list[Conflict]]:
    """Restore what the plan says of these records of an operation; returns those, as they are now, and what was left
    alone. A text that another record has by now is left alone, and no memory is put away for one that was deleted
    since: nothing would be left of what both said."""
    current = records_of(rows, types, refs)
    held = {ref: types.of(ref.kind).changeable_fields(record) for ref, record in current.items()}
    of_these = any_of("memory_id", sorted({ref.id for ref in refs}))
    changes = [each for each in changes_where(rows, types, is_("operation", undone.id), of_these) if each.ref in held]
    planned = plan(changes, held, types.unmade)
    conflicts, changed = list(planned.conflicts), []
    for ref, wanted in planned.restore.items():
        if _is_put_away_for_nothing(rows, ref, wanted):
            conflicts.append(Conflict(ref, "state", State.ARCHIVED.value, held[ref]["state"]))
            continue
        fields, column, record_type = dict(wanted), types.of(ref.kind).text_column, types.of(ref.kind)
        same = (is_(column, fields.get(column)), is_not("id", ref.id))
        if record_type.is_text_unique and column in fields and rows.count(record_type.table, *same):
            conflicts.append(Conflict(ref, column, fields.pop(column), held[ref][column]))
        changed.append(by.change(ref, fields, current[ref]))
    return changed, conflicts


def _is_put_away_for_nothing(rows: Rows, ref: Ref, wanted: Fields) -> bool:
    successor = wanted.get("superseded_by")
    if successor is None or ref.kind != MEMORY or wanted.get("state") != State.ARCHIVED.value:
        return False
    return not memories_there(rows, [successor])


def operations_since(rows: Rows, refs: Sequence[Ref], operation: int, before: int) -> list[int]:
    """The operations between these two that changed some of the records."""
    numbers: set[int] = set()
    for kind in dict.fromkeys(ref.kind for ref in refs):
        same = any_of("memory_id", [ref.id for ref in refs if ref.kind == kind])
        between = (above("operation", operation), below("operation", before))
        numbers.update(row[0] for row in rows.select(HISTORY, ("operation",), is_("kind", kind.name), same, *between))
    return sorted(numbers)


class UndoStep(NamedTuple):
    """What is done with the records of a kind that the operation changed; with `of_own` those that the undo changed.
    Without a kind, all that it changed, in that order."""

    work: Callable[[Sequence[Ref]], None]
    kind: Kind | None
    of_own: bool = False


class UndoSteps:
    """One undo `by` which an operation is taken back. It goes on where `progress` says."""

    def __init__(
        self, rows: Rows, types: RecordTypes, undone: Operation, by: OpenOperation, progress: UndoProgress
    ) -> None:
        self.progress = progress
        self._rows = rows
        self._types = types
        self._undone = undone
        self._by = by
        self._steps = (
            UndoStep(self._put_back, None),
            # What hangs on records agrees once all of them are back.
            UndoStep(lambda refs: hold_again(rows, by, refs), KNOWLEDGE),
            UndoStep(self._keep_one, KNOWLEDGE),
            UndoStep(self._confirm, MEMORY),
            UndoStep(self._withdraw_acts, ACTION),
            *(UndoStep(self._support, kind) for kind in (MEMORY, ACTION, SUPPORT)),
            UndoStep(self._support, ACTION, of_own=True),
            UndoStep(lambda refs: guides.agree(rows, by, refs, by.at), GUIDE),
            UndoStep(self._call, STEP),
            UndoStep(self._pair, MEMORY, of_own=True),
        )

    def go_on(self, slice_: Slice = ALL) -> bool:
        """Take records further until the slice is over; returns whether there is more."""
        left, part = slice_.most, FIRST_PART
        while self.progress.step < len(self._steps):
            if left == 0 or (left < slice_.most and slice_.is_over()):  # one part is always taken
                return True
            step = self._steps[self.progress.step]
            refs, last = self._next(step, min(part, left))
            if refs:
                step.work(refs)
                self.progress = replace(self.progress, after=last, done=self.progress.done + len(refs))
                left, part = left - len(refs), 1 if step.work == self._pair else 2 * part
            else:
                self.progress, part = replace(self.progress, step=self.progress.step + 1, after=0), FIRST_PART
        return False

    def whole(self) -> int:
        """How many records the steps take, as far as it is known before."""
        counted = self._rows.grouped(HISTORY, ("kind",), ("count",), is_("operation", self._undone.id))
        counts = {str(kind): int(count) for kind, count in counted}
        of_kinds = sum(counts.get(each.kind.name, 0) for each in self._steps if each.kind is not None)
        return sum(counts.values()) + of_kinds

    def _next(self, step: UndoStep, most: int) -> tuple[list[Ref], int]:
        """The next records of a step, and the place behind which the step is once they are taken."""
        place = "id" if step.kind is None else "memory_id"
        where = [is_("operation", self._by.number if step.of_own else self._undone.id)]
        where += [above(place, self.progress.after)] + ([] if step.kind is None else [is_("kind", step.kind.name)])
        found = self._rows.select(HISTORY, (place, "kind", "memory_id"), *where, order=(place,), limit=most)
        return [Ref(self._types.named(kind), number) for _, kind, number in found], found[-1][0] if found else 0

    def _put_back(self, refs: Sequence[Ref]) -> None:
        if self.progress.leaves_ends:
            refs = [each for each in refs if each.kind not in (TASK, EPISODE)]
        _changed, conflicts = put_back(self._rows, self._types, self._undone, refs, self._by, undo_rules.plan)
        later = operations_since(self._rows, refs, self._undone.id, self._by.insert_row())
        self.progress = self.progress.with_conflicts(conflicts).with_later(later)

    def _keep_one(self, refs: Sequence[Ref]) -> None:
        given_way = keep_one(self._rows, self._by, self._by.at, touched={ref.id for ref in refs})
        same = (is_("operation", self._undone.id), is_("kind", KNOWLEDGE.name), any_of("memory_id", given_way))
        left = [Ref(KNOWLEDGE, number) for (number,) in self._rows.select(HISTORY, ("memory_id",), *same)]
        found = [Conflict(each, "state", State.LIVE.value, State.ARCHIVED.value) for each in left]
        self.progress = self.progress.with_conflicts(found)

    def _confirm(self, refs: Sequence[Ref]) -> None:
        """A memory to which a person gave their word several times lives on it until the last of these is taken
        back."""
        for memory in memories_there(self._rows, [ref.id for ref in refs]):
            if memory.state is State.LIVE and (wanted := _confirmation(self._rows, self._types, memory)):
                self._by.change(MEMORIES.ref(memory), wanted, memory)

    def _withdraw_acts(self, refs: Sequence[Ref]) -> None:
        actions.agree(self._rows, self._by, refs)

    def _support(self, refs: Sequence[Ref]) -> None:
        supports.agree(self._rows, self._by, refs)

    def _call(self, refs: Sequence[Ref]) -> None:
        tool_calls.agree(self._rows, refs, self._undone.header.at, are_kept=self._by.settings.tools.enabled)

    def _pair(self, refs: Sequence[Ref]) -> None:
        there = records_of(self._rows, self._types, refs)
        own = (is_("operation", self._by.number), is_("kind", MEMORY.name), any_of("memory_id", [r.id for r in there]))
        changed: list[tuple[Memory | None, Memory]] = []
        for number, before in self._rows.select(HISTORY, ("memory_id", "before"), *own, order=("memory_id",)):
            memory = there[Ref(MEMORY, number)]
            changed.append((MEMORIES.changed(memory, fields_from_json(before)), memory))
        compared = judge_pairs(self._rows, changed, self._by.at, self.progress.compared)
        self.progress = replace(self.progress, compared=compared)


def _confirmation(rows: Rows, types: RecordTypes, memory: Memory) -> Fields:
    """What it lives on by what stands, from the last time on that a person gave it their word; nothing where nobody
    did since it was made."""
    made = changes_to(rows, MEMORIES.ref(memory), types)
    no_undos = (any_of("id", [each.operation for each in made]), is_("undoes", None))
    own = {each.id for each in operations_where(rows, *no_undos)}
    changes = [(each.operation, each.before, each.after) for each in made if each.before and each.operation in own]
    hand = ConfirmedBy.HAND.value
    given = [
        place
        for place, (_, before, after) in enumerate(changes)
        if after.get("confirmed_by") == hand != before.get("confirmed_by")
    ]
    if not given:
        return {}
    (first, before, _), *later = changes[given[-1] :]
    lived_on = before["confirmed_by"]
    spoken = [first, *(number for number, _, after in later if said_again.is_confirmed_by_hand(after, lived_on))]
    by_hand = any_of("actor", [each.value for each in undo_rules.OWN_ACTORS])
    stands = bool(rows.count("operations", any_of("id", spoken), by_hand, *STANDS))
    if stands == (memory.confirmed_by is ConfirmedBy.HAND):
        return {}
    return {"confirmed_by": hand if stands else lived_on}
