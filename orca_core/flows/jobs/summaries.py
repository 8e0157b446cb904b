"""Folding long conversations: the older rounds become a running summary, in the background."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import replace

from orca_core import prompts
from orca_core.domain.errors import BadModelReply
from orca_core.domain.events import Folded
from orca_core.domain.learning import AgentMessage, Batch, RunEnd, RunState
from orca_core.domain.messages import ChatMessage
from orca_core.domain.ports import Clock
from orca_core.domain.stores import DialogueStore
from orca_core.domain.stores.learning import Leadership, LearningQueue, SummaryStore
from orca_core.flows.jobs import claims
from orca_core.flows.jobs.extraction_prompt import language_in
from orca_core.flows.jobs.memory_agent import MemoryAgent
from orca_core.flows.shared.failures import cause
from orca_core.rules.learning import backlog, folding
from orca_core.rules.recalling import prompt
from orca_core.rules.text import tokens
from orca_core.settings import Settings


class Summaries:
    """The running summaries of sessions."""

    def __init__(
        self,
        summaries: SummaryStore,
        dialogues: DialogueStore,
        learning: LearningQueue,
        leadership: Leadership,
        agent: MemoryAgent,
        clock: Clock,
        settings: Settings,
    ) -> None:
        self._summaries = summaries
        self._dialogues = dialogues
        self._learning = learning
        self._leadership = leadership
        self._agent = agent
        self._clock = clock
        self._settings = settings

    @property
    def is_on(self) -> bool:
        agent = self._settings.memory_agent
        return agent.enabled and agent.summarize.enabled

    async def due(self) -> list[str]:
        """The sessions with a fold that failed or was cut short, and may be tried again. Raises StorageError."""
        return await self._summaries.due(self._clock.now())

    async def fold_due(self, session_id: str) -> AsyncGenerator[Folded, None]:
        """Fold until enough is folded; nothing where another Orca leads. Raises StorageError."""
        while (through := await self._through(session_id)) is not None:
            if not await self._leadership.acquire():
                return
            try:
                claim = self._summaries.claim(session_id, through, self._clock.now())
                batch = await claims.claimed(self._learning, claim)
                if batch is None:
                    return
                folded = await self._fold(batch)
            finally:
                await self._leadership.resign()
            yield folded
            if folded.error:
                return

    async def _through(self, session_id: str) -> int | None:
        _, covered = await self._summaries.summary(session_id)
        rounds = prompt.answered(await self._dialogues.rounds(session_id))
        behind = [each for each in rounds if each.number > covered]
        costs = [tokens.estimate_messages(prompt.spoken(each)) for each in behind]
        through = folding.fold_through(behind, costs, self._settings.memory_agent.summarize.trigger_tokens)
        if through is None and session_id in await self.due():
            return covered  # what failed has nothing left to fold: claiming nothing ends it
        return through

    async def _fold(self, batch: Batch) -> Folded:
        record: list[AgentMessage] = []
        folded = Folded(batch.run, batch.session_id, batch.rounds[-1].number)
        try:
            summary = await self._asked(batch, record)
            stands = await self._summaries.fold(batch, summary, RunEnd(self._clock.now(), tuple(record)))
        except Exception as error:  # noqa: BLE001  # whatever it is, it was counted, and is said
            now, told = self._clock.now(), cause(error)
            end = RunEnd(now, tuple(record))
            await self._learning.fail(batch, RunState.FAILED, told, backlog.next_try(batch.tries, now), end)
            return replace(folded, error=told)
        except BaseException:
            await claims.let_go(self._learning, batch)
            raise
        return folded if stands else replace(folded, error="a round was replaced or deleted meanwhile")

    async def _asked(self, batch: Batch, record: list[AgentMessage]) -> str:
        """The new summary. Raises ModelError or ConfigError. Fills the record."""
        language = language_in(batch.rounds)
        messages = [
            ChatMessage(
                "system", prompts.render(f"summarizer.{language}", max_words=folding.max_summary_words(language))
            ),
            ChatMessage(
                "user",
                prompts.fill(
                    prompts.builtin(f"summary_material.{language}"),
                    summary=batch.summary or "-",
                    dialogue=folding.material(batch.rounds),
                ),
            ),
        ]
        said = await self._agent.ask(messages, new=messages, as_json=False)
        record += said.record
        summary = folding.read_summary(said.text)
        if not summary:
            raise BadModelReply(provider=self._agent.name, template="{provider}: the summary was empty")
        return summary
