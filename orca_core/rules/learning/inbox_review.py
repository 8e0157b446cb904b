"""Judge candidates anew each time that the inbox is shown."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from orca_core.model.learning import KnownMemories, Proposal, ProposedFact
from orca_core.model.memories import Memory, NewMemory, OriginKind, State
from orca_core.model.operations import Change
from orca_core.model.views import CaseStanding, StaleReason
from orca_core.rules.learning.fact_provenance import Held, judge
from orca_core.rules.learning.resolve import settle
from orca_core.rules.learning.transcripts import Testimony
from orca_core.rules.memory.said_again import UNPROVEN
from orca_core.rules.memory.same_statements import statement_keys
from orca_core.rules.text.spelling import folded

BY_OTHERS = frozenset({Held.CONTRADICTS_PINNED, Held.KEPT_BY_HAND})
"""Reasons that rest on another memory, and go with it."""
BY_READING = frozenset({Held.UNREAD, Held.NOT_SAID, Held.ASK})
"""Reasons that only a verifier lifts, or a person."""


def current_standing(
    candidate: Memory, said: Testimony | None, known: KnownMemories, history: Sequence[Change]
) -> CaseStanding:
    """`said` is what its rounds say, None where they are gone; `known` holds what is near it and what it was to
    replace, `history` what happened to it and to that one."""
    others = tuple(memory for memory in known.memories if memory.id != candidate.id)
    target = next((memory for memory in others if memory.id == candidate.would_replace), None)
    held = _held_by_evidence(candidate, said, [memory.content for memory in others if memory.state is State.LIVE])
    replaced = target.id if target is not None and target.state is State.LIVE else None
    new = NewMemory(
        candidate.content,
        candidate.type,
        candidate.tags,
        candidate.confidence,
        origin=candidate.origin,
        state=State.LIVE if held is None else State.CANDIDATE,
        held_because=held,
    )
    settlement = settle(Proposal(new, replaces=replaced), KnownMemories(others, known.hand_changes))
    same = next((memory for memory in others if memory.id == settlement.known), None)
    if settlement.store is not None:
        held = settlement.store.held_because
    elif same is None:
        held = settlement.reason
    return CaseStanding(
        held_because=held,
        replaces=target.id if target is not None and _gives_way(target) else None,
        same=same,
        since=tuple(_since(candidate, target, history, said)),
    )


def same_that_lives(candidate: Memory, others: Sequence[Memory]) -> Memory | None:
    """The live memory that says what the candidate says."""
    found = live_that_say_the_same([candidate], others)
    return found[0] if found else None


def live_that_say_the_same(candidates: Sequence[Memory], others: Sequence[Memory]) -> list[Memory]:
    """The live memories that say what one of the candidates says."""
    asked = {memory.id for memory in candidates}
    wanted = {_statement(each.content) for each in candidates}
    return [
        memory
        for memory in others
        if memory.state is State.LIVE and memory.id not in asked and _statement(memory.content) in wanted
    ]


@lru_cache(maxsize=100_000)
def _statement(content: str) -> str:
    return statement_keys(content)[1]


def _held_by_evidence(candidate: Memory, said: Testimony | None, live: Sequence[str]) -> str | None:
    """Return what today's rules hold it for by its own words; what live memories name need not be typed.

    Rules alone release nothing that a verifier has not read: what they no longer hold is not verified yet."""
    written = candidate.held_because
    if candidate.origin.kind is not OriginKind.EXTRACTION:
        return written
    verdict = None
    if said is not None:
        quote = candidate.origin.quote or ""
        fact = ProposedFact(candidate.content, candidate.type, candidate.tags, candidate.confidence, quote)
        verdict = judge(fact, said, live)
        if verdict.held is not None:
            lacks_days_alone = written == UNPROVEN and verdict.held is Held.NOT_TYPED
            return written if lacks_days_alone else verdict.held.value
    is_typed = verdict is not None and verdict.quote is not None
    if written in BY_OTHERS:
        return None if is_typed else Held.UNREAD.value
    if written == UNPROVEN:
        return None if is_typed else written
    return Held.UNREAD.value if is_typed and written not in BY_READING else written


def _gives_way(target: Memory) -> bool:
    return target.state is State.LIVE and not target.pinned


def _since(
    candidate: Memory, target: Memory | None, history: Sequence[Change], said: Testimony | None
) -> list[StaleReason]:
    since = []
    if candidate.origin.kind is OriginKind.EXTRACTION and said is None:
        since.append(StaleReason.ROUNDS_GONE)
    if candidate.origin.quote and said is not None and not _stands_in(candidate.origin.quote, said):
        since.append(StaleReason.QUOTE_GONE)
    if target is None:
        if _named_a_target(candidate, history):
            since.append(StaleReason.TARGET_GONE)
    elif target.state is not State.LIVE:
        since.append(StaleReason.TARGET_ARCHIVED)
    elif target.pinned and candidate.held_because != Held.CONTRADICTS_PINNED:
        since.append(StaleReason.TARGET_PINNED)
    elif any(_was_reworded(change, target, candidate) for change in history):
        since.append(StaleReason.TARGET_CHANGED)
    return since


def _stands_in(quote: str, said: Testimony) -> bool:
    texts = [*(text for _, text in said.typed), *said.untrusted, *said.assistant]
    return any(folded(quote) in folded(text) for text in texts)


def _named_a_target(candidate: Memory, history: Sequence[Change]) -> bool:
    """Tell whether what it was to replace has been deleted: a delete takes the number away, and writes no history."""
    of_its_own = [change for change in history if change.ref.id == candidate.id and "would_replace" in change.after]
    return bool(of_its_own) and of_its_own[-1].after["would_replace"] is not None


def _was_reworded(change: Change, target: Memory, candidate: Memory) -> bool:
    is_of_target = change.ref.id == target.id and change.before is not None
    return is_of_target and "content" in change.after and change.at > candidate.created_at
