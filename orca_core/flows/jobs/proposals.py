"""Turns the facts of a model into proposals that a store can settle: judged by what was typed, with the nearest
known memories."""

from __future__ import annotations

from collections.abc import Sequence

from orca_core.domain.learning import Batch, ProposedFact
from orca_core.domain.memories import CuesBy, Memory, NewMemory, Origin, OriginKind, State
from orca_core.domain.settling import Proposal
from orca_core.flows.shared.search import MemorySearch
from orca_core.rules.learning.agent.transcripts import testimony
from orca_core.rules.learning.resolution import in_order_said
from orca_core.rules.learning.trust import verdicts
from orca_core.rules.learning.trust.second_reading import JudgedFact

NOMINATED = 5
NAMED = 3
MAX_KNOWN = 15
MAX_KNOWN_CHARS = 500
MAX_ASKED_CHARS = 2000
"""How much one run nominates, names, shows and searches by. Chosen by hand."""


class Proposals:
    """Finds known memories: for a whole run before it, and near each fact after it."""

    def __init__(self, search: MemorySearch) -> None:
        self._search = search

    async def known(self, batch: Batch) -> list[Memory]:
        """The memories nearest to what was typed."""
        return await self.near("\n".join(text for _, text in testimony(batch.rounds).typed))

    def judged(self, batch: Batch, facts: Sequence[ProposedFact], known: Sequence[Memory]) -> list[JudgedFact]:
        """Each fact with whether it may live, by what was typed. Names that live memories hold need not be typed."""
        said = testimony(batch.rounds)
        live = [memory.content for memory in known if memory.state is State.LIVE]
        return [JudgedFact(each, verdict) for fact in facts for each, verdict in verdicts.judged(fact, said, live)]

    async def proposals(self, batch: Batch, judged: Sequence[JudgedFact], model: str) -> list[Proposal]:
        """Each fact as a memory that lives or waits, with its nearest; in the order in which they were said."""
        numbers = tuple(round_.number for round_ in batch.rounds)
        proposals = []
        for each in judged:
            fact, verdict = each.fact, each.verdict
            new = NewMemory(
                fact.content,
                fact.type,
                fact.tags,
                fact.confidence,
                origin=Origin(OriginKind.EXTRACTION, batch.session_id, verdict.rounds or numbers, verdict.quote, model),
                state=State.LIVE if verdict.held is None else State.CANDIDATE,
                held_because=verdict.held and verdict.held.value,
                cues=fact.cues,
                cues_by=CuesBy.AGENT if fact.cues else None,
            )
            nominated = await self.nominated(fact, verdict.quote or "")
            proposals.append(Proposal(new, nominated, fact.replace, fact.retract, fact.is_bare, each.is_unread))
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

    async def nominated(self, fact: ProposedFact, quote: str) -> tuple[int, ...]:
        """The known memories near to what a fact says, to what it names, and to the words that it stands on: these may
        name what the fact is instead of."""
        # Most of these texts are never stored, and then may not stay in the cache.
        found = await self._search.nearest(fact.content, NOMINATED, cached=False)
        for named in (fact.replace, fact.retract, quote):
            if named:
                found += await self._search.nearest(named, NAMED, cached=False)
        return tuple(dict.fromkeys(found))
