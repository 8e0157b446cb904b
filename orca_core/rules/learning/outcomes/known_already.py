"""What becomes of a fact that a known memory says already: confirmed, brought back, proposed, or left as it is."""

from __future__ import annotations

from msgspec.structs import replace

from orca_core.domain.memories import Added, ArchivedBecause, Memory, NewMemory, SaidAgain, State
from orca_core.domain.settling import Settlement
from orca_core.rules.keeping import said_again, waiting
from orca_core.rules.keeping.confirming import UNCONFIRMED
from orca_core.rules.learning.likeness.duplicates import OPEN, Likeness
from orca_core.rules.learning.outcomes.bounds import Surroundings, held_for
from orca_core.rules.learning.outcomes.succession import Succession, is_no_newer, may_be_of_now, with_what_is_told


def said_already(
    new: NewMemory, same: Memory, succession: Succession, around: Surroundings, *, is_heard: bool
) -> Settlement:
    again = said_again.said_again(same, new)
    if again.outcome is Added.DROPPED:
        return Settlement(known=same.id, reason=again.reason)
    known = [memory for memory, _ in around.near]
    again = replace(again, archives=said_again.with_living_ends(again.archives, same, known))
    if is_heard and again.outcome is not Added.PROMOTED:  # reading the same words once more changes nothing
        return left_as_it_is(same)
    target = _was_to_replace(same, around)
    if again.outcome is Added.RESTORED and same.id in around.since:
        return left_as_it_is(same)
    if (again.archives or target) and not _may_take_a_place(new, again, target, around):
        return left_as_it_is(same)
    if again.changes.get("state", same.state) != State.LIVE:
        return Settlement(known=same.id, again=again)
    if same.state is not State.LIVE:
        succession = with_what_is_told(new, succession, around)
    if new.state is State.LIVE:
        others = [memory.id for memory in succession.targets if memory.id != same.id]
        again = replace(again, archives=tuple(dict.fromkeys([*again.archives, *others])))
    again = _within_bounds(again, same, target, around)
    return Settlement(known=same.id, again=again, undecided=_to_decide(new, same, again, target, succession, around))


def _was_to_replace(same: Memory, around: Surroundings) -> Memory | None:
    """The live memory that a candidate was to replace, which its own words do not put aside any more."""
    return next((each for each, _ in around.near if each.id == same.would_replace and each.state is State.LIVE), None)


def _to_decide(
    new: NewMemory,
    same: Memory,
    again: SaidAgain,
    target: Memory | None,
    succession: Succession,
    around: Surroundings,
) -> tuple[tuple[int, str], ...]:
    """The pairs that a person is to decide: another value, of which the one that was typed again becomes the newer;
    what was to be replaced, and was not; and what the model may have meant, or named in vain."""
    if again.changes.get("state", same.state) != State.LIVE:
        return ()
    is_typed = new.state is State.LIVE
    alive = {memory.id: like for memory, like in around.near if memory.state is State.LIVE}
    pairs = {key: like.value for key, like in alive.items() if is_typed and like is Likeness.OTHER_VALUE}
    named = [*succession.targets, *succession.refused, *succession.unclear, *((target,) if target else ())]
    for memory in named:
        like = alive.get(memory.id)
        pairs.setdefault(memory.id, like.value if is_typed and like in OPEN else Likeness.UPDATE.value)
    there = alive.keys() - {same.id, *again.archives}
    return tuple((key, why) for key, why in pairs.items() if key in there)


def left_as_it_is(same: Memory) -> Settlement:
    if same.state is State.ARCHIVED and same.archived_because is not ArchivedBecause.WITHDRAWN:
        return Settlement(known=same.id, reason=said_again.archived_reason(same))
    if same.state is State.REJECTED:
        return Settlement(known=same.id, reason=waiting.EXPIRED)
    return Settlement(known=same.id, again=SaidAgain(Added.CONFIRMED, {}))


def _may_take_a_place(new: NewMemory, again: SaidAgain, target: Memory | None, around: Surroundings) -> bool:
    """Whether the words speak of now, and are newer than what would be put aside for them, or was to be."""
    there = [memory for memory, _ in around.near if memory.id in again.archives or memory is target]
    return may_be_of_now(new) and not any(is_no_newer(new, memory, around.since) for memory in there)


def _within_bounds(again: SaidAgain, same: Memory, target: Memory | None, around: Surroundings) -> SaidAgain:
    """The change, limited to what a machine may do: it makes nothing live against a pinned memory, and replaces
    nothing that a person made."""
    at_stake = [memory for memory, _ in around.near if memory.id in again.archives and memory.state is State.LIVE]
    kept = next((memory for memory in at_stake if around.is_out_of_reach(memory)), None)
    if same.state is State.LIVE:
        out_of_reach = {memory.id for memory in at_stake if around.is_out_of_reach(memory)}
        return replace(again, archives=tuple(each for each in again.archives if each not in out_of_reach))
    blocker = around.opposed or kept or (target if target is not None and target.pinned else None)
    if blocker is None:
        return again
    held = {
        "held_because": held_for(blocker).value,
        "would_replace": blocker.id,
        "state": State.CANDIDATE.value,
        **UNCONFIRMED,
    }
    outcome = Added.CONFIRMED if same.state is State.CANDIDATE else again.outcome
    kept_fields = {name: value for name, value in again.changes.items() if name not in said_again.SOURCE}
    return SaidAgain(outcome, {**kept_fields, **held})


def would_do_again(same: Memory, new: NewMemory) -> bool:
    """Whether saying it again would bring alive, from the same rounds, what a person has put back to wait."""
    return same.state is State.CANDIDATE and said_again.said_again(same, new).outcome is Added.PROMOTED
