"""Finds what a question asks to forget, and proposes it; archives nothing."""

from __future__ import annotations

from orca_core.domain.errors import StorageError
from orca_core.domain.events import ForgetProposed
from orca_core.flows.shared.levels import Levels
from orca_core.flows.shared.search import MemorySearch
from orca_core.flows.turn.opening import OpenedTurn
from orca_core.rules.asking import forgetting

MAX_FORGET_PROPOSALS = 5
"""Chosen by hand."""


async def forget_proposal(opened: OpenedTurn, search: MemorySearch, levels: Levels) -> ForgetProposed | None:
    """The memories that would be archived if the user agrees; None where the question asks for no such thing."""
    wanted = forgetting.forget_request(opened.spans)
    if wanted is None:
        return None
    try:
        found = await search.find(wanted, MAX_FORGET_PROPOSALS, cached=False)
    except StorageError:
        levels.long_term_failed()
        return ForgetProposed(())
    return ForgetProposed(tuple(hit.memory.id for hit in found.hits))
