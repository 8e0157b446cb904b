"""One candidate, read by the memory agent against the latest acts: asked, decided by rule, settled at once."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping

from msgspec.structs import replace

from orca_core.domain.events import Contrasted, Promoted
from orca_core.domain.growth.contrast import ContrastBatch, Shows
from orca_core.domain.growth.reading import Promotion
from orca_core.domain.growth.supports import Contrast
from orca_core.domain.learning import RunState
from orca_core.domain.ports import Clock
from orca_core.domain.stores.growth import ContrastStore
from orca_core.flows.jobs.second_reader import Question, SecondReader
from orca_core.flows.jobs.tries import Attempt
from orca_core.rules.growing import contrast as rule
from orca_core.rules.text.languages import language_of

VOID = "what it stands on changed meanwhile"


class ContrastReader:
    """Carries out a claimed batch."""

    def __init__(self, contrasts: ContrastStore, reader: SecondReader, clock: Clock, min_support: int) -> None:
        self._contrasts = contrasts
        self._reader = reader
        self._clock = clock
        self._min_support = min_support

    async def read(self, attempt: Attempt, batch: ContrastBatch) -> AsyncGenerator[Contrasted | Promoted, None]:
        """Yields `running`, then how it ended, then that it went live, if it did. The try was counted at the claim, so
        any failure waits for its retry. Raises StorageError where the failure can not be written."""
        assert batch.candidate is not None
        memory = batch.candidate.memory
        running = Contrasted("running", batch.run, memory.id, memory.content, len(batch.acts))
        outcome = running
        async with attempt:
            yield running
            outcome = await self._outcome(attempt, batch, running)
        if attempt.failed is not None:
            outcome = replace(running, error=attempt.error, next_at=attempt.next_at)
            outcome = replace(outcome, state="failed" if attempt.failed is RunState.FAILED else "unreadable")
        yield outcome
        if outcome.contrast is not None and outcome.contrast.lives:
            yield Promoted(memory.id, memory.content, outcome.operation)

    async def _outcome(self, attempt: Attempt, batch: ContrastBatch, running: Contrasted) -> Contrasted:
        assert batch.candidate is not None
        memory = batch.candidate.memory
        attempt.shown.append(memory.id)
        answers = await self._answers(attempt, batch)
        if answers is None:
            await attempt.fail(RunState.UNREADABLE, "the answer could not be read")
            return running
        contrast = rule.decided(batch, answers, min_support=self._min_support)
        settled = await self._contrasts.finish(batch, contrast, attempt.ended(self._clock.now()))
        return _told(running, contrast, settled)

    async def _answers(self, attempt: Attempt, batch: ContrastBatch) -> Mapping[int, Shows] | None:
        """What each act shows; nobody is asked where there is none to be shown."""
        assert batch.candidate is not None
        if not batch.acts:
            return {}
        question = Question(rule.material(batch), language_of(batch.candidate.memory.content))
        return rule.read_shows(await self._reader.said(attempt, question), len(batch.acts))


def _told(running: Contrasted, contrast: Contrast, settled: Promotion | None) -> Contrasted:
    if settled is None:
        return replace(running, state="none", error=VOID)
    return replace(running, state="done", contrast=contrast, operation=settled.operation)
