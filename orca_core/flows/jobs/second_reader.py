"""Reads statements that would be kept a second time: one question to the memory agent, which may only hold back.

Whatever goes wrong here, the run says so, and who asked decides without it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from orca_core.domain.dialogues import Round
from orca_core.domain.messages import ChatMessage
from orca_core.domain.verifying import Verification, VerifierFailure
from orca_core.flows.jobs.extraction_prompt import Instructions, language_in, with_local_dates
from orca_core.flows.jobs.memory_agent import MemoryAgent
from orca_core.flows.jobs.tries import Attempt
from orca_core.flows.shared.failures import cause
from orca_core.rules.learning.trust import answers as reading
from orca_core.rules.learning.trust import statements
from orca_core.rules.learning.trust.statements import Statement
from orca_core.rules.text.languages import Language


class Question(Struct, frozen=True):
    """What the second reader is shown, and the language of its prompt."""

    material: str
    language: Language


class SecondReader:
    """The memory agent with a fresh prompt, which shows it what is to be judged and nothing that may be poisoned.
    `name` is that of the prompt, and of the job in the ledger; `noun` is what a statement is called in it."""

    def __init__(self, name: str, noun: str, agent: MemoryAgent, agents_folder: Path | None, *, is_on: bool) -> None:
        self._name = name
        self._noun = noun
        self._agent = agent
        self._instructions = Instructions(name, agents_folder)
        self.is_on = is_on

    async def read(self, attempt: Attempt, rounds: Sequence[Round], asked: Sequence[Statement]) -> Mapping[int, bool]:
        """What it says of statements, by the user's own words in these rounds."""

        def question() -> Question:
            shown = statements.material(with_local_dates(rounds), asked, self._noun)
            return Question(shown, language_in(rounds))

        return await self.answers(attempt, len(asked), question)

    async def answers(self, attempt: Attempt, count: int, question: Callable[[], Question]) -> Mapping[int, bool]:
        """What it says of so many statements, by their numbers from 1 on; of those that it did not read, or may not,
        nothing. Fills the record, and how the reading went."""
        if not count or not self.is_on:
            return {}
        try:
            return await self._answers(attempt, count, question())
        except Exception as error:  # noqa: BLE001  # who asked goes on without it; the run says so
            attempt.second_reading = Verification(count, failure=VerifierFailure.FAILED, error=cause(error))
        return {}

    async def said(self, attempt: Attempt, question: Question) -> str:
        """What it answers to this question, as it said it. Fills the record. Raises OrcaError."""
        instructions = self._instructions.text(question.language)
        messages = [ChatMessage("system", instructions), ChatMessage("user", question.material)]
        said = await self._agent.ask(messages, new=messages, as_json=True, job=self._name)
        attempt.record += [replace(message, in_second_reading=True) for message in said.record]
        return said.text

    async def _answers(self, attempt: Attempt, count: int, question: Question) -> Mapping[int, bool]:
        """Raises OrcaError."""
        if not await self._agent.has_tokens_left():
            attempt.second_reading = Verification(count, failure=VerifierFailure.NO_TOKENS)
            return {}
        answers = reading.read_answers(await self.said(attempt, question), count, self._noun)
        if answers is None:
            attempt.second_reading = Verification(count, failure=VerifierFailure.UNREADABLE)
            return {}
        refused = sum(not says_so for says_so in answers.values())
        attempt.second_reading = Verification(count, refused, unanswered=count - len(answers))
        return answers
