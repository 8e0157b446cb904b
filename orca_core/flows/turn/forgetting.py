"""Finds what a question asks to forget, and proposes it; archives nothing."""

from __future__ import annotations

from collections.abc import Sequence

from orca_core.domain.errors import StorageError
from orca_core.domain.events import ForgetProposed
from orca_core.domain.memories import State
from orca_core.flows.shared.levels import Levels
from orca_core.flows.shared.search import MemorySearch, Query
from orca_core.flows.turn.opening import OpenedTurn
from orca_core.rules.asking.forget_targets import Known, meant_to_be_forgotten
from orca_core.rules.asking.forgetting import forget_request
from orca_core.rules.recalling import fusion
from orca_core.rules.recalling.fusion import Evidence
from orca_core.rules.recalling.ranking import Found

MAX_FORGET_PROPOSALS = 5
"""Chosen by hand."""


async def forget_proposal(opened: OpenedTurn, search: MemorySearch, levels: Levels) -> ForgetProposed | None:
    """The memories that would be archived if the user agrees; None where the question asks for no such thing."""
    wanted = forget_request(opened.spans)
    if wanted is None:
        return None
    try:
        found, query = await search.look(wanted, live_only=False, cached=False)
    except StorageError:
        levels.long_term_failed()
        return ForgetProposed(())
    return ForgetProposed(tuple(meant_to_be_forgotten(wanted, _known(found, query))[:MAX_FORGET_PROPOSALS]))


def _known(found: Sequence[Found], query: Query) -> list[Known]:
    """The live memories of a search, with what the archived ones tell of them."""
    took_over = {each.memory.superseded_by for each in found}
    return [
        Known(
            each.memory.id,
            each.memory.content,
            age=each.memory.id,
            took_over=each.memory.id in took_over,
            is_near=fusion.is_relevant(Evidence(cosine=each.evidence.cosine), query.embedding),
        )
        for each in found
        if each.memory.state is State.LIVE
    ]
