"""One batch of episodes, read by the memory agent: asked, judged by what the episodes say, settled in one
transaction."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from pathlib import Path

from msgspec.structs import replace

from orca_core import prompts
from orca_core.domain.events import Consolidated
from orca_core.domain.learning import RunState
from orca_core.domain.messages import ChatMessage
from orca_core.domain.ports import Clock
from orca_core.domain.stores.knowledge import KnowledgeStore
from orca_core.domain.work.consolidating import Judged, KnowledgeBatch, Settled, Taught
from orca_core.flows.jobs.asking_again import understood
from orca_core.flows.jobs.extraction_prompt import Instructions
from orca_core.flows.jobs.memory_agent import MemoryAgent
from orca_core.flows.jobs.tries import Attempt
from orca_core.rules.consolidating import sources
from orca_core.rules.consolidating.material import material, prose
from orca_core.rules.consolidating.reading import MAX_POINTS, NothingTaught, read_knowledge
from orca_core.rules.text.languages import language_of
from orca_core.rules.working.texts import knowledge_text

JOB = "knowledge"
"""The name in the ledger."""
VOID = "an episode was changed or deleted meanwhile"


class KnowledgeWriter:
    """Carries out a claimed batch."""

    def __init__(self, knowledge: KnowledgeStore, agent: MemoryAgent, agents_folder: Path | None, clock: Clock) -> None:
        self._knowledge = knowledge
        self._agent = agent
        self._instructions = Instructions("knowledge_writer", agents_folder)
        self._clock = clock

    async def write(self, attempt: Attempt, batch: KnowledgeBatch) -> AsyncGenerator[Consolidated, None]:
        """Yields `running`, then how it ended. The try was counted at the claim, so any failure waits for its retry.
        Raises StorageError where the failure can not be written."""
        running = Consolidated("running", batch.run, batch.target, tuple(each.id for each in batch.episodes))
        outcome = running
        async with attempt:
            yield running
            outcome = await self._outcome(attempt, batch, running)
        if attempt.failed is not None:
            outcome = replace(running, error=attempt.error, next_at=attempt.next_at)
            outcome = replace(outcome, state="failed" if attempt.failed is RunState.FAILED else "unreadable")
        yield outcome

    async def _outcome(self, attempt: Attempt, batch: KnowledgeBatch, running: Consolidated) -> Consolidated:
        taught = await self._asked(attempt, batch)
        if taught is None:
            await attempt.fail(RunState.UNREADABLE, "the answer could not be read")
            return running
        judged = None if isinstance(taught, NothingTaught) else self._judged(batch, taught)
        settled = await self._knowledge.finish(batch, judged, attempt.ended(self._clock.now()))
        return _told(running, judged, settled)

    def _judged(self, batch: KnowledgeBatch, taught: Taught) -> Judged:
        reason, missing = sources.held_because(taught, (*batch.episodes, *batch.earlier), batch.known)
        text = knowledge_text(
            topic=taught.topic, content=taught.content, key_points=taught.key_points, target=batch.target
        )
        return Judged(taught, text, self._agent.name, reason, sources.lacking_facts(missing))

    async def _asked(self, attempt: Attempt, batch: KnowledgeBatch) -> Taught | NothingTaught | None:
        """What the agent says, which is asked once more where its answer can't be read. Fills the record."""
        language = language_of(prose(batch))
        instructions = prompts.fill(self._instructions.text(language), max_points=MAX_POINTS)
        messages = [ChatMessage("system", instructions), ChatMessage("user", material(batch))]
        problem = 'no object with "topic" and "content"'
        return await understood(
            self._agent, attempt, messages, read_knowledge, problem=problem, language=language, job=JOB
        )


def _told(running: Consolidated, judged: Judged | None, settled: Settled | None) -> Consolidated:
    if settled is None:
        return replace(running, state="none", error=VOID)
    if settled.knowledge is None or judged is None:
        return replace(running, state="none")
    made = settled.knowledge
    return replace(
        running,
        state="done",
        knowledge=made.id,
        version=made.version,
        held_because=made.held_because,
        lacking=tuple(each.content for each in judged.lacking),
    )
