"""Finds the known memories that a fact is judged and settled beside, and makes a proposal of a judged fact."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from orca_core.model.learning import Batch, KnownNote, Proposal, ProposedFact, Relation, VerifierAnswer
from orca_core.model.memories import Memory, NewMemory, Origin, OriginKind, State
from orca_core.model.recall import Which
from orca_core.rules.learning.fact_verifier import JudgedFact
from orca_core.rules.learning.similarity import is_close
from orca_core.rules.retrieval.ranking import FoundMemory
from orca_core.services.shared.search import MemorySearch

NOMINATED = 5
NAMED = 3
MAX_KNOWN = 15
MAX_KNOWN_CHARS = 500
MAX_ASKED_CHARS = 2000
"""How much one run nominates, names, shows and searches by. Chosen by hand."""


class NearMemories(Struct, frozen=True):
    """The known memories near to a fact, in any state, and those that are close to it by their vectors."""

    memories: Sequence[Memory] = ()
    close: frozenset[int] = frozenset()


async def near_text(search: MemorySearch, said: str) -> list[Memory]:
    """The memories nearest to a text, in any state, as many as one run is shown."""
    known: list[Memory] = []
    room = MAX_KNOWN_CHARS
    for each in (await search.look(said[:MAX_ASKED_CHARS], cached=False)).found[:MAX_KNOWN]:
        if len(each.memory.content) <= room:
            known.append(each.memory)
            room -= len(each.memory.content)
    return known


async def near_fact(search: MemorySearch, fact: ProposedFact, quote: str | None) -> NearMemories:
    """The known memories near to what a fact says, to what it names, and to the words that it stands on: these may name
    what the fact is instead of. First the nearest to what it names."""

    async def found(text: str, count: int) -> Sequence[FoundMemory]:
        # Most of these texts are never stored, and then may not stay in the cache.
        return (await search.look(text, which=Which.ALL, cached=False)).found[:count]

    named = [await found(each, NAMED) for each in (fact.replace, fact.retract) if each]
    said = await found(fact.content, NOMINATED)
    quoted = await found(quote, NAMED) if quote else []
    near = [each.memory for some in (*(each[:1] for each in named), said, *named, quoted) for each in some]
    close = frozenset(each.memory.id for each in said if is_close(each.evidence.cosine))
    return NearMemories(tuple({memory.id: memory for memory in near}.values()), close)


def proposal_of(judged: JudgedFact, batch: Batch, near: NearMemories, model: str) -> Proposal:
    """A judged fact as a memory that lives or waits, with its nearest."""
    fact, verdict = judged.fact, judged.verdict
    rounds = verdict.rounds or tuple(round_.number for round_ in batch.rounds)
    new = NewMemory(
        fact.content,
        fact.type,
        fact.tags,
        fact.confidence,
        origin=Origin(OriginKind.EXTRACTION, batch.session_id, rounds, verdict.quote, model),
        state=State.LIVE if verdict.held is None else State.CANDIDATE,
        held_because=verdict.held and verdict.held.value,
    )
    same, replaces = relations_of(judged.answer)
    named = [memory_id for memory_id in (same, replaces) if memory_id is not None]
    nominated = tuple(dict.fromkeys([*(memory.id for memory in near.memories), *named]))
    return Proposal(new, nominated, same, replaces, near.close)


def notes_among(near: Sequence[Memory]) -> tuple[KnownNote, ...]:
    """The memories that the verifier is shown beside a fact: a few, first those that live or wait."""
    standing = (State.LIVE, State.CANDIDATE)
    shown = sorted(near, key=lambda memory: memory.state not in standing)[:NOMINATED]
    return tuple(KnownNote(memory.id, memory.content) for memory in shown)


def relations_of(answer: VerifierAnswer | None) -> tuple[int | None, int | None]:
    """The memory that says a fact already, and the one that no longer holds. What the user does not say confirms none;
    which it would replace is shown to who decides."""
    if answer is None:
        return None, None
    return answer.names(Relation.SAME) if answer.says_so else None, answer.names(Relation.REPLACES)
