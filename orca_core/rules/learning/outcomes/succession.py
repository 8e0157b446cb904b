"""Whose place a fact takes: what the model named, what the fact's own words end, and which of two was said later."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from msgspec import Struct
from msgspec.structs import replace

from orca_core import words
from orca_core.domain.memories import Memory, NewMemory, State
from orca_core.domain.settling import Known, Proposal
from orca_core.rules.clauses import tense
from orca_core.rules.learning.likeness.duplicates import Likeness, likeness
from orca_core.rules.learning.likeness.naming import Meant, meant_by
from orca_core.rules.learning.outcomes.bounds import Surroundings
from orca_core.rules.learning.outcomes.turning import turns_away_from
from orca_core.rules.text.scripts import simplified


class Succession(Struct, frozen=True):
    """The memories that a fact puts aside; those that it was to put aside, but its words do not allow it; and those of
    which nobody knows which is meant."""

    targets: tuple[Memory, ...] = ()
    refused: tuple[Memory, ...] = ()
    unclear: tuple[Memory, ...] = ()


def succession_of(proposal: Proposal, known: Known) -> Succession:
    """What the model named, and a memory that says what the fact says is no longer so."""
    new = proposal.new
    live = [memory for memory in known.memories if memory.state is State.LIVE]
    replaced = meant_by(proposal.replace, new, live) if proposal.replace else Meant()
    retracted = meant_by(proposal.retract, new, live) if proposal.retract else Meant()
    is_end = tells_of_an_end(new)
    ended = next((memory for memory in live if is_end and _says_it_ended(new, memory)), None)
    may_end = is_end or tells_of_a_change(new)
    named = [(replaced.memory, True), (retracted.memory, may_end), (ended, True)]
    wanted = {memory.id: (memory, may) for memory, may in reversed(named) if memory is not None}
    allowed = {key for key, (memory, may) in wanted.items() if may and _may_take_the_place(new, memory, known.since)}
    return Succession(
        targets=tuple(memory for key, (memory, _) in wanted.items() if key in allowed),
        refused=tuple(memory for key, (memory, _) in wanted.items() if key not in allowed),
        unclear=tuple(each for each in (*replaced.unclear, *retracted.unclear) if each.id not in wanted),
    )


def outdated(proposal: Proposal, known: Known) -> tuple[int, ...]:
    """The waiting memories that the model names, and of which the fact's words leave nothing to decide."""
    new = proposal.new
    waiting = [memory for memory in known.memories if memory.state is State.CANDIDATE]
    names = [proposal.replace, proposal.retract if tells_of_an_end(new) or tells_of_a_change(new) else ""]
    meant = [meant_by(name, new, waiting).memory for name in names if name]
    return tuple(each.id for each in meant if each is not None and _may_take_the_place(new, each, known.since))


def with_what_is_told(new: NewMemory, succession: Succession, around: Surroundings) -> Succession:
    """With what the user's words change, though nobody named it: the same with another figure; and where nothing is
    named, the value of one thing, and what the words turn away from."""
    alive = [each for each in around.near if each[0].state is State.LIVE and each[0] not in succession.targets]
    updated = [memory for memory, like in alive if like is Likeness.UPDATE and is_update(new, memory, around.since)]
    others = [each for each in alive if each[0] not in updated and is_told_change(new, each[0], around.since)]
    values = [memory for memory, like in others if like is Likeness.OTHER_VALUE]
    turned = [memory for memory, _ in others if memory not in values and turns_away_from(new, memory)]
    if succession.targets or succession.unclear:
        values = turned = []
    unclear = [*(values if not _are_of_one_thing(values) else ()), *(turned if len(turned) > 1 else ())]
    told = [memory for memory in (*updated, *values, *turned) if memory not in unclear]
    return replace(succession, targets=(*succession.targets, *told), unclear=(*succession.unclear, *unclear))


def is_update(new: NewMemory, old: Memory, since: frozenset[int]) -> bool:
    """An update needs a clause that says so now."""
    return says_so_now(new) and _may_take_the_place(new, old, since)


def is_told_change(new: NewMemory, old: Memory, since: frozenset[int]) -> bool:
    """Whether typed words, newer than those of the other, tell of a change of the user's that has happened."""
    return tells_of_a_change(new) and _may_take_the_place(new, old, since) and not is_no_newer(new, old, since)


def is_no_newer(new: NewMemory, successor: Memory, since: frozenset[int]) -> bool:
    """Whether the fact stands on words no later than those that have put another memory in its place."""
    if successor.id in since:
        return True
    if new.origin.session_id is None or new.origin.session_id != successor.origin.session_id:
        return False
    rounds, others = new.origin.rounds, successor.origin.rounds
    return bool(rounds and others) and min(rounds) <= max(others)


def is_said_later(memory: Memory, new: NewMemory, since: frozenset[int]) -> bool:
    """Whether the memory stands on later words than the fact does: it is one of `since`, or its rounds tell so."""
    if memory.id in since:
        return True
    same_session = new.origin.session_id is not None and new.origin.session_id == memory.origin.session_id
    if not same_session or not new.origin.rounds or not memory.origin.rounds:
        return False
    return min(memory.origin.rounds) > max(new.origin.rounds)


def is_read_again(new: NewMemory, known: Memory) -> bool:
    """Whether both come from the same rounds."""
    return (
        new.origin.session_id is not None
        and new.origin.session_id == known.origin.session_id
        and not set(new.origin.rounds).isdisjoint(known.origin.rounds)
    )


def may_be_of_now(new: NewMemory) -> bool:
    """Whether neither the fact nor its words speak of the past or of a plan alone."""
    return not any(tense.is_of_another_time(text) for text in (new.content, new.origin.quote or ""))


def speaks_of_another_time(new: NewMemory) -> bool:
    """Whether the fact itself speaks of the past or of a plan, whatever its words do."""
    return tense.is_of_another_time(new.content)


def says_so_now(new: NewMemory) -> bool:
    """Whether the fact, or the words that it stands on, tell of a change that has happened."""
    return any(tense.says_so_now(text) for text in (new.content, new.origin.quote or ""))


def tells_of_an_end(new: NewMemory) -> bool:
    """Whether the fact stands on typed words by which something of the user's no longer holds."""
    return tense.tells_of_an_end(new.origin.quote or "", new.content)


def tells_of_a_change(new: NewMemory) -> bool:
    """Whether the fact stands on typed words by which something of the user's has changed."""
    return tense.tells_of_a_change(new.origin.quote or "", new.content)


def _are_of_one_thing(values: Sequence[Memory]) -> bool:
    """Whether each stands in the place of every other, so that one new value ends them all."""
    return all(
        likeness(one.content, one.type, other.content, other.type) is Likeness.OTHER_VALUE
        for one, other in combinations(values, 2)
    )


def _may_take_the_place(new: NewMemory, old: Memory, since: frozenset[int]) -> bool:
    """Whether the fact speaks of now, and was said no earlier than the other."""
    return may_be_of_now(new) and not is_said_later(old, new, since)


def _says_it_ended(new: NewMemory, memory: Memory) -> bool:
    """Whether the fact says of just what the memory says that it is no longer so."""
    stated, ends = words.pattern("time.no_longer").subn(" ", simplified(new.content))
    if not ends:
        return False
    return likeness(stated, memory.type, memory.content, memory.type) is Likeness.SAME
