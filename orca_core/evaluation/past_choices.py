"""Chooses once more among the memories that a receipt names, by another plan.

A receipt tells of each memory whether it stood above the floor of its turn, by the reason that it gives. Of the floors
of other plans it tells less: where it does not tell, all stays as it was, and the choice is *open*."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec import Struct

from orca_core.model.memories import MemoryType
from orca_core.model.recall import Item, Receipt
from orca_core.model.record_types import EPISODE, GUIDE, KNOWLEDGE, MEMORY, SUMMARY, TASK, Kind, Ref
from orca_core.rules.retrieval.ranking import (
    BELOW,
    FAR_BEHIND,
    MAX_DROPPED_SHOWN,
    NO_TRIGGER,
    OVER_LIMIT,
    PERHAPS,
    with_reason,
)
from orca_core.rules.retrieval.recall_plan import NEAR, RecallPlan

NO_ROOM = "budget"
PINNED, STANDING, SHORT, VISIBLE = "pinned", "standing", "short_term", "visible"
RECALL, TECHNICAL, ALWAYS = "recall", "technical", "always"
ASKED, OPEN = "asked", "open"
"""Floors, by a name; those of technical turns and of what comes near are called as the reasons are."""
AS_STRICT = {TECHNICAL: (TECHNICAL, NEAR), NEAR: (NEAR,), ASKED: (ASKED,)}
"""Floors that are at least as strict as each."""
_OWN_WAYS = (MEMORY, KNOWLEDGE, EPISODE, SUMMARY, TASK, GUIDE)
MAY_STAND = (MemoryType.INSTRUCTION, MemoryType.PREFERENCE)


class Choice(Struct, frozen=True):
    """Items in the order in which the budget is filled; `is_open` where others might have come, too. Of those that were
    over budget no reason tells why they had been chosen: which of them comes is `guessed`."""

    items: tuple[Item, ...]
    is_open: bool
    guessed: frozenset[Ref] = frozenset()


def chosen(
    receipt: Receipt,
    carried_out: RecallPlan,
    plan: RecallPlan,
    *,
    repeat_visible: bool,
    gone: Collection[Ref] = (),
) -> Choice:
    """What `plan` chooses of what the receipt names, which came of the plan that was `carried_out`; those `gone` would
    have been archived by then."""
    past = _Past(receipt, carried_out, gone)
    long, short = _long(past, plan), _short(past, plan, repeat_visible)
    tasks = [each for each in past.injected if each.ref.kind == TASK]
    work = _work(past, plan)
    others = [each for each in past.injected if each.ref.kind not in _OWN_WAYS]
    guides, _ = past.of(GUIDE)  # what names a tool is in the text, and in no plan
    items = (*tasks, *long.items, *work.items, *others, *guides, *short.items)
    over_budget = frozenset(each.ref for each in past.dropped if each.reason == NO_ROOM)
    return Choice(items, long.is_open or work.is_open or short.is_open, over_budget)


class _Past:
    """A receipt with the plan that it came of."""

    def __init__(self, receipt: Receipt, plan: RecallPlan, gone: Collection[Ref]) -> None:
        self.plan = plan
        self.injected = [each for each in receipt.injection.injected if each.ref not in gone]
        self.dropped = [each for each in receipt.injection.dropped if each.ref not in gone]
        self.is_cut = sum(each.ref.kind == MEMORY for each in receipt.injection.dropped) >= MAX_DROPPED_SHOWN
        self.has_pinned = plan.pinned and any(each.pinned for each in receipt.injection.injected)
        self.guessed = any(each.reason == PERHAPS for each in receipt.injection.injected)
        found = [each for each in receipt.injection.considered if each.ref.kind not in (TASK, GUIDE)]
        self.was_searched = plan.looks_at_anything and not (plan.is_pinned_only and not found)
        entered = [each for each in self.of(MEMORY)[0] if not plan.heaviest_count]
        self.near = [each for each in entered if not (each.pinned or each.reason == STANDING)]
        self.had_room = len(self.near) < plan.long_count

    def of(self, kind: Kind) -> tuple[list[Item], list[Item]]:
        """The items of a kind that were chosen, and those that were not; what was over budget had been chosen, too."""
        over_budget = [each for each in self.dropped if each.ref.kind == kind and each.reason == NO_ROOM]
        entered = [*(each for each in self.injected if each.ref.kind == kind), *over_budget]
        return entered, [each for each in self.dropped if each.ref.kind == kind and each.reason != NO_ROOM]


def merged(first: Sequence[Item], second: Sequence[Item]) -> list[Item]:
    """Two lists, each best first, as one: each keeps its order, the better head goes first."""
    ahead, behind, both = list(first), list(second), []
    while ahead or behind:
        takes_first = ahead and (not behind or ahead[0].score >= behind[0].score)
        both.append((ahead if takes_first else behind).pop(0))
    return both


def _long(past: _Past, plan: RecallPlan) -> Choice:
    entered, dropped = past.of(MEMORY)
    pinned = [with_reason(each, PINNED) for each in entered if each.pinned and past.plan.pinned] if plan.pinned else []
    is_open = plan.pinned and not past.plan.pinned
    heaviest: list[Item] = []
    if plan.heaviest_count:
        heaviest = [each for each in entered if past.plan.heaviest_count and not each.pinned][: plan.heaviest_count]
        is_open = is_open or not past.plan.heaviest_count
    elif past.plan.heaviest_count and plan.long_count:
        is_open = True  # nothing tells how near the heaviest ones were
    found = [*past.near, *dropped] if floor_of(plan) == floor_of(past.plan) else merged(past.near, dropped)
    relevant = _relevant(past, plan, found)
    slots = plan.long_count - len(relevant.items)
    standing = _standing(past, plan, slots, {each.ref for each in (*pinned, *heaviest, *relevant.items)})
    is_open = is_open or relevant.is_open or standing.is_open or (slots > 0 and not _names_all(past, plan))
    return Choice((*pinned, *heaviest, *relevant.items, *standing.items), is_open)


def _work(past: _Past, plan: RecallPlan) -> Choice:
    """Knowledge and episodes: what entered, and behind it what was over the limit. Where none were looked for, or by
    another floor, nothing tells which would have come."""
    items: list[Item] = []
    is_open = False
    for kind, wanted, was in (
        (KNOWLEDGE, plan.knowledge_count, past.plan.knowledge_count),
        (EPISODE, plan.episode_count, past.plan.episode_count),
    ):
        entered, dropped = past.of(kind)
        items += [*entered, *(with_reason(each, plan.reason) for each in dropped if each.reason == OVER_LIMIT)][:wanted]
        is_open = is_open or (wanted > 0 and (not was or plan.work_floor != past.plan.work_floor))
    return Choice(tuple(items), is_open)


def _names_all(past: _Past, plan: RecallPlan) -> bool:
    """Whether the receipt names all that may stand above the floor of a plan: where it was cut, and the turn took all
    that stood above its own floor, what was cut off is below that."""
    if not past.was_searched:
        return False
    return not past.is_cut or (past.had_room and floor_of(plan) in AS_STRICT.get(floor_of(past.plan), ()))


def _relevant(past: _Past, plan: RecallPlan, found: Sequence[Item]) -> Choice:
    floor = floor_of(plan)
    stands = {each.ref: stands_above(floor, each, past.plan) for each in found}
    is_open = any(each is None for each in stands.values())
    if plan.is_asked and not any(stands.values()):
        was_asked = floor_of(past.plan) == ASKED
        guesses = [each for each in found if _may_enter(each)][: plan.guesses]
        if was_asked and not past.guessed:  # what is pinned, or gave way, was the answer
            return Choice((), is_open or (bool(guesses) and plan.pinned != past.plan.pinned))
        is_open = is_open or (past.has_pinned and not was_asked)
        return Choice(tuple(with_reason(each, PERHAPS) for each in guesses), is_open)
    stood = {each.ref for each in past.injected}
    taken = [each for each in found if stands[each.ref] or (stands[each.ref] is None and each.ref in stood)]
    taken = taken[: plan.long_count]
    if len(taken) == plan.long_count:
        is_open = any(stands[each.ref] is None for each in found[: found.index(taken[-1]) + 1]) if taken else False
    reasons = [PERHAPS if each.reason in (BELOW, PERHAPS) else plan.reason for each in taken]
    return Choice(tuple(map(with_reason, taken, reasons)), is_open)


def _may_enter(item: Item) -> bool:
    """Not one that gave way to another, or that was said in the turn itself."""
    by_name = (BELOW, OVER_LIMIT, FAR_BEHIND, NO_TRIGGER, NO_ROOM, NEAR, PERHAPS, RECALL, ALWAYS)
    return item.reason in by_name or item.reason.startswith(TECHNICAL)


def floor_of(plan: RecallPlan) -> str:
    """The floor of a plan; none where it takes nothing that was found."""
    if plan.spreads:
        return OPEN
    if plan.is_asked:
        return ASKED
    if plan.reason == NEAR:
        return NEAR
    return TECHNICAL if plan.long_count else ""


def stands_above(floor: str, item: Item, carried_out: RecallPlan) -> bool | None:
    """Whether an item stands above a floor, by the reason that it got under the plan that was `carried_out`; None where
    the reason does not tell."""
    if not floor or not _may_enter(item):
        return False
    if floor == OPEN or floor in _above(item, carried_out):
        return True
    return False if floor in _below(item, floor_of(carried_out)) else None


def _above(item: Item, carried_out: RecallPlan) -> Collection[str]:
    """The floors above which it stands for certain: that of its turn, where it entered. What is above that of everyday
    turns is above that of technical ones."""
    was = floor_of(carried_out)
    may_have_stood = carried_out.standing and item.reason == NO_ROOM and item.type in MAY_STAND
    if item.reason in (BELOW, FAR_BEHIND, NO_TRIGGER) or may_have_stood or (item.reason == PERHAPS and was != ASKED):
        return ()
    return (NEAR, TECHNICAL) if was == NEAR else (was,)


def _below(item: Item, was: str) -> Collection[str]:
    """The floors below which it lies for certain. Without a trigger it lay below what its own turn asked for.
    Older receipts say of turns that asked for nothing, too, what was far behind the nearest: it stays out of these."""
    if item.reason in (BELOW, PERHAPS):
        return (TECHNICAL, NEAR, ASKED) if item.reason == BELOW and was == ASKED else (TECHNICAL, NEAR)
    if item.reason == FAR_BEHIND:
        return (TECHNICAL, NEAR) if was in (TECHNICAL, NEAR) else (was,)
    if item.reason == NO_TRIGGER:
        return (TECHNICAL, NEAR) if was == TECHNICAL else (was,)
    return ()


def _standing(past: _Past, plan: RecallPlan, slots: int, taken: Collection[Ref]) -> Choice:
    """Standing memories for the slots left. A receipt names as many as there were slots for them."""
    if not plan.standing or slots <= 0:
        return Choice((), is_open=False)
    known = [each for each in past.of(MEMORY)[0] if each.reason == STANDING and each.ref not in taken]
    are_all_known = past.plan.standing and len(known) < past.plan.long_count - len(past.near)
    return Choice(tuple(known[:slots]), is_open=len(known) < slots and not are_all_known)


def _short(past: _Past, plan: RecallPlan, repeat_visible: bool) -> Choice:
    """Summaries of earlier rounds: they stand above the same floor in every turn. Those whose round stood in the prompt
    come last; of one over the limit it is not told whether it did, unless one before it did. Nor is it of one over
    budget: it comes after those that entered, where it finds no more room than it found."""
    if not plan.short_count:
        return Choice((), is_open=False)
    if not past.plan.short_count:
        return Choice((), is_open=True)
    chosen_then, dropped = past.of(SUMMARY)
    entered = [each for each in chosen_then if each.reason != NO_ROOM]
    are_visible = any(each.reason == VISIBLE for each in entered)
    no_room_as = VISIBLE if are_visible and all(each.reason == VISIBLE for each in entered) else SHORT
    no_room = [with_reason(each, no_room_as) for each in chosen_then if each.reason == NO_ROOM]
    over = [with_reason(each, VISIBLE if are_visible else SHORT) for each in dropped if each.reason == OVER_LIMIT]
    visible = [each for each in dropped if each.reason == VISIBLE]
    named = [*entered, *no_room, *over, *visible]
    waiting = [each for each in named if repeat_visible or each.reason != VISIBLE][: plan.short_count]
    if repeat_visible:
        return Choice(tuple(waiting), is_open=bool(no_room) and len(waiting) < len(entered) + len(no_room))
    guessed = {*(each.ref for each in no_room), *(each.ref for each in over if not are_visible)}
    return Choice(tuple(waiting), is_open=bool(no_room) or any(each.ref in guessed for each in waiting))
