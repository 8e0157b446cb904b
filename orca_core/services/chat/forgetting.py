"""Finds what a question asks to forget, and proposes it; archives nothing."""

from __future__ import annotations

from orca_core.model.errors import StorageError
from orca_core.model.events import ForgetProposed
from orca_core.rules.requests.forgetting import forget_request
from orca_core.services.chat.opening import OpenedTurn
from orca_core.services.shared.levels import Levels
from orca_core.services.shared.search import MemorySearch


async def forget_proposal(opened: OpenedTurn, search: MemorySearch, levels: Levels) -> ForgetProposed | None:
    """The memories that would be archived if the user agrees; None where the question asks for no such thing."""
    wanted = forget_request(opened.spans)
    if wanted is None:
        return None
    try:
        return ForgetProposed(tuple(await search.meant(wanted)))
    except StorageError:
        levels.long_term_failed()
        return ForgetProposed(())
