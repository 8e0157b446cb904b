"""Which of the memories found take the slots, in which order they are filled, and why each other one stays out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from orca_core.model.memories import Memory, ShortTerm
from orca_core.model.recall import Item, ScoreParts, Shortfall
from orca_core.model.records import Ref, memory_ref, summary_ref
from orca_core.rules.retrieval.choosing.injection import RecallPlan
from orca_core.rules.retrieval.finding.evidence import Embedding, Evidence
from orca_core.rules.retrieval.finding.floors import FLOORS, Floor, is_relevant, nearness, shortfall

MAX_DROPPED_SHOWN = 20
"""How many of the memories that were found but did not enter a receipt keeps: it bounds the size of a receipt."""


PERHAPS = "perhaps"
"""The reason of what is near enough for a question that asks for it, and for nothing else: it is never unused."""
OVER_LIMIT = "over_limit"
"""The reason of what is near enough, or named, and stands behind all that there is room for."""
BELOW, FAR_BEHIND, NO_TRIGGER, NOT_ALONE = "below_floor", "far_behind", "no_trigger", "not_alone"
"""Why something stays out: it is not near enough for a technical turn; it is, but not beside the nearest that answers
what a person asks; it is, but the turn asks for no such memory, or for nearer ones only; it is, and others are as near.
"""


class Found(Struct, frozen=True):
    """A long-term memory with what speaks for it; `place` is where a reranker put it, counted from 0."""

    memory: Memory
    parts: ScoreParts
    evidence: Evidence = Evidence()
    place: int | None = None


class FoundShort(Struct, frozen=True):
    """A short-term memory with what speaks for it; `visible` where its round stands verbatim in the prompt."""

    summary: ShortTerm
    parts: ScoreParts
    evidence: Evidence
    visible: bool


class FoundRecord(Struct, frozen=True):
    """A record of any other kind with what speaks for it."""

    ref: Ref
    text: str
    made_at: datetime | None
    parts: ScoreParts
    evidence: Evidence


class Selection(Struct, frozen=True):
    """Items in the order in which the budget is filled, and the items that stay out, with their reasons."""

    chosen: tuple[Item, ...]
    dropped: tuple[Item, ...]


def long_item(found: Found, reason: str, shortfall: Shortfall | None = None) -> Item:
    memory = found.memory
    return Item(
        ref=memory_ref(memory.id),
        content=memory.content,
        parts=found.parts,
        reason=reason,
        type=memory.type.value,
        created_at=memory.created_at,
        pinned=memory.pinned,
        shortfall=shortfall,
    )


def short_item(found: FoundShort, session_id: str, reason: str) -> Item:
    """Of another session's round that held untrusted text, only the question is shown."""
    summary = found.summary
    whole = summary.trusted or summary.session_id == session_id
    return Item(
        ref=summary_ref(summary.id),
        content=summary.content if whole else summary.question,
        parts=found.parts,
        reason=reason,
        created_at=summary.created_at,
    )


def select_long(
    plan: RecallPlan,
    found: Sequence[Found],
    *,
    pinned: Sequence[Found],
    standing: Sequence[Found],
    heaviest: Sequence[Found],
    embedding: Embedding,
) -> Selection:
    """Pinned memories first, then relevant ones up to the plan's count, in the order in which they were found, then
    standing ones in the slots left."""
    chosen = [long_item(each, "pinned") for each in sorted(pinned, key=by_score)] if plan.pinned else []
    taken = {each.memory.id for each in pinned} if plan.pinned else set()
    chosen += [long_item(each, plan.reason) for each in _new(heaviest, taken)][: plan.heaviest_count]
    taken |= {each.memory.id for each in heaviest}
    dropped: list[Item] = []
    slots = plan.long_count
    others = list(_new(found, taken))
    shown = (*(pinned if plan.pinned else ()), *heaviest)
    guesses = _guesses(plan, others, shown, embedding)
    enters = {each.memory.id for each in may_enter(plan, found, embedding)}
    for each in others:
        if each in guesses:
            taken.add(each.memory.id)
            chosen.append(long_item(each, PERHAPS))
            continue
        is_sure = is_relevant(each.evidence, embedding, plan.floors.technical)
        if each.memory.id not in enters:
            dropped.append(_left_out(plan, each, _why_not(plan, each, embedding) if is_sure else BELOW, embedding))
        elif slots > 0:
            slots -= 1
            taken.add(each.memory.id)
            chosen.append(long_item(each, plan.reason if is_sure else PERHAPS))
        else:
            dropped.append(long_item(each, OVER_LIMIT if plan.long_count else NO_TRIGGER))
    if plan.standing:
        standing_now = list(_new(standing, taken))[:slots]
        chosen += [long_item(each, "standing") for each in standing_now]
        standing_refs = {memory_ref(each.memory.id) for each in standing_now}
        dropped = [item for item in dropped if item.ref not in standing_refs]
    return Selection(tuple(chosen), tuple(dropped[:MAX_DROPPED_SHOWN]))


def may_enter(plan: RecallPlan, found: Sequence[Found], embedding: Embedding) -> list[Found]:
    """Those that are near enough for this plan; where it has a margin, one that stands out among all, or none."""
    near = [each for each in found if is_relevant(each.evidence, embedding, plan.floor)]
    if not near or not plan.margin:
        return near
    nearest, *others = sorted(found, key=lambda each: nearness(each.evidence, embedding), reverse=True)
    next_one = max((nearness(each.evidence, embedding) for each in others[:1]), default=0.0)
    stands_out = nearness(nearest.evidence, embedding) >= plan.margin * next_one
    return [nearest] if stands_out and nearest in near else []


def _left_out(plan: RecallPlan, found: Found, reason: str, embedding: Embedding) -> Item:
    """The item of a memory that stays out; of one that is not near enough for the plan, how near it came."""
    is_below = plan.floor.nearness > 0 and (reason == BELOW or (reason == NO_TRIGGER and plan.long_count > 0))
    return long_item(found, reason, shortfall(found.evidence, embedding, plan.floor) if is_below else None)


def _why_not(plan: RecallPlan, found: Found, embedding: Embedding) -> str:
    """Why a memory stays out that is near enough to bear on what is asked."""
    if plan.margin and is_relevant(found.evidence, embedding, plan.floor):
        return NOT_ALONE
    return FAR_BEHIND if plan.long_count and plan.is_asked else NO_TRIGGER


def _guesses(plan: RecallPlan, found: Sequence[Found], shown: Sequence[Found], embedding: Embedding) -> Sequence[Found]:
    """The nearest ones for a question about the user that nothing relevant answers: it may name in other words what
    is known ("which language am I learning?"), and the model tells better than words whether one of them does. What is
    `shown` whatever the question may be the answer, too."""
    if not plan.guesses or any(is_relevant(each.evidence, embedding, plan.floor) for each in (*found, *shown)):
        return ()
    return found[: plan.guesses]


def select_short(
    plan: RecallPlan, found: Iterable[FoundShort], *, session_id: str, repeat_visible: bool, embedding: Embedding
) -> Selection:
    """Relevant summaries up to the plan's count. Those whose round the model sees anyway come last, if at all."""
    chosen: list[Item] = []
    dropped: list[Item] = []
    for each in sorted(found, key=lambda each: (each.visible, -each.parts.total, -each.summary.id)):
        if not is_relevant(each.evidence, embedding, FLOORS.alike):
            below = shortfall(each.evidence, embedding, FLOORS.alike)
            dropped.append(replace(short_item(each, session_id, BELOW), shortfall=below))
        elif each.visible and not repeat_visible:
            dropped.append(short_item(each, session_id, "visible"))
        elif len(chosen) < plan.short_count:
            chosen.append(short_item(each, session_id, "visible" if each.visible else "short_term"))
        else:
            dropped.append(short_item(each, session_id, OVER_LIMIT))
    return Selection(tuple(chosen), tuple(dropped[:MAX_DROPPED_SHOWN]))


def record_item(found: FoundRecord, reason: str) -> Item:
    """A block calls it by its kind."""
    return Item(found.ref, found.text, found.parts, reason, found.ref.kind.name, found.made_at)


def select_records(
    found: Iterable[FoundRecord], count: int, reason: str, embedding: Embedding, floor: Floor = FLOORS.technical
) -> Selection:
    """Relevant records up to their count, best first."""
    chosen: list[Item] = []
    dropped: list[Item] = []
    ordered = sorted(found, key=lambda each: (-each.parts.total, each.ref))
    for each in ordered:
        if not is_relevant(each.evidence, embedding, floor):
            below = shortfall(each.evidence, embedding, floor)
            dropped.append(replace(record_item(each, BELOW), shortfall=below))
        elif len(chosen) < count:
            chosen.append(record_item(each, reason))
        else:
            dropped.append(record_item(each, OVER_LIMIT))
    return Selection(tuple(chosen), tuple(dropped[:MAX_DROPPED_SHOWN]))


def with_reason(item: Item, reason: str) -> Item:
    """The same item, left out or let in for another reason."""
    return replace(item, reason=reason)


def leave_out(selection: Selection, memory: Memory, reason: str) -> Selection:
    """The selection without this memory, which is named among those left out."""
    item = long_item(Found(memory, ScoreParts()), reason)
    return Selection(
        chosen=tuple(each for each in selection.chosen if each.ref != item.ref),
        dropped=(item, *(each for each in selection.dropped if each.ref != item.ref)),
    )


def by_score(found: Found) -> tuple[bool, int, float, float, int]:
    """What a reranker put in order comes first, in its order; of equal ones the latest."""
    place = (found.place is None, found.place or 0)
    return (*place, -found.parts.total, -found.memory.created_at.timestamp(), -found.memory.id)


def _new(found: Iterable[Found], taken: set[int]) -> Iterable[Found]:
    return [each for each in found if each.memory.id not in taken]
