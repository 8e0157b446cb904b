"""Reads statements that would be kept a second time: one question to the memory agent, which may only hold back.

Whatever goes wrong here, the rules alone decide, and the run says so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from orca_core.domain.dialogues import Round
from orca_core.domain.messages import ChatMessage
from orca_core.domain.second_reading import ReaderFailure, SecondReading
from orca_core.flows.jobs.extraction_prompt import Instructions, language_in, with_local_dates
from orca_core.flows.jobs.memory_agent import MemoryAgent
from orca_core.flows.jobs.tries import Attempt
from orca_core.flows.shared.failures import cause
from orca_core.rules.learning.trust import statements
from orca_core.rules.learning.trust.statements import Statement


class SecondReader:
    """The memory agent with a fresh prompt, which shows it the user's own words and the statements alone. `name` is
    that of the prompt, and of the job in the ledger; `noun` is what a statement is called in it."""

    def __init__(self, name: str, noun: str, agent: MemoryAgent, agents_folder: Path | None, *, is_on: bool) -> None:
        self._name = name
        self._noun = noun
        self._agent = agent
        self._instructions = Instructions(name, agents_folder)
        self._is_on = is_on

    async def read(self, attempt: Attempt, rounds: Sequence[Round], asked: Sequence[Statement]) -> Mapping[int, bool]:
        """What it says of the statements, by their numbers from 1 on; of those that it did not read, or may not,
        nothing. Fills the record, and how the reading went."""
        if not asked or not self._is_on:
            return {}
        try:
            return await self._answers(attempt, rounds, asked)
        except Exception as error:  # noqa: BLE001  # the rules decide without it; the run says so
            failed = SecondReading(len(asked), failure=ReaderFailure.FAILED, error=cause(error))
            attempt.second_reading = failed
        return {}

    async def _answers(
        self, attempt: Attempt, rounds: Sequence[Round], asked: Sequence[Statement]
    ) -> Mapping[int, bool]:
        """Raises OrcaError."""
        if not await self._agent.has_tokens_left():
            attempt.second_reading = SecondReading(len(asked), failure=ReaderFailure.NO_TOKENS)
            return {}
        messages = self._messages(rounds, asked)
        said = await self._agent.ask(messages, new=messages, as_json=True, job=self._name)
        attempt.record += [replace(message, in_second_reading=True) for message in said.record]
        answers = statements.read_answers(said.text, len(asked), self._noun)
        if answers is None:
            attempt.second_reading = SecondReading(len(asked), failure=ReaderFailure.UNREADABLE)
            return {}
        doubted = sum(not says_so for says_so in answers.values())
        attempt.second_reading = SecondReading(len(asked), doubted, unanswered=len(asked) - len(answers))
        return answers

    def _messages(self, rounds: Sequence[Round], asked: Sequence[Statement]) -> list[ChatMessage]:
        """Raises ConfigError where the user's own prompt can't be read."""
        material = statements.material(with_local_dates(rounds), asked, self._noun)
        return [ChatMessage("system", self._instructions.text(language_in(rounds))), ChatMessage("user", material)]
