"""The calls of one tool, read by the memory agent: asked, judged by what the calls say, read a second time, written in
one transaction."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from pathlib import Path

from msgspec.structs import replace

from orca_core import prompts
from orca_core.domain.events import GuideMade
from orca_core.domain.growth.tools import GuideBatch, GuideWritten, JudgedGuide
from orca_core.domain.learning import RunState
from orca_core.domain.messages import ChatMessage
from orca_core.domain.ports import Clock
from orca_core.domain.stores.growth import GuideStore
from orca_core.flows.jobs import guide_trust
from orca_core.flows.jobs.asking_again import understood
from orca_core.flows.jobs.extraction_prompt import Instructions
from orca_core.flows.jobs.memory_agent import MemoryAgent
from orca_core.flows.jobs.second_reader import SecondReader
from orca_core.flows.jobs.tries import Attempt
from orca_core.rules.text.languages import language_of
from orca_core.rules.tooling.material import material, prose
from orca_core.rules.tooling.reading import MOST_WORDS, read_guide
from orca_core.rules.tooling.trust import Fault

JOB = "guides"
"""The name in the ledger."""
VOID = "a call or a guide changed meanwhile"


class GuideWriter:
    """Carries out a claimed batch."""

    def __init__(
        self,
        guides: GuideStore,
        agent: MemoryAgent,
        second_reader: SecondReader,
        agents_folder: Path | None,
        clock: Clock,
    ) -> None:
        self._guides = guides
        self._agent = agent
        self._second_reader = second_reader
        self._instructions = Instructions("guide_writer", agents_folder)
        self._clock = clock

    async def write(self, attempt: Attempt, batch: GuideBatch) -> AsyncGenerator[GuideMade, None]:
        """Yields `running`, then how it ended. The try was counted at the claim, so any failure waits for its retry.
        Raises StorageError where the failure can not be written."""
        running = GuideMade("running", batch.run, batch.tool, len(batch.calls))
        outcome = running
        async with attempt:
            yield running
            outcome = await self._outcome(attempt, batch, running)
        if attempt.failed is not None:
            outcome = replace(running, error=attempt.error, next_at=attempt.next_at)
            outcome = replace(outcome, state="failed" if attempt.failed is RunState.FAILED else "unreadable")
        yield outcome

    async def _outcome(self, attempt: Attempt, batch: GuideBatch, running: GuideMade) -> GuideMade:
        text = await self._asked(attempt, batch)
        if text is None:
            await attempt.fail(RunState.UNREADABLE, "the answer could not be read")
            return running
        fault, lacking = await guide_trust.judged(self._second_reader, attempt, batch, text) if text else (None, ())
        is_kept = bool(text) and fault is not Fault.SECRET
        judged = JudgedGuide(text, self._agent.name, fault, lacking) if is_kept else None
        if fault is Fault.SECRET:
            attempt.record.clear()  # what was said would keep it all the same
        written = await self._guides.finish(batch, judged, attempt.ended(self._clock.now()))
        second = attempt.second_reading
        return _told(replace(running, held_because=fault, lacking=lacking, second_reading=second), written)

    async def _asked(self, attempt: Attempt, batch: GuideBatch) -> str | None:
        """What the agent says of the tool; empty where the calls teach nothing."""
        language = language_of(prose(batch))
        instructions = prompts.fill(self._instructions.text(language), max_words=MOST_WORDS)
        messages = [ChatMessage("system", instructions), ChatMessage("user", material(batch))]
        problem = 'no object with a text "guide"'
        return await understood(self._agent, attempt, messages, read_guide, problem=problem, language=language, job=JOB)


def _told(running: GuideMade, written: GuideWritten | None) -> GuideMade:
    if written is None:
        return replace(running, state="none", held_because=None, lacking=(), error=VOID)
    if written.guide is None:
        return replace(running, state="none")
    return replace(running, state="done", guide=written.guide.id, version=written.guide.version)
