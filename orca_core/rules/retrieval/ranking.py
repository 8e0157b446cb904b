"""Choose which of the memories found take the slots, in which order, and why each other one stays out: by score, by a
reranker, newer before older."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from orca_core import words
from orca_core.model.memories import MEMORIES, Memory, MemoryType, ShortTerm
from orca_core.model.recall import Item, ScoreParts, Shortfall
from orca_core.model.record_types import Ref, memory_ref, summary_ref
from orca_core.rules.retrieval.match_evidence import EmbedderWorth, MatchEvidence
from orca_core.rules.retrieval.recall_plan import RecallPlan
from orca_core.rules.retrieval.relevance_floors import FLOORS, Floor, is_relevant, nearness, shortfall
from orca_core.rules.text.spelling import simplified

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


class FoundMemory(Struct, frozen=True):
    """A long-term memory with what speaks for it; `place` is where a reranker put it, counted from 0."""

    memory: Memory
    parts: ScoreParts
    evidence: MatchEvidence = MatchEvidence()
    place: int | None = None


class FoundSummary(Struct, frozen=True):
    """A short-term memory with what speaks for it; `visible` where its round stands verbatim in the prompt."""

    summary: ShortTerm
    parts: ScoreParts
    evidence: MatchEvidence
    visible: bool


class FoundRecord(Struct, frozen=True):
    """A record of any other kind with what speaks for it."""

    ref: Ref
    text: str
    made_at: datetime | None
    parts: ScoreParts
    evidence: MatchEvidence


class ItemSelection(Struct, frozen=True):
    """Items in the order in which the budget is filled, and the items that stay out, with their reasons."""

    chosen: tuple[Item, ...]
    dropped: tuple[Item, ...]


def long_item(found: FoundMemory, reason: str, shortfall: Shortfall | None = None) -> Item:
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


def short_item(found: FoundSummary, session_id: str, reason: str) -> Item:
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
    found: Sequence[FoundMemory],
    *,
    pinned: Sequence[FoundMemory],
    standing: Sequence[FoundMemory],
    heaviest: Sequence[FoundMemory],
    embedding: EmbedderWorth,
) -> ItemSelection:
    """Pinned memories first, then relevant ones up to the plan's count, in the order in which they were found, then
    standing ones in the slots left."""
    chosen = [long_item(each, "pinned") for each in sorted(pinned, key=score_key)] if plan.pinned else []
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
    return ItemSelection(tuple(chosen), tuple(dropped[:MAX_DROPPED_SHOWN]))


def may_enter(plan: RecallPlan, found: Sequence[FoundMemory], embedding: EmbedderWorth) -> list[FoundMemory]:
    """Those that are near enough for this plan; where it has a margin, one that stands out among all, or none."""
    near = [each for each in found if is_relevant(each.evidence, embedding, plan.floor)]
    if not near or not plan.margin:
        return near
    nearest, *others = sorted(found, key=lambda each: nearness(each.evidence, embedding), reverse=True)
    next_one = max((nearness(each.evidence, embedding) for each in others[:1]), default=0.0)
    stands_out = nearness(nearest.evidence, embedding) >= plan.margin * next_one
    return [nearest] if stands_out and nearest in near else []


def _left_out(plan: RecallPlan, found: FoundMemory, reason: str, embedding: EmbedderWorth) -> Item:
    """The item of a memory that stays out; of one that is not near enough for the plan, how near it came."""
    is_below = plan.floor.nearness > 0 and (reason == BELOW or (reason == NO_TRIGGER and plan.long_count > 0))
    return long_item(found, reason, shortfall(found.evidence, embedding, plan.floor) if is_below else None)


def _why_not(plan: RecallPlan, found: FoundMemory, embedding: EmbedderWorth) -> str:
    """Tell why a memory stays out that is near enough to bear on what is asked."""
    if plan.margin and is_relevant(found.evidence, embedding, plan.floor):
        return NOT_ALONE
    return FAR_BEHIND if plan.long_count and plan.is_asked else NO_TRIGGER


def _guesses(
    plan: RecallPlan, found: Sequence[FoundMemory], shown: Sequence[FoundMemory], embedding: EmbedderWorth
) -> Sequence[FoundMemory]:
    """The nearest ones for a question about the user that nothing relevant answers: it may name in other words what
    is known ("which language am I learning?"), and the model tells better than words whether one of them does. What is
    `shown` whatever the question may be the answer, too."""
    if not plan.guesses or any(is_relevant(each.evidence, embedding, plan.floor) for each in (*found, *shown)):
        return ()
    return found[: plan.guesses]


def select_short(
    plan: RecallPlan, found: Iterable[FoundSummary], *, session_id: str, repeat_visible: bool, embedding: EmbedderWorth
) -> ItemSelection:
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
    return ItemSelection(tuple(chosen), tuple(dropped[:MAX_DROPPED_SHOWN]))


def record_item(found: FoundRecord, reason: str) -> Item:
    """A block calls it by its kind."""
    return Item(found.ref, found.text, found.parts, reason, found.ref.kind.name, found.made_at)


def select_records(
    found: Iterable[FoundRecord], count: int, reason: str, embedding: EmbedderWorth, floor: Floor = FLOORS.technical
) -> ItemSelection:
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
    return ItemSelection(tuple(chosen), tuple(dropped[:MAX_DROPPED_SHOWN]))


def with_reason(item: Item, reason: str) -> Item:
    """The same item, left out or let in for another reason."""
    return replace(item, reason=reason)


def leave_out(selection: ItemSelection, memory: Memory, reason: str) -> ItemSelection:
    """The selection without this memory, which is named among those left out."""
    item = long_item(FoundMemory(memory, ScoreParts()), reason)
    return ItemSelection(
        chosen=tuple(each for each in selection.chosen if each.ref != item.ref),
        dropped=(item, *(each for each in selection.dropped if each.ref != item.ref)),
    )


def score_key(found: FoundMemory) -> tuple[bool, int, float, float, int]:
    """Return what a reranker put in order comes first, in its order; of equal ones the latest."""
    place = (found.place is None, found.place or 0)
    return (*place, -found.parts.total, -found.memory.created_at.timestamp(), -found.memory.id)


def _new(found: Iterable[FoundMemory], taken: set[int]) -> Iterable[FoundMemory]:
    return [each for each in found if each.memory.id not in taken]


def best_first(found: Iterable[FoundMemory]) -> list[FoundMemory]:
    """Return what a reranker put in order first, in its order; the rest by score."""
    return sorted(found, key=score_key)


def newer_first(
    found: Sequence[FoundMemory],
    entering: Collection[int],
    pairs: Collection[tuple[int, int]],
    slots: int,
) -> list[FoundMemory]:
    """Of two of the first `slots` of the `entering` that are an open pair (the newer and the older), the newer changes
    places with the older.

    Each has its slot by what speaks for itself, and keeps one: a pair is only nominated, and hides nothing. A pin is a
    person's word against what is newer."""

    def goes_first(newer: Memory, older: Memory) -> bool:
        return (newer.id, older.id) in pairs and (newer.pinned or not older.pinned)

    places = [place for place, each in enumerate(found) if each.memory.id in entering][:slots]
    ordered = list(found)
    for number, place in enumerate(places):
        for behind in places[number + 1 :]:
            if goes_first(ordered[behind].memory, ordered[place].memory):
                ordered[place], ordered[behind] = ordered[behind], ordered[place]
    return ordered


CANDIDATES_A_PLACE = 3
"""So many memories are ordered for each one that is wanted. No benchmark chose it: more of them take longer, and what
leaves this machine is to be little."""

REFUSED = "rerank_"
LATE = f"{REFUSED}late"
RESTING = f"{REFUSED}resting"
UNREADABLE = f"{REFUSED}unreadable"
MISTAKE = f"{REFUSED}mistake"


def rerank_candidates(relevant: Sequence[FoundMemory], wanted: int) -> Sequence[FoundMemory]:
    """The best of those above the floor, which a reranker may put in another order."""
    return relevant[: CANDIDATES_A_PLACE * wanted]


def read_rerank_answer(answer: object) -> list[int] | None:
    """A reranker's answer as positions; None where it is something else, whatever the reranker promises."""
    if not isinstance(answer, list | tuple):
        return None
    return list(answer) if all(type(each) is int for each in answer) else None


def reorder(found: Sequence[FoundMemory], ranks: Sequence[int]) -> list[FoundMemory]:
    """The memories in the order of `ranks`, positions in `found`, each with its place. What was not ranked comes after,
    in the order that it had."""
    named, rest = split_by_rank(len(found), ranks)
    return [*(replace(found[at], place=place) for place, at in enumerate(named)), *(found[at] for at in rest)]


def split_by_rank(count: int, ranks: Sequence[int]) -> tuple[list[int], list[int]]:
    """Of so many positions those that were ranked, best first, and those that were not, in their own order."""
    named = [at for at in dict.fromkeys(ranks) if 0 <= at < count]
    ranked = set(named)
    return named, [at for at in range(count) if at not in ranked]


def reranked_rule(model: str) -> str:
    """Return what a receipt says of an order that a reranker made."""
    return f"reranked: {model}"


def refused_rule(code: str, status: object) -> str:
    """Return what a receipt says where the reranker failed: no word of a server, which may repeat a memory that is
    deleted later."""
    return f"{REFUSED}{code}" if status is None else f"{REFUSED}{code}: {status}"


def is_refusal(rule: str) -> bool:
    """Tell whether a rule says that the reranker left the order as it was."""
    return rule.startswith(REFUSED)


TYPES = (MemoryType.INSTRUCTION, MemoryType.PREFERENCE)
"""What may stand; others are never read for it."""


def standing_memories(memories: Iterable[Memory], count: int) -> list[Memory]:
    """At most so many of them, as they come, what says how to answer before other instructions."""
    fit = [each for each in memories if is_standing(each)]
    return sorted(fit, key=lambda each: not is_about_answers(each))[:count]


def is_standing(memory: Memory) -> bool:
    """Instructions, and preferences about answers; not what holds only under a condition: that comes where the
    condition is spoken of."""
    if memory.type not in TYPES or is_conditional(memory.content):
        return False
    return memory.type is MemoryType.INSTRUCTION or is_about_answers(memory)


def is_about_answers(memory: Memory) -> bool:
    """Tell whether its tags or its words say how one wants to be answered."""
    tags = words.word_set("wording.answering_tags")
    return any(tag.lower() in tags for tag in memory.tags) or _speaks_of_answers(memory.content)


# The same few memories are read for every turn.
@lru_cache(maxsize=512)
def is_conditional(content: str) -> bool:
    return words.pattern("wording.condition").search(simplified(content)) is not None


@lru_cache(maxsize=512)
def _speaks_of_answers(content: str) -> bool:
    return words.pattern("wording.answering").search(simplified(content).lower()) is not None


LOOKED_UP = "looked_up"
"""The reason of what the model asked for."""
MOST_FOUND = 5
"""So many items answer a query: with five the wanted one was among them in 148 of 160 turns."""
MOST_OF_WORK = 2
"""So many of these may be episodes, knowledge and guides. Chosen by hand."""

PLAN = RecallPlan(
    rules=(),
    reason=LOOKED_UP,
    long_count=MOST_FOUND,
    episode_count=MOST_OF_WORK,
    knowledge_count=1,
    is_asked=True,
    floor=FLOORS.searched,
    work_floor=FLOORS.asked,
)
"""As near as what a person finds who searches; work has many words, and has to be nearer."""


def lookup_items(chosen: Sequence[Item]) -> tuple[Item, ...]:
    """Of what each source chose, nearest first, what answers the query: statements, and room for a little work."""
    found = [with_reason(item, LOOKED_UP) for item in chosen]
    work = [item for item in found if item.ref.kind != MEMORIES.kind][:MOST_OF_WORK]
    statements = [item for item in found if item.ref.kind == MEMORIES.kind]
    return (*statements[: MOST_FOUND - len(work)], *work)
