"""Asks the memory agent, and once more where its answer can't be read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from orca_core import prompts
from orca_core.domain.messages import ChatMessage
from orca_core.flows.jobs.memory_agent import MemoryAgent
from orca_core.flows.jobs.tries import Attempt
from orca_core.rules.text.languages import Language

T = TypeVar("T")


async def understood(
    agent: MemoryAgent,
    attempt: Attempt,
    messages: Sequence[ChatMessage],
    read: Callable[[str], T | None],
    *,
    problem: str,
    language: Language,
    job: str,
) -> T | None:
    """What can be read of the answer, or of the second one, which is asked for by the `problem` of the first. Fills the
    record of the attempt."""
    said = await agent.ask(messages, new=messages, as_json=True, job=job)
    attempt.record += said.record
    found = read(said.text)
    if found is None:
        again = ChatMessage("user", prompts.render(f"extraction_again.{language}", problem=problem))
        messages = [*messages, ChatMessage("assistant", said.text), again]
        said = await agent.ask(messages, new=[again], as_json=True, job=job)
        attempt.record += said.record
        found = read(said.text)
    return found
