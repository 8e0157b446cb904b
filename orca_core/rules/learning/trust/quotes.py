"""Whether a quote that is kept stands in what the user typed: what is shown as a person's words was typed by them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from orca_core.domain.dialogues import Round
from orca_core.domain.memories import Memory
from orca_core.rules.learning.agent.transcripts import testimony
from orca_core.rules.learning.trust.typed import ground_of


def with_typed_quote(memory: Memory, rounds: Sequence[Round]) -> Memory:
    """The memory with its quote as it was typed in these rounds, which are those that it came from. Without one where
    it was not, and where the rounds are gone: nobody can tell any more."""
    quote = memory.origin.quote
    if not quote:
        return memory
    spelled = (each.spelling(quote) for each in ground_of(testimony(rounds)).rounds)
    return replace(memory, origin=replace(memory.origin, quote=next(filter(None, spelled), None)))
