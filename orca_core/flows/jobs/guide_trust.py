"""Whether a guide that was just written may live: by the rules, then by a second reader, without whom it waits."""

from __future__ import annotations

from orca_core.domain.growth.tools import GuideBatch
from orca_core.flows.jobs.second_reader import Question, SecondReader
from orca_core.flows.jobs.tries import Attempt
from orca_core.rules.text.languages import language_of
from orca_core.rules.tooling import second_reading, trust
from orca_core.rules.tooling.trust import Fault


async def judged(
    reader: SecondReader, attempt: Attempt, batch: GuideBatch, guide: str
) -> tuple[Fault | None, tuple[str, ...]]:
    """Why it waits for a person, None where it may live; and what of it says so. Where the second reading is switched
    off the rules alone decide."""
    fault, lacking = trust.judged(guide, batch.tool, batch.calls)
    if fault is not None or not reader.is_on:
        return fault, lacking
    sentences = second_reading.sentences_of(guide)

    def question() -> Question:
        return Question(second_reading.material(batch.tool, batch.calls, sentences), language_of(guide))

    return second_reading.held_back(sentences, await reader.answers(attempt, len(sentences), question))
