"""Begins another attempt at a round, in one transaction: undoes what the replaced attempt did; what both ask to
remember is remembered once."""

from __future__ import annotations

from msgspec.structs import replace

from orca_core.model.memories import Added, Addition, Memory, NewMemory, State
from orca_core.model.operations import Actor, OperationHeader
from orca_core.model.recall import WeightMove
from orca_core.model.record_types import MEMORY, Ref, memory_ref
from orca_core.model.sessions import RoundStart, RoundState
from orca_core.operations import actions
from orca_core.operations.columns import fields_from_json
from orca_core.operations.history import changes_where, memories_of, operation_of, touched_by
from orca_core.operations.memory_pairs import as_stored, judge_pairs
from orca_core.operations.operations import OpenOperation
from orca_core.operations.records import STANDS, RecordTypes
from orca_core.operations.undo import mark_taken_back
from orca_core.operations.undo_steps import Plan, put_back
from orca_core.rules.memory import undo_rules
from orca_core.settings import MemorySettings
from orca_core.store.ports import Rows, above, any_of, is_

TakenBack = tuple[tuple[WeightMove, Memory], ...]

_OF_A_ROUND = ("short_term_memories", "dialogue_buffer", "memory_usage_log")


class Attempts:
    """Undoes a replaced attempt."""

    def __init__(self, rows: Rows, types: RecordTypes, settings: MemorySettings, start: RoundStart) -> None:
        self._rows = rows
        self._types = types
        self._settings = settings
        self._start = start

    def replace(self, old: int, new: int) -> TakenBack:
        """Undo what the replaced attempt did to weights, short-term memory and buffer."""
        rows = self._rows
        rows.words.drop_messages(old)
        rows.update("rounds", {"replaced_by": new, "owner": None}, is_("id", old))
        cut = {"state": RoundState.INTERRUPTED.value}
        rows.update("rounds", cut, is_("id", old), is_("state", RoundState.STREAMING.value))
        before = (self._start.replaces or 1) - 1
        same = is_("id", self._start.session_id)
        rows.update("sessions", {"episodes_through": before}, same, above("episodes_through", before))
        for table in _OF_A_ROUND:
            rows.delete(table, is_("round_id", old))
        self._withdraw_acts(old)
        found = rows.select("operations", ("id",), is_("round_id", old), is_("action", "weights"), *STANDS, limit=1)
        if not found:
            return ()
        [[operation]] = found
        by_hand = self._weighed_by_hand(operation)
        return self._take_back(
            operation, lambda made, current, _unmade: undo_rules.plan_retried(made, current, by_hand)
        )

    def _withdraw_acts(self, old: int) -> None:
        """The acts on the replaced attempt are about nothing that is there."""
        start = self._start
        header = OperationHeader(Actor.TURN, "take back", start.at, start.session_id, start.replaces)
        actions.withdraw_of_round(self._rows, OpenOperation(self._rows, self._types, self._settings, header), old)

    def forget(self, old: int, new: int) -> tuple[Addition | None, TakenBack]:
        """Keep the memory that the replaced attempt asked for where the new one asks for the same, else undo it."""
        operation = self._asked_to_remember(old)
        if operation is None:
            return None, ()
        remember = self._start.remember
        if remember is not None and (memory := self._what_stands(operation, remember.content)):
            self._rows.update("operations", {"round_id": new}, is_("id", operation))
            return Addition(self._outcome(operation), memory, operation), ()
        return None, self._take_back(operation, undo_rules.plan_unsaid)

    def remember(self, round_id: int, number: int) -> Addition | None:
        """Remember what the question asks for, as an operation of its own."""
        start = self._start
        if start.remember is None:
            return None
        new: NewMemory = replace(
            start.remember, origin=replace(start.remember.origin, session_id=start.session_id, rounds=(number,))
        )
        header = OperationHeader(Actor.USER, "remember", start.at, start.session_id, number)
        operation = OpenOperation(self._rows, self._types, self._settings, header, round_id=round_id)
        addition = operation.add(as_stored(self._rows, operation, new))
        judge_pairs(self._rows, operation.memories, start.at)
        return addition

    def _weighed_by_hand(self, operation: int) -> list[Ref]:
        """The memories of the operation whose weight a person has set since."""
        ids = [ref.id for ref in touched_by(self._rows, self._types, operation) if ref.kind == MEMORY]
        later = self._rows.select(
            "memory_history",
            ("memory_id", "operation", "after"),
            is_("kind", MEMORY.name),
            any_of("memory_id", ids),
            above("operation", operation),
        )
        weighed = [(row[0], row[1]) for row in later if fields_from_json(row[2]).get("weight") is not None]
        by_a_person = self._rows.select(
            "operations",
            ("id",),
            any_of("id", sorted({number for _, number in weighed})),
            is_("actor", Actor.USER.value),
            is_("undone_by", None),
        )
        standing = {row[0] for row in by_a_person}
        return list(dict.fromkeys(memory_ref(memory_id) for memory_id, number in weighed if number in standing))

    def _asked_to_remember(self, old: int) -> int | None:
        """The operation by which the replaced attempt remembered."""
        which = (is_("action", "remember"), is_("round_id", old), *STANDS)
        found = self._rows.select("operations", ("id",), *which, order=("-id",), limit=1)
        return found[0][0] if found else None

    def _what_stands(self, operation: int, content: str) -> Memory | None:
        """The live memory that the operation was asked for, in these words, however it was edited since."""
        memories = memories_of(self._rows, self._types, operation)
        there = {memory_ref(memory.id) for memory in memories}
        made = changes_where(self._rows, self._types, is_("operation", operation))
        asked = {change.ref: change.after.get("content") for change in made if change.ref in there}
        live = (each for each in memories if each.state is State.LIVE)
        return next((each for each in live if content in (each.content, asked.get(memory_ref(each.id)))), None)

    def _take_back(self, operation: int, plan: Plan) -> TakenBack:
        start = self._start
        header = OperationHeader(Actor.TURN, "take back", start.at, start.session_id, start.replaces)
        before = {memory.id: memory for memory in memories_of(self._rows, self._types, operation)}
        by = OpenOperation(self._rows, self._types, self._settings, header, undoes=operation)
        touched = touched_by(self._rows, self._types, operation)
        changed, _left = put_back(self._rows, self._types, operation_of(self._rows, operation), touched, by, plan)
        mark_taken_back(self._rows, operation, by.insert_row())
        judge_pairs(self._rows, by.memories, start.at)
        return tuple(
            (WeightMove(memory_ref(memory.id), before[memory.id].weight, memory.weight), memory)
            for memory in changed
            if isinstance(memory, Memory)
        )

    def _outcome(self, operation: int) -> Added:
        """The outcome of the operation when it was carried out."""
        made = self._rows.select("memory_history", ("before",), is_("operation", operation), limit=1)
        return Added.CREATED if made and made[0][0] is None else Added.CONFIRMED
