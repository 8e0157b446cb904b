"""What the memory agent is asked about a batch of acts: each question a call, with a short prompt of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from orca_core import prompts
from orca_core.domain.growth.reading import ActBatch, ActReading, InfoRead, PreferencesRead
from orca_core.domain.memories import Memory
from orca_core.domain.messages import ChatMessage
from orca_core.flows.jobs.asking_again import understood
from orca_core.flows.jobs.extraction_prompt import Instructions
from orca_core.flows.jobs.memory_agent import MemoryAgent
from orca_core.flows.jobs.tries import Attempt
from orca_core.rules.growing import material, told, user_info
from orca_core.rules.growing.reading import max_chars, read_preferences
from orca_core.rules.text.languages import Language, language_of
from orca_core.settings import ExtractSettings

JOB = "acts"
"""The name in the ledger."""
T = TypeVar("T")


class ActQuestions:
    """Asks, and once more where an answer can't be read; fills the record, and which memories it was shown. Each
    question is answered by None where no answer could be read, and raises ConfigError where the user's own prompt can't
    be read."""

    def __init__(self, agent: MemoryAgent, agents_folder: Path | None, extract: ExtractSettings) -> None:
        self._agent = agent
        self._instructions = {each: Instructions(f"act_{each.value}", agents_folder) for each in ActReading}
        self._extract = extract

    async def preferences(self, attempt: Attempt, batch: ActBatch, known: Sequence[Memory]) -> PreferencesRead | None:
        """What the acts show of the user's wishes."""
        if not material.shows_anything(batch):
            return PreferencesRead((), ())

        def read(answer: str) -> PreferencesRead | None:
            return read_preferences(answer, len(batch.actions), batch.reading)

        return await self._asked(attempt, batch, batch.reading, known, read, "preferences")

    async def infos(self, attempt: Attempt, batch: ActBatch, known: Sequence[Memory]) -> InfoRead | None:
        """What the queries of chats tell of the user; nothing where the batch has none."""
        alone = user_info.alone(batch)
        if batch.reading is not ActReading.CHATS or not told.asked_in(alone):
            return InfoRead()

        def read(answer: str) -> InfoRead | None:
            return user_info.read_infos(answer, alone, self._extract)

        return await self._asked(attempt, alone, ActReading.USER_INFO, known, read, "facts")

    async def _asked(
        self,
        attempt: Attempt,
        batch: ActBatch,
        reading: ActReading,
        known: Sequence[Memory],
        read: Callable[[str], T | None],
        listed: str,
    ) -> T | None:
        attempt.shown += [memory.id for memory in known if memory.id not in attempt.shown]
        language = language_in(batch)
        text = self._instructions[reading].text(language)
        instructions = prompts.fill(text, max_chars=max_chars(reading, language))
        shown = material.material(batch, reading, [memory.content for memory in known])
        messages = [ChatMessage("system", instructions), ChatMessage("user", shown)]
        problem = f'no object with a list "{listed}"'
        return await understood(self._agent, attempt, messages, read, problem=problem, language=language, job=JOB)


def language_in(batch: ActBatch) -> Language:
    """The language that the user writes in."""
    said = told.told_in(batch)
    return language_of("\n".join(said.own or said.foreign))
