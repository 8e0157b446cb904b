"""Running summaries: the older rounds of a long conversation are folded into one."""

from __future__ import annotations

from msgspec.structs import replace

from orca_core import prompts
from orca_core.jobs.job import News, RoundRecorded
from orca_core.model.errors import BadModelReply
from orca_core.model.events import Extraction, SummaryFolded
from orca_core.model.learning import Batch, RunKind
from orca_core.pipelines.attempt import Attempt
from orca_core.pipelines.memory_agent import language_in
from orca_core.pipelines.pipeline import VOID, Material, Means, Pass, Pipeline
from orca_core.rules.learning import transcripts
from orca_core.rules.retrieval import prompt_assembly
from orca_core.rules.text import token_count


class SummaryPipeline(Pipeline[Batch, str, str, SummaryFolded]):
    """Sessions with new rounds, and those with a fold that failed or was cut short, are folded until each is short
    enough."""

    name = "folding"
    kind = RunKind.SUMMARIZE
    prompt = "summarizer"
    event = Extraction
    tells_beginning = False

    def __init__(self, means: Means) -> None:
        super().__init__(means)
        self._summaries, self._dialogues = means.stores.learning, means.stores.sessions
        self._agent_settings = means.settings.memory_agent
        self._to_fold: dict[str, None] = {}

    @property
    def is_on(self) -> bool:
        return self._agent_settings.enabled and self._agent_settings.summarize.enabled

    def hear(self, news: News) -> None:
        if isinstance(news, RoundRecorded):
            self._to_fold[news.session_id] = None

    async def due(self, so_far: Pass[Batch]) -> Batch | None:
        if so_far.last is None:
            self._to_fold.update(dict.fromkeys(await self._summaries.folds_due(self.clock.now())))
        while self._to_fold:
            session_id = next(iter(self._to_fold))
            through = await self._through(session_id)
            if through is not None:
                batch = await self._summaries.claim_fold(session_id, through, self.clock.now())
                if batch is not None:
                    return batch
            self._to_fold.pop(session_id, None)
        return None

    async def _through(self, session_id: str) -> int | None:
        _, covered = await self._summaries.summary(session_id)
        behind = prompt_assembly.answered_rounds(await self._dialogues.rounds(session_id, after=covered))
        costs = [token_count.estimate_messages(prompt_assembly.round_messages(each)) for each in behind]
        through = transcripts.fold_through(behind, costs, self._agent_settings.summarize.trigger_tokens)
        if through is None and session_id in await self._summaries.folds_due(self.clock.now()):
            return covered  # a failed fold with nothing left to fold: an empty claim ends it
        return through

    async def material(self, batch: Batch) -> Material:
        language = language_in(batch.rounds)
        text = prompts.fill(
            prompts.builtin(f"summary_material.{language}"),
            summary=batch.summary or "-",
            dialogue=transcripts.fold_material(batch.rounds),
        )
        return Material(text, language, {"max_words": transcripts.max_summary_words(language)})

    def read(self, answer: str) -> str | None:
        summary = transcripts.read_summary(answer)
        if not summary:
            raise BadModelReply(provider=self.agent.name, template="{provider}: the summary was empty")
        return summary

    async def judge(self, attempt: Attempt, batch: Batch, answer: str) -> str:
        """A summary is shown to the model as what was said before, and nothing is learnt of it."""
        return answer

    async def settle(self, attempt: Attempt, batch: Batch, judged: str, running: SummaryFolded) -> SummaryFolded:
        is_folded = await self._summaries.fold(batch, judged, attempt.ended(self.clock.now()))
        return running if is_folded else replace(running, error=VOID)

    def running(self, batch: Batch) -> SummaryFolded:
        return SummaryFolded(batch.run, batch.session_id, batch.rounds[-1].number)

    def failed(self, attempt: Attempt, running: SummaryFolded) -> SummaryFolded:
        return replace(running, error=attempt.error)
