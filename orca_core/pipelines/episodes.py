"""Episodes of chats: what was done in a session that ended, and how it ended."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from datetime import datetime
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from orca_core import prompts
from orca_core.jobs.job import News, RoundRecorded
from orca_core.model.episodes import Episode, EpisodeReading, JudgedEpisode
from orca_core.model.events import EpisodesRead
from orca_core.model.knowledge import TargetCount
from orca_core.model.learning import Batch, DroppedFact, RunKind, Subject, UnverifiedBatch, Wanted
from orca_core.model.record_types import EPISODE
from orca_core.model.sessions import Round
from orca_core.model.tasks import Outcome
from orca_core.model.views import RecordQuery
from orca_core.pipelines.attempt import Attempt
from orca_core.pipelines.memory_agent import language_in, with_local_dates
from orca_core.pipelines.pipeline import VOID, AskingAgain, Material, Means, Pass, Pipeline
from orca_core.rules.learning import transcripts
from orca_core.rules.work import episode_extraction, episode_updates, episode_verification
from orca_core.rules.work.consolidation_rules import chosen_target, near_targets

NEVER_BY_NUMBER = 2**31
"""However many rounds a session has, only its end makes it due."""


class EpisodeAnswer(Struct, frozen=True):
    trigger: str
    target: str
    steps: list[str]
    outcome: Outcome
    outcome_quote: str
    tags: list[str]
    continues: str | None = None


class EpisodesAnswer(Struct, frozen=True):
    episodes: list[EpisodeAnswer]


class JudgedEpisodes(Struct, frozen=True):
    """What is believed of an answer, what of it broke a rule of form, and what became of episodes that were asked about
    once more, by their numbers."""

    episodes: Sequence[JudgedEpisode]
    dropped: Sequence[DroppedFact]
    since: Mapping[int, JudgedEpisode] = {}


class EpisodePipeline(Pipeline[Batch, EpisodeReading, JudgedEpisodes, EpisodesRead]):
    """A session is read when it ends: another was begun, it idled, Orca ends, or a person asks. Behind that, episodes
    that wait for the verifier are asked about again."""

    name = "episodes"
    kind = RunKind.EPISODES
    prompt = "episode_reader"
    event = EpisodesRead
    schema = EpisodesAnswer
    problem = 'no object with a list "episodes"'

    def __init__(self, means: Means) -> None:
        super().__init__(means)
        stores = means.stores
        self._store, self._dialogues, self._knowledge = stores.episodes, stores.sessions, stores.knowledge
        self._episodes = stores.records[EPISODE]
        self._verifier = means.verifier
        self._looks_again_at: datetime | None = None
        self._again = AskingAgain(self._store.claim_unverified)

    @property
    def is_on(self) -> bool:
        memory = self.settings.memory
        is_wanted = memory.enabled and memory.episodes.enabled and memory.episodes.from_chats
        return is_wanted and self.settings.memory_agent.enabled

    def hear(self, news: News) -> None:
        super().hear(news)
        if isinstance(news, RoundRecorded):
            self._looks_again_at = self.when_idle()

    async def run(self, wanted: Wanted) -> AsyncGenerator[EpisodesRead, None]:
        """What a person asked for, session by session. Raises StorageError."""
        if self.is_on:
            async for event in self.asked_for(wanted):
                yield event

    async def due(self, so_far: Pass[Batch]) -> Batch | None:
        if so_far.last is None:
            self._again.begin()
        batch = await self._session_due(so_far)
        if batch is not None or not self.settings.memory_agent.extract.asks_verifier:
            return batch
        return await self._again.due(self.clock.now(), so_far.wanted)

    async def _session_due(self, so_far: Pass[Batch]) -> Batch | None:
        if self._looks_again_at is not None and self._looks_again_at <= self.clock.now():
            self._looks_again_at = None
        due = self.due_rounds(so_far, NEVER_BY_NUMBER)
        return await self._store.claim(due, episode_extraction.how_many_fit, episode_updates.rounds_without_task)

    async def ask(self, attempt: Attempt, batch: Batch) -> EpisodeReading | None:
        if isinstance(batch, UnverifiedBatch) or transcripts.message_count(batch.rounds) < transcripts.MIN_MESSAGES:
            return EpisodeReading((), ())
        attempt.episodes += [each.id for each in await self._known(batch)]
        return await super().ask(attempt, batch)

    async def material(self, batch: Batch) -> Material:
        language = language_in(batch.rounds)
        targets = _near(batch, await self._knowledge.targets())
        shown = prompts.fill(
            prompts.builtin(f"episode_material.{language}"),
            targets=json.dumps(targets, ensure_ascii=False),
            earlier=episode_extraction.earlier(await self._known(batch)),
            dialogue=episode_extraction.dialogue(with_local_dates(batch.rounds)),
        )
        given = {"max_episodes": episode_extraction.MAX_EPISODES, "max_chars": episode_extraction.MAX_STEP_CHARS}
        return Material(shown, language, given)

    def read(self, answer: str) -> EpisodeReading | None:
        return episode_extraction.read_episodes(answer)

    async def judge(self, attempt: Attempt, batch: Batch, answer: EpisodeReading) -> JudgedEpisodes:
        """Each field by whose words it is made of, in the rounds that were read now and those that an episode which
        goes on came from; then by the verifier."""
        if isinstance(batch, UnverifiedBatch):
            return await self._judged_again(attempt, batch)
        if not answer.episodes:
            return JudgedEpisodes((), answer.dropped)
        counted = await self._knowledge.targets()
        targets = _near(batch, counted)
        came_from = {each.id: set(each.origin.rounds) for each in await self._known(batch)}
        before = await self._rounds_before(batch) if came_from else []
        judged = []
        for episode in answer.episodes:
            own = came_from.get(episode.continues or 0, set())
            continues = episode.continues if episode.continues in came_from else None
            named = replace(episode, target=chosen_target(episode.target, counted), continues=continues)
            ground = [*(each for each in before if each.number in own), *batch.rounds]
            rounds = sorted(ground, key=lambda each: each.number)
            judged.append(episode_verification.judge_episode(named, rounds, targets))
        return JudgedEpisodes(await self._verified(attempt, judged, before, targets), answer.dropped)

    async def _judged_again(self, attempt: Attempt, batch: UnverifiedBatch) -> JudgedEpisodes:
        """Episodes about which the verifier had not answered, by the rules as they are now, and by the verifier."""
        waiting = await self._episodes.get(batch.candidates, missing_ok=True)
        attempt.episodes += [each.id for each in waiting]
        targets = _near(batch, await self._knowledge.targets())
        judged = []
        for each in waiting:
            rounds = [one for one in batch.rounds if one.number in each.origin.rounds]
            judged.append(episode_verification.judge_episode(episode_updates.proposed_of(each), rounds, targets))
        judged = await self._verified(attempt, judged, [], targets)
        self._again.heard(attempt.verification)
        return JudgedEpisodes((), (), {each.id: one for each, one in zip(waiting, judged, strict=True)})

    async def _verified(
        self, attempt: Attempt, judged: Sequence[JudgedEpisode], before: Sequence[Round], targets: Sequence[str]
    ) -> list[JudgedEpisode]:
        rounds, verify = [*before, *attempt.batch.rounds], self.settings.memory_agent.extract.verify
        if verify != "model":
            return episode_verification.unverified_episodes(judged, rounds, targets, waits=verify == "ask")
        asked = episode_verification.statements_about(judged, rounds, targets)
        stood_on = {number for each in asked for number in each.statement.rounds}
        shown = episode_verification.rounds_shown(
            attempt.batch.rounds, [each for each in before if each.number in stood_on]
        )
        statements = [each.statement for each in asked]
        answers = await self._verifier.verify(attempt, Subject.EPISODES, shown, statements)
        return episode_verification.verified_episodes(judged, asked, answers, rounds)

    async def settle(
        self, attempt: Attempt, batch: Batch, judged: JudgedEpisodes, running: EpisodesRead
    ) -> EpisodesRead:
        ended, agent = attempt.ended(self.clock.now()), self.agent.name
        if isinstance(batch, UnverifiedBatch):
            told = await self._store.finish_unverified(
                batch, judged.since, episode_updates.fields_after_verifying, ended
            )
        else:
            told = await self._store.finish(
                batch, judged.episodes, judged.dropped, episode_updates.settle_episodes, ended, agent
            )
        if told is None:
            return replace(running, state="none", error=VOID)
        state: Literal["done", "none"] = "done" if told.made or told.changed or told.dropped else "none"
        made, changed = tuple(each.id for each in told.made), tuple(each.id for each in told.changed)
        return replace(
            running,
            state=state,
            made=made,
            changed=changed,
            waiting=told.waiting,
            verification=attempt.verification,
        )

    def running(self, batch: Batch) -> EpisodesRead:
        return EpisodesRead("running", batch.run, batch.session_id, tuple(each.number for each in batch.rounds))

    async def queued(self, wanted: Wanted) -> Sequence[EpisodesRead]:
        return [EpisodesRead("queued", 0, wanted.session_id or "")]

    async def next_at(self) -> datetime | None:
        """When a failed run may be retried, or the current session has idled."""
        times = [await super().next_at(), self._looks_again_at]
        return min((each for each in times if each is not None), default=None)

    async def _known(self, batch: Batch) -> list[Episode]:
        """The session's own episodes that may go on, oldest first."""
        query = RecordQuery({"origin_session": (batch.session_id,)}, order=("id",), counted=False)
        page = await self._episodes.page(query)
        return [each for each in page.records if each.task is None and episode_updates.can_continue(each)]

    async def _rounds_before(self, batch: Batch) -> list[Round]:
        read = {each.number for each in batch.rounds}
        return [each for each in await self._dialogues.rounds(batch.session_id) if each.number not in read]


def _near(batch: Batch, counted: Sequence[TargetCount]) -> list[str]:
    """The known targets that are nearest to what was typed."""
    typed = "\n".join(text for _, text in transcripts.testimony(batch.rounds).typed)
    return near_targets(typed, counted)
