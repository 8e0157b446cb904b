"""Asks the verifier whether the user says what was noted of them: one question, with a fresh prompt that shows what is
to be judged and nothing that may be poisoned. It is the memory agent, or a model that the configuration names for it.

Whatever goes wrong here, the run says so, and what was asked about stays unanswered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from orca_core import prompts
from orca_core.model.learning import Statement, Subject, Verification, VerifierAnswer, VerifierFailure
from orca_core.model.llm import ChatMessage, Finish
from orca_core.model.sessions import Round
from orca_core.pipelines.attempt import Attempt
from orca_core.pipelines.memory_agent import MemoryAgent, instructions, language_in, schema_of, with_local_dates
from orca_core.rules.learning import fact_verifier
from orca_core.rules.text.spelling import Language
from orca_core.services.shared.degradation import cause

FRAME = "verifier"
"""The prompt that all subjects share, and the job's name in the ledger."""


class NamedNote(Struct, frozen=True):
    id: int
    relation: Literal["same", "replaces"]


class VerifierRow(Struct, frozen=True):
    fact: int
    words: str
    why: str
    says_so: bool
    known: NamedNote | None


class Answers(Struct, frozen=True):
    """What a provider that takes a schema is told of an answer: the reason before what it is the reason of."""

    answers: list[VerifierRow]


_SHAPE = schema_of(Answers)


class Verifier:
    """Reads statements of any subject, each by the criteria of its own."""

    def __init__(self, agent: MemoryAgent, agents_folder: Path | None, *, is_on: bool = True) -> None:
        self._agent = agent
        self._folder = agents_folder
        self.is_on = is_on

    async def verify(
        self, attempt: Attempt, subject: Subject, rounds: Sequence[Round], statements: Sequence[Statement]
    ) -> Mapping[int, VerifierAnswer]:
        """What it says of statements, by what the user typed in these rounds: see `ask`."""
        material = fact_verifier.material(with_local_dates(rounds), statements)
        known = [note.id for note in fact_verifier.notes_of(statements)]
        return await self.ask(attempt, subject, material, language_in(rounds), len(statements), known)

    async def ask(
        self,
        attempt: Attempt,
        subject: Subject,
        material: str,
        language: Language,
        count: int,
        known: Sequence[int] = (),
    ) -> Mapping[int, VerifierAnswer]:
        """What it says of so many statements, by their numbers from 1 on; of those that it did not read, or may not,
        nothing. Fills the attempt's record, and how it went."""
        if not count or not self.is_on:
            return {}
        answers: Mapping[int, VerifierAnswer] | None = {}
        went = Verification(count)
        try:
            if await self._agent.has_tokens_left():
                messages = [
                    ChatMessage("system", instructions_of(subject, language, self._folder)),
                    ChatMessage("user", material),
                ]
                said = await self._agent.ask(messages, new=messages, as_json=True, job=FRAME, schema=_SHAPE)
                attempt.record += [replace(message, in_verification=True) for message in said.record]
                answers = fact_verifier.read_answers(said.text, count, known, is_cut=said.finish is not Finish.STOP)
                went = _went(count, answers)
            else:
                went = Verification(count, failure=VerifierFailure.NO_TOKENS)
        except Exception as error:  # noqa: BLE001  # the run goes on without it, and says so
            went = Verification(count, failure=VerifierFailure.FAILED, error=cause(error))
        before = attempt.verification
        attempt.verification = went if before is None else before.with_another(went)
        return answers or {}


def _went(count: int, answers: Mapping[int, VerifierAnswer] | None) -> Verification:
    if answers is None:
        return Verification(count, failure=VerifierFailure.UNREADABLE)
    return Verification(count, sum(not each.says_so for each in answers.values()), count - len(answers))


def instructions_of(subject: Subject, language: Language, agents_folder: Path | None) -> str:
    """The frame with the criteria of the subject, or the user's own texts. Raises ConfigError where one of these can't
    be read."""
    criteria = instructions(f"{FRAME}_{subject.value}", language, agents_folder)
    return prompts.fill(instructions(FRAME, language, agents_folder), criteria=criteria)
