"""Reads what would go live a second time: one question to the memory agent, which may only hold back.

Whatever goes wrong here, the rules alone decide, and the run says so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from orca_core.domain.messages import ChatMessage
from orca_core.domain.second_reading import ReaderFailure, SecondReading
from orca_core.flows.jobs.extraction_prompt import Instructions, language_in, with_local_dates
from orca_core.flows.jobs.memory_agent import MemoryAgent
from orca_core.flows.jobs.tries import Attempt
from orca_core.flows.shared.failures import cause
from orca_core.rules.learning.trust import second_reading
from orca_core.rules.learning.trust.second_reading import JudgedFact

JOB = "second_reader"
"""The name in the ledger, and of the prompt."""


class SecondReader:
    """The memory agent with a fresh prompt, which shows it the user's own words and the facts alone."""

    def __init__(self, agent: MemoryAgent, agents_folder: Path | None, *, is_on: bool) -> None:
        self._agent = agent
        self._instructions = Instructions(JOB, agents_folder)
        self._is_on = is_on

    async def read(self, attempt: Attempt, judged: Sequence[JudgedFact]) -> list[JudgedFact]:
        """The facts, of which those that it doubts are held, and those that it did not read, or may not, are marked.
        Fills the record, and how the reading went."""
        asked = second_reading.asked_about(judged)
        answers: Mapping[int, bool] = {}
        if asked and self._is_on:
            try:
                answers = await self._answers(attempt, asked)
            except Exception as error:  # noqa: BLE001  # the rules decide without it; the run says so
                failed = SecondReading(len(asked), failure=ReaderFailure.FAILED, error=cause(error))
                attempt.second_reading = failed
        return second_reading.held_back(judged, asked, answers)

    async def _answers(self, attempt: Attempt, asked: Sequence[JudgedFact]) -> Mapping[int, bool]:
        """What it says of each fact, by number. Raises OrcaError."""
        if not await self._agent.has_tokens_left():
            attempt.second_reading = SecondReading(len(asked), failure=ReaderFailure.NO_TOKENS)
            return {}
        messages = self._messages(attempt, asked)
        said = await self._agent.ask(messages, new=messages, as_json=True, job=JOB)
        attempt.record += [replace(message, in_second_reading=True) for message in said.record]
        answers = second_reading.read_answers(said.text, len(asked))
        if answers is None:
            attempt.second_reading = SecondReading(len(asked), failure=ReaderFailure.UNREADABLE)
            return {}
        doubted = sum(not says_so for says_so in answers.values())
        attempt.second_reading = SecondReading(len(asked), doubted, unanswered=len(asked) - len(answers))
        return answers

    def _messages(self, attempt: Attempt, asked: Sequence[JudgedFact]) -> list[ChatMessage]:
        """Raises ConfigError where the user's own prompt can't be read."""
        rounds = attempt.batch.rounds
        material = second_reading.material(with_local_dates(rounds), asked)
        return [ChatMessage("system", self._instructions.text(language_in(rounds))), ChatMessage("user", material)]
