"""What a person is shown to decide about a candidate: it is judged anew each time, against the present."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from orca_core.model.learning import KnownMemories
from orca_core.model.memories import Memory, Nearness, State
from orca_core.model.operations import Actor
from orca_core.model.recall import Which
from orca_core.model.sessions import Round
from orca_core.model.views import CaseStanding, InboxCase, MemoryQuery, MemorySort, StaleReason, StatusCriteria
from orca_core.operations.stores import Stores
from orca_core.rules.learning import inbox_review, typed_sources
from orca_core.rules.learning.transcripts import testimony
from orca_core.rules.memory.memory_curation import SaysTheSame
from orca_core.rules.retrieval.relevance_floors import FLOORS, is_relevant, nearness_of
from orca_core.services.shared.search import MemorySearch
from orca_core.services.shared.views import Views

COMPARED = 5
"""With how many of the memories nearest to it a candidate is compared. Chosen by hand, as for what is learnt."""
_SHOWN = (State.LIVE, State.CANDIDATE)


class Cases:
    """Reads all that there is about a candidate, and writes nothing."""

    def __init__(
        self,
        stores: Stores,
        search: MemorySearch,
        views: Views,
    ) -> None:
        self._memories = stores.memories
        self._dialogues = stores.sessions
        self._history = stores.history
        self._search = search
        self._views = views

    async def case(self, memory_id: int) -> InboxCase:
        """A memory as it is now, with what a decision about it needs. Raises NotFound."""
        [memory] = await self._memories.get([memory_id])
        rounds = await self._rounds_of(memory)
        near, relevant, figures = await self._near(memory)
        standing = await self._standing(memory, rounds, near) if memory.state is State.CANDIDATE else CaseStanding()
        shown = [standing.same, *(each for each in near if each.id == memory.would_replace), *relevant]
        nearest = next((each for each in shown if each is not None and each.state in _SHOWN), None)
        view = self._views(typed_sources.with_typed_quote(memory, rounds))
        if nearest is None:
            return InboxCase(view, rounds, None, standing)
        return InboxCase(view, rounds, self._views(nearest), standing, figures.get(nearest.id))

    async def with_typed_quotes(self, memories: Sequence[Memory]) -> list[Memory]:
        """The memories, each with its quote where that was typed in the rounds that it came from."""
        sessions = dict.fromkeys(each.origin.session_id for each in memories if each.origin.quote)
        said = {each: await self._dialogues.rounds(each) for each in sessions if each is not None}
        return [
            typed_sources.with_typed_quote(each, _rounds_among(said.get(each.origin.session_id or "", ()), each))
            for each in memories
        ]

    async def deleted(self, candidates: Sequence[Memory]) -> list[int]:
        """The candidates that say what was deleted, and what nobody has said again since."""
        deleted = await self._history.deleted([each.content for each in candidates])
        return [each.id for each in candidates if each.content in deleted and not await self.same([each])]

    @property
    def same_that_lives(self) -> SaysTheSame:
        """The rule, for a transaction."""
        return inbox_review.same_that_lives

    async def same(self, candidates: Sequence[Memory]) -> list[int]:
        """The live memories that say what one of the candidates says."""
        found = [inbox_review.same_that_lives(each, (await self._near(each))[0]) for each in candidates]
        return [memory.id for memory in found if memory is not None]

    async def same_of_many(self, candidates: Sequence[Memory]) -> list[int]:
        """All live memories that say what one of the candidates says; looked for once, where these are many."""
        query = MemoryQuery(StatusCriteria((State.LIVE,)), sort=MemorySort.ID, counted=False)
        live = (await self._memories.page(query)).records
        found = inbox_review.live_that_say_the_same(candidates, live)
        return [memory.id for memory in found]

    async def _standing(self, candidate: Memory, rounds: Sequence[Round], near: Sequence[Memory]) -> CaseStanding:
        history = [change for each in [candidate, *near] for change in await self._memories.history(each.id)]
        by_hand = tuple(change for change in history if change.actor is Actor.USER)
        said = testimony(rounds) if rounds else None
        standing = inbox_review.current_standing(candidate, said, KnownMemories(tuple(near), by_hand), history)
        is_deleted = bool(await self.deleted([candidate]))
        return replace(standing, since=(StaleReason.DELETED, *standing.since)) if is_deleted else standing

    async def _rounds_of(self, memory: Memory) -> tuple[Round, ...]:
        """The rounds that it came from, as far as they are there."""
        if memory.origin.session_id is None:
            return ()
        return _rounds_among(await self._dialogues.rounds(memory.origin.session_id), memory)

    async def _near(self, memory: Memory) -> tuple[list[Memory], list[Memory], dict[int, Nearness]]:
        """What it is compared with, nearest first, with what it was to replace; those of them that are near; and how
        near each is."""
        looked = await self._search.look(memory.content, which=Which.ALL)
        embedding = looked.query.embedding
        others = [each for each in looked.found if each.memory.id != memory.id][:COMPARED]
        relevant = [each.memory for each in others if is_relevant(each.evidence, embedding, FLOORS.alike)]
        near = [each.memory for each in others]
        if memory.would_replace is not None and all(each.id != memory.would_replace for each in near):
            near += await self._memories.get([memory.would_replace], missing_ok=True)
        return near, relevant, {each.memory.id: nearness_of(each.evidence, embedding) for each in others}


def _rounds_among(rounds: Sequence[Round], memory: Memory) -> tuple[Round, ...]:
    return tuple(each for each in rounds if each.number in memory.origin.rounds)
