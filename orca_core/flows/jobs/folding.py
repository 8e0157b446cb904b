"""Folds long conversations: older rounds become a running summary, in the background."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from datetime import datetime
from pathlib import Path
from typing import ClassVar

from msgspec.structs import replace

from orca_core import prompts
from orca_core.domain.errors import BadModelReply
from orca_core.domain.events import Extraction, Folded
from orca_core.domain.learning import AgentMessage, Batch
from orca_core.domain.messages import ChatMessage
from orca_core.domain.ports import Clock
from orca_core.domain.stores.learning import LearningQueue, SummaryStore
from orca_core.domain.stores.talk import DialogueStore
from orca_core.flows.jobs.extraction_prompt import Instructions, language_in
from orca_core.flows.jobs.job import Job, JobEvent, News, RoundRecorded
from orca_core.flows.jobs.memory_agent import MemoryAgent
from orca_core.flows.jobs.tries import Attempt, claimed
from orca_core.rules.learning.agent import folding
from orca_core.rules.recalling.prompting import prompt
from orca_core.rules.text import tokens
from orca_core.settings import MemoryAgentSettings


class Folding(Job):
    """Keeps the running summaries of sessions."""

    name: ClassVar[str] = "folding"
    needs_lead: ClassVar[bool] = True
    asks_agent: ClassVar[bool] = True

    def __init__(
        self,
        summaries: SummaryStore,
        dialogues: DialogueStore,
        learning: LearningQueue,
        agent: MemoryAgent,
        agents_folder: Path | None,
        clock: Clock,
        settings: MemoryAgentSettings,
    ) -> None:
        self._summaries = summaries
        self._dialogues = dialogues
        self._learning = learning
        self._agent = agent
        self._instructions = Instructions("summarizer", agents_folder)
        self._clock = clock
        self._settings = settings
        self._to_fold: set[str] = set()

    @property
    def is_on(self) -> bool:
        return self._settings.enabled and self._settings.summarize.enabled

    def hear(self, news: News) -> None:
        if isinstance(news, RoundRecorded):
            self._to_fold.add(news.session_id)

    async def work(self) -> AsyncGenerator[JobEvent, None]:
        """Sessions with new rounds, and those with a fold that failed or was cut short and may be retried."""
        self._to_fold.update(await self._summaries.due(self._clock.now()))
        while self._to_fold:
            session_id = self._to_fold.pop()
            try:
                async with aclosing(self._fold_session(session_id)) as folds:
                    async for folded in folds:
                        yield folded
            except BaseException:
                self._to_fold.add(session_id)
                raise

    async def next_at(self) -> datetime | None:
        return (await self._learning.queue()).next_at

    def broke(self, error: str, next_at: datetime) -> JobEvent | None:
        return Extraction("failed", 0, error=error, next_at=next_at)

    async def _fold_session(self, session_id: str) -> AsyncGenerator[Folded, None]:
        """Fold until the session is short enough."""
        while (through := await self._through(session_id)) is not None:
            claim = self._summaries.claim(session_id, through, self._clock.now())
            batch = await claimed(self._learning, claim)
            if batch is None:
                return
            folded = await self._fold(batch)
            yield folded
            if folded.error:
                return

    async def _through(self, session_id: str) -> int | None:
        _, covered = await self._summaries.summary(session_id)
        behind = prompt.answered(await self._dialogues.rounds(session_id, after=covered))
        costs = [tokens.estimate_messages(prompt.spoken(each)) for each in behind]
        through = folding.fold_through(behind, costs, self._settings.summarize.trigger_tokens)
        if through is None and session_id in await self._summaries.due(self._clock.now()):
            return covered  # a failed fold with nothing left to fold: an empty claim ends it
        return through

    async def _fold(self, batch: Batch) -> Folded:
        folded = Folded(batch.run, batch.session_id, batch.rounds[-1].number)
        async with Attempt(batch, self._learning, self._clock) as attempt:
            summary = await self._asked(batch, attempt.record)
            if not await self._summaries.fold(batch, summary, attempt.ended(self._clock.now())):
                return replace(folded, error="a round was replaced or deleted meanwhile")
        return replace(folded, error=attempt.error)

    async def _asked(self, batch: Batch, record: list[AgentMessage]) -> str:
        """The new summary. Raises ModelError or ConfigError. Fills the record."""
        language = language_in(batch.rounds)
        messages = [
            ChatMessage(
                "system",
                prompts.fill(self._instructions.text(language), max_words=folding.max_summary_words(language)),
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
        said = await self._agent.ask(messages, new=messages, as_json=False, job=self.name)
        record += said.record
        summary = folding.read_summary(said.text)
        if not summary:
            raise BadModelReply(provider=self._agent.name, template="{provider}: the summary was empty")
        return summary
