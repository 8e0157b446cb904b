"""What speaks for memories, and which candidates go live by it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from msgspec.structs import replace

from orca_core.model.feedback import (
    ACTIONS,
    SUPPORTS,
    ActionState,
    Support,
    SupportedMemory,
    SupportKind,
    SupportState,
    Visits,
)
from orca_core.model.memories import MEMORIES, Memory, NewMemory, State
from orca_core.model.operations import Actor
from orca_core.model.record_types import ACTION, MEMORY, SUPPORT, Ref, parse_timestamp
from orca_core.operations.operations import OpenOperation
from orca_core.operations.records import memories_there
from orca_core.operations.tombstones import Refusals, Tombstones
from orca_core.rules.feedback.promotion import fields_by_supports
from orca_core.rules.feedback.signals import may_speak, source_of_round
from orca_core.store.ports import Rows, any_of, is_, is_not


def standing(rows: Rows, memory_ids: Iterable[int]) -> Mapping[int, tuple[Support, ...]]:
    """The supports that stand, oldest first, of each memory that has some: those that neither were taken back
    themselves nor rest on an act that was. What a deleted act spoke for it was taken from (`silence`)."""
    ids = sorted(set(memory_ids))
    if not ids:
        return {}
    stand = is_("state", SupportState.STANDING.value)
    found = [
        SUPPORTS.from_row(row)
        for row in rows.select(SUPPORTS.table, SUPPORTS.names, any_of("memory", ids), stand, order=("id",))
    ]
    fallen = _fallen(rows, {each.act for each in found if each.act is not None})
    by_memory: defaultdict[int, list[Support]] = defaultdict(list)
    for each in found:
        if each.act not in fallen:
            by_memory[each.memory].append(each)
    return {number: tuple(supports) for number, supports in by_memory.items()}


def supported(rows: Rows, memories: Sequence[Memory]) -> list[SupportedMemory]:
    """Each with what speaks for it, and when a person took back what became of it by that, where nothing confirms
    it."""
    stand = standing(rows, [each.id for each in memories])
    sent_back = _sent_back(rows, {each.id for each in memories if each.confirmed_by is None})
    return [SupportedMemory(each, stand.get(each.id, ()), sent_back.get(each.id)) for each in memories]


def _sent_back(rows: Rows, memories: set[int]) -> Mapping[int, datetime]:
    """When a person took back last that one of them went live, or was held."""
    by_rule = is_("actor", Actor.PROMOTION.value)
    found = rows.select("operations", ("id", "undone_by"), by_rule, is_not("undone_by", None))
    taken_back = dict[int, int]((row[0], row[1]) for row in found)
    if not taken_back:
        return {}
    kind = is_("kind", MEMORIES.kind.name)
    touched = rows.select("memory_history", ("operation", "memory_id"), kind, any_of("operation", sorted(taken_back)))
    undos = any_of("id", sorted(set(taken_back.values())))
    undone_at = {number: parse_timestamp(at) for number, at in rows.select("operations", ("id", "at"), undos)}
    sent_back: dict[int, datetime] = {}
    for operation, memory in touched:
        if memory in memories:
            at = undone_at[taken_back[operation]]
            sent_back[memory] = max(at, sent_back.get(memory, at))
    return sent_back


def add(rows: Rows, operation: OpenOperation, support: Support) -> bool:
    """Whether it is new: the same act, or the same round, speaks for a memory once."""
    same = (
        is_("memory", support.memory),
        is_("kind", support.kind.value),
        is_("source", support.source),
        is_("act", support.act),
    )
    if known := rows.select(SUPPORTS.table, SUPPORTS.names, *same):
        before = SUPPORTS.from_row(known[0])
        if before.state is not SupportState.STANDING:
            operation.change(SUPPORTS.ref(before), {"state": SupportState.STANDING.value}, before)
        return before.state is not SupportState.STANDING
    operation.create(SUPPORTS, support)
    return True


def add_rounds(rows: Rows, operation: OpenOperation, memory_id: int, new: NewMemory) -> None:
    """The rounds that a fact was read out of speak for the memory that says it, unless that lives on better. What a
    person took back of it before stays taken back."""
    [memory] = memories_there(rows, [memory_id])
    session_id = new.origin.session_id
    if session_id is None or memory.confirmed_by is not None or not may_speak(new):
        return
    session, numbers = is_("session_id", session_id), any_of("number", new.origin.rounds)
    there = rows.select("rounds", ("number", "started_at"), session, numbers, is_("replaced_by", None))
    for number, started_at in there:
        source, at = source_of_round(session_id, number), parse_timestamp(started_at)
        known = (is_("memory", memory_id), is_("kind", SupportKind.ROUND.value), is_("source", source))
        if not rows.count(SUPPORTS.table, *known):
            support = Support(0, memory_id, SupportKind.ROUND, source, at, session_id=session_id, round=number)
            operation.create(SUPPORTS, support)
    if memory.state is State.ARCHIVED:
        reconsider(rows, operation, [memory_id])


def take_over(rows: Rows, operation: OpenOperation, kept: int, others: Iterable[int]) -> None:
    """What speaks for memories that were merged into another speaks for that one, too."""
    stand = is_("state", SupportState.STANDING.value)
    for row in rows.select(SUPPORTS.table, SUPPORTS.names, any_of("memory", sorted(others)), stand, order=("id",)):
        add(rows, operation, replace(SUPPORTS.from_row(row), id=0, memory=kept))


def silence(rows: Rows, operation: OpenOperation, acts: Sequence[int]) -> None:
    """Acts are deleted: they speak for nothing any more, and no undo lets them speak again."""
    if acts:
        numbers = memories_of_acts(rows, acts)
        rows.update(SUPPORTS.table, {"state": SupportState.WITHDRAWN.value}, any_of("act", sorted(acts)))
        reconsider(rows, operation, numbers)


def reconsider(rows: Rows, operation: OpenOperation, memory_ids: Iterable[int]) -> tuple[Memory, ...]:
    """Carry out what follows for these memories from the supports that stand now; returns those that changed."""
    changed: list[Memory] = []
    for each in supported(rows, memories_there(rows, sorted(set(memory_ids)))):
        wanted = fields_by_supports(each, min_support=operation.settings.promote.min_support)
        if wanted:
            changed.append(operation.change(MEMORIES.ref(each.memory), wanted, each.memory))
    return tuple(changed)


def memories_of_acts(rows: Rows, acts: Iterable[int]) -> list[int]:
    """The memories that these acts support, or did."""
    numbers = sorted(set(acts))
    if not numbers:
        return []
    return sorted({number for (number,) in rows.select(SUPPORTS.table, ("memory",), any_of("act", numbers))})


def memories_by_act(rows: Rows, acts: Iterable[int]) -> Mapping[int, tuple[int, ...]]:
    """The memories that each of these acts speaks for, as far as both act and support stand; only acts that do."""
    fallen, found = _fallen(rows, acts), defaultdict[int, set[int]](set)
    where = (any_of("act", sorted(set(acts))), is_("state", SupportState.STANDING.value))
    for act, memory in rows.select(SUPPORTS.table, ("act", "memory"), *where):
        if act not in fallen:
            found[act].add(memory)
    return {act: tuple(sorted(memories)) for act, memories in found.items()}


def agree(rows: Rows, operation: OpenOperation, touched: Sequence[Ref]) -> None:
    """After some records were taken back or done again: the memories stand as what speaks for them says."""
    acts = [ref.id for ref in touched if ref.kind == ACTION]
    supports = [ref.id for ref in touched if ref.kind == SUPPORT]
    numbers = {ref.id for ref in touched if ref.kind == MEMORY} | set(memories_of_acts(rows, acts))
    if supports:
        numbers.update(number for (number,) in rows.select(SUPPORTS.table, ("memory",), any_of("id", supports)))
    reconsider(rows, operation, numbers)


def _fallen(rows: Rows, acts: Iterable[Any]) -> set[int]:
    """Those of the acts that stand no more."""
    numbers = sorted(acts)
    if not numbers:
        return set()
    no_more = is_not("state", ActionState.STANDING.value)
    return {number for (number,) in rows.select(ACTIONS.table, ("id",), any_of("id", numbers), no_more)}


_WAITS = is_("state", State.CANDIDATE.value)


def open_to_promotion(rows: Rows) -> list[SupportedMemory]:
    """Those of the pool that a machine lets live."""
    may_live = permits(rows)
    return [each for each in pool_in(rows) if may_live(each.memory)]


def permits(rows: Rows) -> Callable[[Memory], bool]:
    """Tells whether a machine may let a memory live: none that says what a person deleted or refused."""
    tombstones, refusals = Tombstones(rows), Refusals(rows, MEMORIES)

    def may_live(memory: Memory) -> bool:
        return not tombstones.states_deleted(memory) and refusals.same(memory) is None

    return may_live


def pool_in(rows: Rows) -> list[SupportedMemory]:
    """Every candidate, with what supports it."""
    found = rows.select(MEMORIES.table, MEMORIES.names, _WAITS, order=("id",))
    return supported(rows, [MEMORIES.from_row(row) for row in found])


def pool_about(rows: Rows, held_because: str, ids: Sequence[int]) -> tuple[list[SupportedMemory], list[Visits]]:
    waiting = rows.select(MEMORIES.table, ("id", "held_because", "created_at", "searched_at"), _WAITS)
    asked_for = {*ids, *(number for number, why, *_times in waiting if why == held_because)}
    others = [row for row in waiting if row[0] not in asked_for]
    stand = standing(rows, [number for number, *_fields in others])
    visited = [
        Visits(parse_timestamp(created_at), searched_at and parse_timestamp(searched_at), stand.get(number, ()))
        for number, _why, created_at, searched_at in others
    ]
    found = rows.select(MEMORIES.table, MEMORIES.names, any_of("id", sorted(asked_for)), _WAITS, order=("id",))
    return supported(rows, [MEMORIES.from_row(row) for row in found]), visited
