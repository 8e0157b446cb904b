"""One session, read by the memory agent for episodes: asked, judged by what was typed, read a second time, settled in
one transaction."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Sequence
from pathlib import Path
from typing import Literal

from msgspec.structs import replace

from orca_core import prompts
from orca_core.domain.dialogues import Round
from orca_core.domain.events import EpisodesRead
from orca_core.domain.learning import AgentMessage, RunState
from orca_core.domain.messages import ChatMessage
from orca_core.domain.ports import Clock
from orca_core.domain.queries import RecordQuery
from orca_core.domain.stores.episodes import EpisodeStore
from orca_core.domain.stores.knowledge import KnowledgeStore
from orca_core.domain.stores.records import RecordStore
from orca_core.domain.stores.talk import DialogueStore
from orca_core.domain.verifying import Answer
from orca_core.domain.work.consolidating import TargetCount
from orca_core.domain.work.episodes import Episode
from orca_core.domain.work.telling import EpisodeReading, JudgedEpisode
from orca_core.flows.jobs.extraction_prompt import Instructions, language_in, with_local_dates
from orca_core.flows.jobs.memory_agent import MemoryAgent
from orca_core.flows.jobs.second_reader import SecondReader
from orca_core.flows.jobs.tries import Attempt
from orca_core.rules.consolidating.targets import chosen_target, near_targets
from orca_core.rules.learning.agent import transcripts
from orca_core.rules.learning.trust import statements
from orca_core.rules.working import episode_statements, material, reading, telling
from orca_core.rules.working.episode_provenance import judge

JOB = "episodes"
"""The name in the ledger."""


class SessionReading:
    """Carries out a claimed reading."""

    def __init__(
        self,
        store: EpisodeStore,
        episodes: RecordStore[Episode],
        dialogues: DialogueStore,
        knowledge: KnowledgeStore,
        agent: MemoryAgent,
        second_reader: SecondReader,
        agents_folder: Path | None,
        clock: Clock,
    ) -> None:
        self._store = store
        self._episodes = episodes
        self._dialogues = dialogues
        self._knowledge = knowledge
        self._agent = agent
        self._second_reader = second_reader
        self._instructions = Instructions("episode_reader", agents_folder)
        self._clock = clock

    async def read(self, attempt: Attempt) -> AsyncGenerator[EpisodesRead, None]:
        """Yields `running`, then how it ended. The try was counted at the claim, so any failure waits for its retry.
        Raises StorageError where the failure can not be written."""
        batch = attempt.batch
        running = EpisodesRead("running", batch.run, batch.session_id, tuple(each.number for each in batch.rounds))
        outcome = running
        async with attempt:
            yield running
            outcome = await self._outcome(attempt, running)
        if attempt.failed is not None:
            outcome = replace(running, error=attempt.error, next_at=attempt.next_at)
            outcome = replace(outcome, state="failed" if attempt.failed is RunState.FAILED else "unreadable")
        yield outcome

    async def _outcome(self, attempt: Attempt, running: EpisodesRead) -> EpisodesRead:
        batch = attempt.batch
        known = await self._known(batch.session_id)
        counted = await self._knowledge.targets()
        typed = "\n".join(text for _, text in transcripts.testimony(batch.rounds).typed)
        targets = near_targets(typed, counted)
        found = await self._asked(attempt, known, targets)
        if found is None:
            await attempt.fail(RunState.UNREADABLE, "the answer could not be read")
            return running
        found = _with_chosen_targets(found, counted)
        judged = await self._judged(attempt, found, known, targets)
        ended = attempt.ended(self._clock.now())
        told = await self._store.finish(batch, judged, found.dropped, telling.settle, ended, self._agent.name)
        if told is None:
            return replace(running, state="none", error="a round was replaced or deleted meanwhile")
        state: Literal["done", "none"] = "done" if told.made or told.changed or told.dropped else "none"
        made, changed = tuple(each.id for each in told.made), tuple(each.id for each in told.changed)
        second = attempt.second_reading
        return replace(running, state=state, made=made, changed=changed, waiting=told.waiting, second_reading=second)

    async def _known(self, session_id: str) -> list[Episode]:
        """The session's own episodes that may go on, oldest first."""
        page = await self._episodes.page(RecordQuery({"origin_session": (session_id,)}, order=("id",), counted=False))
        return [each for each in page.records if each.task is None and telling.may_go_on(each)]

    async def _judged(
        self, attempt: Attempt, found: EpisodeReading, known: Sequence[Episode], targets: Sequence[str]
    ) -> list[JudgedEpisode]:
        """Each by the rounds that were read now, and those that an episode which goes on came from; then by the second
        reader where the rules would let it live."""
        if not found.episodes:
            return []
        rounds = attempt.batch.rounds
        came_from = {each.id: set(each.origin.rounds) for each in known}
        before: list[Round] = []
        if came_from:
            read = {each.number for each in rounds}
            before = [each for each in await self._dialogues.rounds(rounds[0].session_id) if each.number not in read]
        judged = []
        for episode in found.episodes:
            own = came_from.get(episode.continues or 0, set())
            ground = sorted([*(each for each in before if each.number in own), *rounds], key=lambda each: each.number)
            judged.append(judge(episode, ground, targets))
        return await self._verified(attempt, judged, before, targets)

    async def _verified(
        self, attempt: Attempt, judged: Sequence[JudgedEpisode], before: Sequence[Round], targets: Sequence[str]
    ) -> list[JudgedEpisode]:
        rounds = [*before, *attempt.batch.rounds]
        if not self._second_reader.is_on:
            return episode_statements.unverified(judged, rounds, targets)
        asked = episode_statements.asked_about(judged, rounds, targets)
        stood_on = {number for each in asked for number in each.statement.rounds}
        shown = episode_statements.shown(attempt.batch.rounds, [each for each in before if each.number in stood_on])
        noted = [statements.Statement(one.says, one.quote, one.rounds) for one in (each.statement for each in asked)]
        said = await self._second_reader.read(attempt, shown, noted)
        answers = {number: Answer(says_so) for number, says_so in said.items()}
        return episode_statements.verified(judged, asked, answers, rounds)

    async def _asked(self, attempt: Attempt, known: Sequence[Episode], targets: Sequence[str]) -> EpisodeReading | None:
        """The episodes of the memory agent, which is asked once more where its answer can't be parsed. Fills the
        record."""
        rounds = attempt.batch.rounds
        if transcripts.message_count(rounds) < transcripts.MIN_MESSAGES:
            return EpisodeReading((), ())
        numbers = [each.id for each in known]
        attempt.episodes += numbers
        messages = self._messages(rounds, known, targets)
        found, said = await self._read(messages, messages, numbers, attempt.record)
        if found is None:
            text = prompts.render(f"extraction_again.{language_in(rounds)}", problem='no object with a list "episodes"')
            again = ChatMessage("user", text)
            messages += [ChatMessage("assistant", said), again]
            found, _ = await self._read(messages, [again], numbers, attempt.record)
        return found

    async def _read(
        self,
        messages: Sequence[ChatMessage],
        new: Sequence[ChatMessage],
        numbers: Sequence[int],
        record: list[AgentMessage],
    ) -> tuple[EpisodeReading | None, str]:
        said = await self._agent.ask(messages, new=new, as_json=True, job=JOB)
        record += said.record
        return reading.read_episodes(said.text, numbers), said.text

    def _messages(self, rounds: Sequence[Round], known: Sequence[Episode], targets: Sequence[str]) -> list[ChatMessage]:
        """Raises ConfigError where the user's own prompt can't be read."""
        language = language_in(rounds)
        instructions = prompts.fill(
            self._instructions.text(language), max_episodes=reading.MAX_EPISODES, max_chars=reading.MAX_STEP_CHARS
        )
        shown = prompts.fill(
            prompts.builtin(f"episode_material.{language}"),
            targets=json.dumps(list(targets), ensure_ascii=False),
            earlier=material.earlier(known),
            dialogue=material.dialogue(with_local_dates(rounds)),
        )
        return [ChatMessage("system", instructions), ChatMessage("user", shown)]


def _with_chosen_targets(found: EpisodeReading, known: Sequence[TargetCount]) -> EpisodeReading:
    """With the known spelling of each target that the agent wrote otherwise."""
    episodes = (replace(each, target=chosen_target(each.target, known)) for each in found.episodes)
    return replace(found, episodes=tuple(episodes))
