"""What becomes of a judged fact beside what is known, decided inside the store's transaction: a memory says it already,
it takes another one's place, it waits for a person, or it is dropped.

Whether a memory says the same or no longer holds is the verifier's word (`Proposal.same`, `Proposal.replaces`). Rules
keep within bounds what that does: who said what later, what a person made, pinned, refused or took back."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from msgspec.structs import replace

from orca_core.model.learning import KnownMemories, Proposal, Resolution
from orca_core.model.memories import (
    Added,
    ArchivedBecause,
    ConfirmedBy,
    Memory,
    NewMemory,
    OriginKind,
    PairReason,
    SaidAgain,
    State,
)
from orca_core.model.operations import Change
from orca_core.model.record_types import MEMORY
from orca_core.rules.learning import similarity
from orca_core.rules.learning.fact_provenance import Held
from orca_core.rules.memory import said_again
from orca_core.rules.memory.said_again import UNCONFIRMED
from orca_core.rules.text.spelling import folded

_LISTED = frozenset({State.LIVE, State.CANDIDATE})
_LACKING = frozenset({Held.UNREAD, Held.NOT_TYPED, said_again.UNPROVEN})
"""Why a memory waits that reading the same words once more may make good; for other reasons new words are needed."""
_BY_OTHERS = frozenset({Held.CONTRADICTS_PINNED, Held.KEPT_BY_HAND})
_MERGE = "merge"
LEAST_SHARE = 2 / 3
"""Of two that stand on the same words the one that says so much of what the other says is no other fact. By hand:
what replaces a word (tea, coffee) or adds one (tea, tea and coffee) is another fact of the same quote."""


def in_order_said(proposals: Sequence[Proposal]) -> list[Proposal]:
    """The facts of one answer as they were said, whatever order the memory agent gave: by the latest round that each
    stands on; of one round, what takes another's place comes last."""
    return sorted(proposals, key=lambda each: (max(each.new.origin.rounds, default=0), each.replaces is not None))


def settle(proposal: Proposal, known: KnownMemories) -> Resolution:
    """Return what becomes of a fact, given what is known. What its own run has stored is known, too."""
    new = proposal.new
    if any(_is_never_wanted(memory) and similarity.are_near(new.content, memory.content) for memory in known.memories):
        return Resolution(reason=said_again.NEVER)
    same = (
        _in_the_same_letters(new, known)
        or _taken_back(new, known)
        or _named_the_same(proposal, known)
        or _borne_by_the_same_words(proposal, known)
    )
    if same is None:
        same = next((memory for memory in known.memories if _is_told_already(new, memory)), None)
    if same is None:
        return _stored(proposal, known)
    if same.id in known.undone and _would_promote(same, new):
        return Resolution(known=same.id, reason=said_again.UNDONE)
    is_heard = same.id in known.heard or is_read_again(new, same)
    lives = _named_the_same(proposal, known) if _comes_alive(same, new, is_heard=is_heard) else None
    if lives is None or lives.state is not State.LIVE:
        return _said_already(proposal, kept_of_a_merge(same, known), known, is_heard=is_heard)
    is_heard = lives.id in known.heard or is_read_again(new, lives)
    return replace(_said_already(proposal, lives, known, is_heard=is_heard), moot=(same.id,))


# Which memory says it already


def _in_the_same_letters(new: NewMemory, known: KnownMemories) -> Memory | None:
    """Of several a live one answers, then a candidate, then one that a person refused, then the rest."""
    found = [memory for memory in known.memories if similarity.are_same(new.content, memory.content)]
    return min(found, key=_rank, default=None)


def _rank(memory: Memory) -> int:
    if memory.state in _LISTED:
        return 0 if memory.state is State.LIVE else 1
    return 2 if said_again.refusal_reason(memory) else 3


def _taken_back(new: NewMemory, known: KnownMemories) -> Memory | None:
    """Return what the same rounds have borne before and a person has refused since: no verifier brings it back."""
    return next((each for each in _of_the_same_rounds(new, known) if _is_refused(each) and _bore(each, new)), None)


def _borne_by_the_same_words(proposal: Proposal, known: KnownMemories) -> Memory | None:
    """Return what the same rounds have borne before, in a run or remembered at once: from just these words, or from a
    part of them that the fact says again in other words. Another figure, denial or name is another fact, and so is what
    no longer holds by the verifier's word: the message may have been edited since, or have said both."""
    new = proposal.new
    borne = (each for each in _of_the_same_rounds(new, known) if each.id != proposal.replaces and _bore(each, new))
    return next((memory for memory in borne if _agree(memory, new)), None)


def _agree(memory: Memory, new: NewMemory) -> bool:
    quote = new.origin.quote or ""
    if quote and folded(quote) == folded(memory.origin.quote or ""):
        return similarity.agree(new.content, memory.content, quote)
    return similarity.agree(new.content, memory.content)


def _of_the_same_rounds(new: NewMemory, known: KnownMemories) -> list[Memory]:
    before = known.heard | known.undone
    return [
        memory
        for memory in known.memories
        if (memory.id in before or memory.origin.kind is OriginKind.USER) and is_read_again(new, memory)
    ]


def _is_refused(memory: Memory) -> bool:
    return bool(said_again.refusal_reason(memory))


def _bore(memory: Memory, new: NewMemory) -> bool:
    ours, theirs = folded(new.origin.quote or ""), folded(memory.origin.quote or "")
    if memory.archived_because is ArchivedBecause.UNDONE and ours and theirs and (ours in theirs or theirs in ours):
        return True
    return bool(ours and ours == theirs) or similarity.are_near(new.content, memory.content)


def _named_the_same(proposal: Proposal, known: KnownMemories) -> Memory | None:
    """The memory that the verifier calls the same, where figures, denials and names agree. One that waits has words of
    its own, for which nobody has spoken: these do not come alive by others."""
    memory = _memory(proposal.same, known)
    if memory is None or not similarity.agree(proposal.new.content, memory.content):
        return None
    is_to_live = proposal.new.state is State.LIVE and memory.state is State.CANDIDATE
    if is_to_live and (memory.id in known.undone or _stands_against(memory, _memory(memory.would_replace, known))):
        return memory
    return None if is_to_live and said_again.may_promote_itself(memory.held_because, proposal.new) else memory


def _is_told_already(new: NewMemory, memory: Memory) -> bool:
    """Tell whether the fact is a twin of what waits, or what a person has refused, in other words.

    A fact that may live is no twin: it would bring the words of the waiting one alive, for which nothing speaks."""
    waits_too = memory.state is State.CANDIDATE and new.state is State.CANDIDATE
    return (waits_too or bool(said_again.refusal_reason(memory))) and is_reworded(new, memory)


def is_reworded(new: NewMemory, memory: Memory) -> bool:
    """Tell whether both stand on the same words and say nearly the same, with the same figures, denials and names."""
    return (
        _stand_on_the_same(new, memory)
        and similarity.agree(new.content, memory.content)
        and similarity.share(new.content, memory.content) >= LEAST_SHARE
    )


def _stand_on_the_same(new: NewMemory, memory: Memory) -> bool:
    """Tell whether they have the same quote, of the same rounds one that holds the other. Where neither has one nobody
    typed them, and what may not live either way is told apart by what it says alone."""
    ours, theirs = folded(new.origin.quote or ""), folded(memory.origin.quote or "")
    if not ours and not theirs:
        return new.state is State.CANDIDATE
    if is_read_again(new, memory):
        return bool(ours and theirs) and (ours in theirs or theirs in ours)
    return ours == theirs


def kept_of_a_merge(memory: Memory, known: KnownMemories) -> Memory:
    """The memory that a person has merged this one into, and that one again; itself where nobody did."""
    there = {each.id: each for each in known.memories}
    merged = {_merged_into(change) for change in known.hand_changes}
    passed: set[int] = set()
    while (memory.id, memory.superseded_by) in merged and memory.id not in passed:
        passed.add(memory.id)
        if memory.archived_because is not ArchivedBecause.SUPERSEDED or memory.superseded_by not in there:
            break
        memory = there[memory.superseded_by]
    return memory


def _merged_into(change: Change) -> tuple[int, object] | None:
    is_merge = change.ref.kind == MEMORY and change.action == _MERGE
    return (change.ref.id, change.after.get("superseded_by")) if is_merge else None


# What becomes of a fact that a memory says already


def _said_already(proposal: Proposal, same: Memory, known: KnownMemories, *, is_heard: bool) -> Resolution:
    new = proposal.new
    is_new_evidence = not is_heard and same.id not in known.since
    again = said_again.said_again(same, new, is_new_evidence=is_new_evidence)
    if again.outcome is Added.DROPPED:
        return Resolution(known=same.id, reason=again.reason)
    again = replace(again, archives=said_again.with_last_successors(again.archives, same, known.memories))
    if is_heard and not _comes_alive(same, new, is_heard=is_heard):
        return _left_as_it_is(same)  # reading the same words once more changes nothing
    if is_heard:  # nor is what comes alive by it said twice
        again = replace(again, changes={name: value for name, value in again.changes.items() if name != "seen"})
    if again.outcome is Added.RESTORED and same.id in known.since:
        return _left_as_it_is(same)
    wanted = _memory(same.would_replace, known)
    wanted = wanted if wanted is not None and wanted.state is State.LIVE else None
    at_stake = [memory for memory in known.memories if memory.id in again.archives or memory is wanted]
    if any(is_no_newer(new, memory, known.since) for memory in at_stake):
        return _left_as_it_is(same)
    if again.changes.get("state", same.state) != State.LIVE:
        return Resolution(known=same.id, again=again)
    replaced = _named_as_replaced(proposal, known)
    is_late = replaced is not None and is_said_later(replaced, new, known.since)
    if replaced is not None and is_late and same.state is not State.LIVE:
        if again.outcome is not Added.PROMOTED:
            return _left_as_it_is(same)
        return Resolution(known=same.id, again=again, outdated_by=replaced.id)
    is_rival = replaced is not None and _is_rival(replaced, proposal, known)
    may_replace = new.state is State.LIVE and replaced is not None and not is_late and not is_rival
    if replaced is not None and may_replace and replaced.id not in (same.id, *again.archives):
        again = replace(again, archives=(*again.archives, replaced.id))
    bounded = _within_bounds(again, same, wanted, known)
    if bounded.changes.get("state", same.state) != State.LIVE:
        return Resolution(known=same.id, again=bounded)
    left = {*again.archives, *(each.id for each in (wanted, replaced if is_rival else None) if each is not None)}
    pairs = {
        **(_nominated(same, known, proposal.close) if new.state is State.LIVE else {}),
        **{
            memory.id: PairReason.OTHER_VALUE.value for memory in known.memories if memory.id in left and _lives(memory)
        },
    }
    undecided = _without(pairs, {same.id, *bounded.archives})
    return Resolution(known=same.id, again=bounded, undecided=undecided)


def _left_as_it_is(same: Memory) -> Resolution:
    if same.state is State.ARCHIVED and same.archived_because is not ArchivedBecause.WITHDRAWN:
        return Resolution(known=same.id, reason=said_again.archived_reason(same))
    if same.state is State.REJECTED:
        return Resolution(known=same.id, reason=said_again.EXPIRED)
    return Resolution(known=same.id, again=SaidAgain(Added.CONFIRMED, {}))


def _within_bounds(again: SaidAgain, same: Memory, wanted: Memory | None, known: KnownMemories) -> SaidAgain:
    """The change, limited to what a machine may do: it replaces nothing that is pinned or that a person made, and makes
    nothing live that would."""
    kept = [memory for memory in known.memories if memory.id in again.archives and _is_out_of_reach(memory)]
    if same.state is State.LIVE:
        out_of_reach = {memory.id for memory in kept}
        return replace(again, archives=tuple(each for each in again.archives if each not in out_of_reach))
    blockers = [*kept, *([wanted] if wanted is not None and _stands_against(same, wanted) else [])]
    if not blockers:
        return again
    held = {
        "held_because": held_for(blockers[0]).value,
        "would_replace": blockers[0].id,
        "state": State.CANDIDATE.value,
        **UNCONFIRMED,
    }
    outcome = Added.CONFIRMED if same.state is State.CANDIDATE else again.outcome
    fields = {name: value for name, value in again.changes.items() if name not in said_again.SOURCE}
    return SaidAgain(outcome, {**fields, **held})


def _stands_against(waiting_one: Memory, wanted: Memory | None) -> bool:
    """Tell whether it waits for a memory that is in its way still."""
    if wanted is None or not _is_out_of_reach(wanted):
        return False
    return wanted.pinned or _held_because(waiting_one) in _BY_OTHERS


def _held_because(memory: Memory) -> str | None:
    """Tell why it waits, or waited until it expired."""
    return said_again.held_before(memory) if said_again.is_expired(memory) else memory.held_because


def _comes_alive(same: Memory, new: NewMemory, *, is_heard: bool) -> bool:
    """Tell whether what waits comes alive by the fact: by the same words only what lacked an answer or a proof."""
    return _would_promote(same, new) and not (is_heard and _held_because(same) not in _LACKING)


def _would_promote(same: Memory, new: NewMemory) -> bool:
    """Tell whether saying it again would bring alive, from the same rounds, what a person has put back to wait."""
    return same.state is State.CANDIDATE and said_again.said_again(same, new).outcome is Added.PROMOTED


# What becomes of a fact that nothing says yet


def _stored(proposal: Proposal, known: KnownMemories) -> Resolution:
    new, named = proposal.new, _named_as_replaced(proposal, known)
    is_late = named is not None and is_said_later(named, new, known.since)
    if named is not None and is_late and new.state is State.LIVE:
        return Resolution(store=new, outdated_by=named.id)
    replaced = None if named is None or is_late or _is_rival(named, proposal, known) else named
    if replaced is not None and _is_out_of_reach(replaced) and new.state is State.LIVE:
        new = replace(new, state=State.CANDIDATE, held_because=held_for(replaced).value)
    if new.state is not State.LIVE and replaced is not None:
        new = replace(new, would_replace=replaced.id)
    gone = () if replaced is None or new.state is not State.LIVE else (replaced.id,)
    moot = _moot(proposal, known) if new.state is State.LIVE else ()
    undecided = _nominated(new, known, proposal.close)
    contradicted = _memory(proposal.same, known)
    if contradicted is not None and contradicted.state in _LISTED:
        undecided[contradicted.id] = PairReason.CONFLICT.value
    if named is not None:
        undecided[named.id] = PairReason.OTHER_VALUE.value
    decided = {*gone, *moot, *((new.would_replace,) if new.would_replace is not None else ())}
    return Resolution(store=new, supersedes=gone, moot=moot, undecided=_without(undecided, decided))


def _nominated(said: Memory | NewMemory, known: KnownMemories, close: Collection[int]) -> dict[int, str]:
    """Return what lives or waits and is near, and why a person is asked about it."""
    listed = [memory for memory in known.memories if memory.state in _LISTED]
    whys = {memory.id: similarity.why_a_pair(said, memory, are_close=memory.id in close) for memory in listed}
    return {memory_id: why for memory_id, why in whys.items() if why}


def _without(pairs: Mapping[int, str], decided: Collection[int]) -> tuple[tuple[int, str], ...]:
    return tuple((memory_id, why) for memory_id, why in pairs.items() if memory_id not in decided)


def _named_as_replaced(proposal: Proposal, known: KnownMemories) -> Memory | None:
    """The live memory that by the verifier's word no longer holds now that the fact does: the one that it names, or
    the last of those that have taken its place since."""
    named = _merged_name(proposal, known)
    memory = None if named is None else _memory(said_again.last_successor(named.id, known.memories), known)
    return memory if memory is not None and _lives(memory) else None


def _merged_name(proposal: Proposal, known: KnownMemories) -> Memory | None:
    memory = _memory(proposal.replaces, known)
    return None if memory is None else kept_of_a_merge(memory, known)


def _is_rival(replaced: Memory, proposal: Proposal, known: KnownMemories) -> bool:
    """Tell whether it is not what the verifier named, but what has taken that one's place by the same rounds as the
    fact: which of the two holds is for a person to say."""
    return replaced is not _merged_name(proposal, known) and is_read_again(proposal.new, replaced)


def _moot(proposal: Proposal, known: KnownMemories) -> tuple[int, ...]:
    """The waiting memories of which a fact that lives leaves nothing to decide: it says them, or what is true now."""
    named = [_memory(each, known) for each in (proposal.same, proposal.replaces)]
    return tuple(
        memory.id
        for memory in named
        if memory is not None
        and memory.state is State.CANDIDATE
        and not is_said_later(memory, proposal.new, known.since)
        and (memory.id == proposal.replaces or similarity.agree(proposal.new.content, memory.content))
    )


# Who may put aside whom, and which of two was said later


def held_for(blocker: Memory) -> Held:
    """Tell why a fact waits that would put this memory aside."""
    return Held.CONTRADICTS_PINNED if blocker.pinned else Held.KEPT_BY_HAND


def is_no_newer(new: NewMemory, successor: Memory, since: frozenset[int]) -> bool:
    """Tell whether the fact stands on words no later than those that have put another memory in its place."""
    if successor.id in since:
        return True
    if not _are_of_one_session(new, successor):
        return False
    rounds, others = new.origin.rounds, successor.origin.rounds
    return bool(rounds and others) and min(rounds) <= max(others)


def is_said_later(memory: Memory, new: NewMemory, since: frozenset[int]) -> bool:
    """Tell whether the memory stands on later words than the fact does: it is one of `since`, or its rounds tell so."""
    if memory.id in since:
        return True
    if not _are_of_one_session(new, memory) or not new.origin.rounds or not memory.origin.rounds:
        return False
    return min(memory.origin.rounds) > max(new.origin.rounds)


def is_read_again(new: NewMemory, known: Memory) -> bool:
    """Tell whether both come from the same rounds."""
    return _are_of_one_session(new, known) and not set(new.origin.rounds).isdisjoint(known.origin.rounds)


def _are_of_one_session(new: NewMemory, known: Memory) -> bool:
    return new.origin.session_id is not None and new.origin.session_id == known.origin.session_id


def _memory(memory_id: int | None, known: KnownMemories) -> Memory | None:
    return next((memory for memory in known.memories if memory.id == memory_id), None)


def _lives(memory: Memory) -> bool:
    return memory.state is State.LIVE


def _is_out_of_reach(memory: Memory) -> bool:
    """Tell whether a machine may only propose to put it aside."""
    return _lives(memory) and (memory.pinned or memory.confirmed_by is ConfirmedBy.HAND)


def _is_never_wanted(memory: Memory) -> bool:
    return memory.state is State.REJECTED and memory.held_because == said_again.NEVER
