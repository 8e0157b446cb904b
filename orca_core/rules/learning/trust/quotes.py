"""Whether a quote that is kept stands in what the user typed: what is shown as a person's words was typed by them."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from orca_core.domain.dialogues import Round
from orca_core.domain.memories import Memory, OriginKind
from orca_core.rules.learning.agent.transcripts import testimony
from orca_core.rules.learning.trust.typed import ground_of


def with_typed_quote(memory: Memory, rounds: Sequence[Round]) -> Memory:
    """The memory with its quote as it was typed in these rounds, which are those that it came from. Without one where
    it was not, and where the rounds are gone: nobody can tell any more. What was read in a chat of another program was
    typed there."""
    quote = memory.origin.quote
    if not quote or _is_of_a_chat_elsewhere(memory):
        return memory
    spelled = (each.spelling(quote) for each in ground_of(testimony(rounds)).rounds)
    return replace(memory, origin=replace(memory.origin, quote=next(filter(None, spelled), None)))


def _is_of_a_chat_elsewhere(memory: Memory) -> bool:
    origin = memory.origin
    return origin.kind is OriginKind.IMPORT and origin.session_id is None and bool(memory.elsewhere.program)
