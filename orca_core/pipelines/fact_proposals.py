"""Turns the facts of a model into proposals that a store can settle: judged by what was typed, with the nearest
known memories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from orca_core.model.learning import Answer, Batch, Note, Proposal, ProposedFact, Relation
from orca_core.model.memories import Memory, NewMemory, Origin, OriginKind, State
from orca_core.model.recall import Which
from orca_core.operations.memories import MemoryStore
from orca_core.rules.learning.fact_extraction import testimony
from orca_core.rules.learning.fact_provenance import judge
from orca_core.rules.learning.fact_verifier import JudgedFact
from orca_core.rules.learning.resolve import in_order_said
from orca_core.rules.learning.similarity import is_close
from orca_core.rules.retrieval.ranking import Found
from orca_core.services.shared.search import MemorySearch

NOMINATED = 5
NAMED = 3
MAX_KNOWN = 15
MAX_KNOWN_CHARS = 500
MAX_ASKED_CHARS = 2000
"""How much one run nominates, names, shows and searches by. Chosen by hand."""


class Near(Struct, frozen=True):
    """The known memories near to a fact, in any state, and those that are close to it by their vectors."""

    memories: Sequence[Memory] = ()
    close: frozenset[int] = frozenset()


class Proposals:
    """Finds known memories: for a whole run before it, and near each fact after it."""

    def __init__(self, search: MemorySearch, memories: MemoryStore) -> None:
        self._search = search
        self._memories = memories

    async def memories(self, ids: Sequence[int]) -> list[Memory]:
        """Those of these memories that are there."""
        return await self._memories.get(ids, missing_ok=True)

    async def known(self, batch: Batch) -> list[Memory]:
        """The memories nearest to what was typed."""
        return await self.near("\n".join(text for _, text in testimony(batch.rounds).typed))

    def judged(self, batch: Batch, facts: Sequence[ProposedFact], known: Sequence[Memory]) -> list[JudgedFact]:
        """Each fact with what provenance makes of it. Names that live memories hold need not be typed."""
        said = testimony(batch.rounds)
        live = [memory.content for memory in known if memory.state is State.LIVE]
        return [JudgedFact(fact, judge(fact, said, live)) for fact in facts]

    async def nearest(self, fact: ProposedFact, quote: str | None) -> list[Memory]:
        """The known memories that are `near_to` a fact."""
        return list((await self.near_to(fact, quote)).memories)

    async def near_to(self, fact: ProposedFact, quote: str | None) -> Near:
        """The known memories near to what a fact says, to what it names, and to the words that it stands on: these may
        name what the fact is instead of. First the nearest to what it names."""
        # Most of these texts are never stored, and then may not stay in the cache.
        named = [await self._nearest(each, NAMED) for each in (fact.replace, fact.retract) if each]
        said = await self._nearest(fact.content, NOMINATED)
        quoted = await self._nearest(quote, NAMED) if quote else []
        found = [each.memory for some in (*(each[:1] for each in named), said, *named, quoted) for each in some]
        close = frozenset(each.memory.id for each in said if is_close(each.evidence.cosine))
        return Near(tuple({memory.id: memory for memory in found}.values()), close)

    async def proposals(
        self, batch: Batch, judged: Sequence[JudgedFact], near: Mapping[int, Near], model: str
    ) -> list[Proposal]:
        """Each fact as a memory that lives or waits, with its nearest, by its place; in the order in which they were
        said."""
        numbers = tuple(round_.number for round_ in batch.rounds)
        proposals = []
        for place, each in enumerate(judged):
            fact, verdict, answer = each.fact, each.verdict, each.answer
            new = NewMemory(
                fact.content,
                fact.type,
                fact.tags,
                fact.confidence,
                origin=Origin(OriginKind.EXTRACTION, batch.session_id, verdict.rounds or numbers, verdict.quote, model),
                state=State.LIVE if verdict.held is None else State.CANDIDATE,
                held_because=verdict.held and verdict.held.value,
            )
            same, replaces = relations_of(answer)
            named = [memory_id for memory_id in (same, replaces) if memory_id is not None]
            nominated = tuple(dict.fromkeys([*(memory.id for memory in near[place].memories), *named]))
            proposals.append(Proposal(new, nominated, same, replaces, near[place].close))
        return in_order_said(proposals)

    async def near(self, said: str) -> list[Memory]:
        """The memories nearest to a text, in any state, as many as one run is shown."""
        found = (await self._search.look(said[:MAX_ASKED_CHARS], cached=False)).found
        known: list[Memory] = []
        room = MAX_KNOWN_CHARS
        for each in found[:MAX_KNOWN]:
            if len(each.memory.content) <= room:
                known.append(each.memory)
                room -= len(each.memory.content)
        return known

    async def _nearest(self, text: str, count: int) -> Sequence[Found]:
        looked = await self._search.look(text, which=Which.ALL, cached=False)
        return looked.found[:count]


def notes_among(near: Sequence[Memory]) -> tuple[Note, ...]:
    """The memories that the verifier is shown beside a fact: a few, first those that live or wait."""
    standing = (State.LIVE, State.CANDIDATE)
    shown = sorted(near, key=lambda memory: memory.state not in standing)[:NOMINATED]
    return tuple(Note(memory.id, memory.content) for memory in shown)


def relations_of(answer: Answer | None) -> tuple[int | None, int | None]:
    """The memory that says a fact already, and the one that no longer holds. What the user does not say confirms none;
    which it would replace is shown to who decides."""
    if answer is None:
        return None, None
    return answer.names(Relation.SAME) if answer.says_so else None, answer.names(Relation.REPLACES)
