"""What is believed of what acts are said to show: by who typed what, and by the verifier."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Literal

from msgspec import Struct

from orca_core.jobs.proposals import Proposals, notes_among, relations_of
from orca_core.jobs.tries import Attempt
from orca_core.jobs.verifier import Verifier
from orca_core.model.feedback import ActBatch, PreferencesRead, Shown
from orca_core.model.learning import DroppedFact, Subject
from orca_core.model.memories import Memory, MemoryType, State
from orca_core.model.views import MemoryQuery, MemorySort, StatusCriteria
from orca_core.rules.feedback import material, provenance, told
from orca_core.rules.feedback.provenance import JudgedPreference
from orca_core.rules.learning import resolution, verifying
from orca_core.rules.learning.provenance.sources import verified_quote
from orca_core.rules.text.languages import language_of
from orca_core.store.protocols import MemoryStore

WISHES = MemoryQuery(
    StatusCriteria((State.CANDIDATE,)), (MemoryType.PREFERENCE,), sort=MemorySort.NEW, counted=False, limit=15
)
"""The preferences that wait, as many as one call is shown. Chosen by hand."""


class Judged(Struct, frozen=True):
    """What acts show, and what was left out; of a candidate whether it lives, None where nobody answered."""

    shown: tuple[Shown, ...] = ()
    dropped: tuple[DroppedFact, ...] = ()
    lives: bool | None = None


class FeedbackJudge:
    """Judges the answers about acts, and the candidates that are to go live by them."""

    settle = staticmethod(resolution.settle)
    """The rule by which what is believed comes into the store."""

    def __init__(
        self,
        memories: MemoryStore,
        proposals: Proposals,
        verifier: Verifier,
        model: str,
        verify: Literal["model", "off", "ask"],
    ) -> None:
        self._memories = memories
        self._proposals = proposals
        self._verifier = verifier
        self._model = model
        self._verify = verify
        self._known: tuple[ActBatch, list[Memory]] | None = None

    async def known(self, batch: ActBatch) -> list[Memory]:
        """The memories nearest to what the user said, and the newest wishes that wait: an act may show one of these
        whatever it is about. Of one batch they stay the same."""
        if self._known is None or self._known[0] is not batch:
            self._known = batch, await self._looked_up(batch)
        return self._known[1]

    async def _looked_up(self, batch: ActBatch) -> list[Memory]:
        there = told.told_in(batch)
        said = "\n".join((*there.own, *there.tools))
        near = await self._proposals.near(said) if said.strip() else []
        page = await self._memories.page(WISHES)
        return list({each.id: each for each in (*near, *page.memories)}.values())

    async def judged(self, attempt: Attempt, batch: ActBatch, found: PreferencesRead) -> Judged:
        """Each as a memory that lives or waits, with the known memories that are near it and the act that shows it."""
        live = [each.content for each in await self.known(batch) if each.state is State.LIVE]
        judged = [provenance.judged(each, batch, live) for each in found.preferences]
        near = [await self._proposals.nearest(each.judged.fact, each.judged.verdict.quote) for each in judged]
        stated = await self._stated(attempt, batch, judged, near)
        shown = []
        for each, there in zip(stated, near, strict=True):
            same, replaces = relations_of(each.judged.answer)
            ids = [memory.id for memory in there]
            shown.append(provenance.shown(each, batch, ids, same, replaces, self._model))
        return Judged(tuple(provenance.shown_together(shown)), found.dropped)

    async def verified(self, attempt: Attempt, batch: ActBatch) -> Judged:
        """Whether the latest acts let a candidate live; without a verifier its supports do."""
        assert batch.candidate is not None
        memory = batch.candidate.memory
        attempt.shown.append(memory.id)
        if self._verify != "model":
            return Judged(lives=True)
        question, language = material.to_verify(batch), language_of(memory.content)
        answers = await self._verifier.ask(attempt, Subject.FEEDBACK, question, language, 1)
        return Judged(lives=answers[1].says_so if 1 in answers else None)

    async def _stated(
        self,
        attempt: Attempt,
        batch: ActBatch,
        judged: Sequence[JudgedPreference],
        near: Sequence[Sequence[Memory]],
    ) -> list[JudgedPreference]:
        """Those that the user is said to state in a query, and that provenance lets pass, live by the verifier's word,
        or wait for it; it is shown the known memories nearest to each."""
        places = [place for place, each in enumerate(judged) if each.held is None]
        read = list(judged)
        if self._verify != "model":
            left = verifying.unverified if self._verify == "off" else verifying.left_to_a_person
            for place in places:
                read[place] = provenance.as_it_is(judged[place], left(judged[place].judged))
            return read
        asked = [verifying.statement_of(judged[place].judged, notes_among(near[place])) for place in places]
        attempt.shown += [note.id for note in verifying.notes_of(asked)]
        answers = await self._verifier.verify(attempt, Subject.FACTS, told.asked_in(batch), asked)
        for number, place in enumerate(places, start=1):
            said = provenance.said_in(batch, judged[place].action)
            quoted = partial(verified_quote, said=said)
            by_now = verifying.verified(judged[place].judged, answers.get(number), quoted)
            read[place] = provenance.as_it_is(judged[place], by_now)
        return read
