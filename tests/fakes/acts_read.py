"""Acts recorded, claimed and read in a store, with everything said that a test does not care about."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from fakes.records import AT, header, later

from orca_core.model.feedback import ActBatch, Action, ShownPreference
from orca_core.model.learning import AgentMessage, Due, Proposal, RunEnd
from orca_core.model.memories import Memory, MemoryType, NewMemory, Origin, OriginKind, State
from orca_core.model.views import MemoryQuery
from orca_core.operations.stores import Stores
from orca_core.rules.feedback import preference_claims
from orca_core.rules.feedback.signals import action_type, checked_act
from orca_core.rules.learning.resolve import settle
from orca_core.rules.memory.memory_curation import criteria

SHORT = "The user prefers short answers"


def due(**given: object) -> Due:
    return Due(later(1), preference_claims.BATCH, AT, **given)  # type: ignore[arg-type]


async def recorded(
    stores: Stores, word: str = "LIKE", number: int | None = 1, session: str = "s", days: int = 0, **fields: object
) -> int:
    """An act that is recorded now, and was so many days from now."""
    at = AT + timedelta(days=days)
    act = checked_act(Action(0, "", action_type(word), session, at, round=number, **fields))  # type: ignore[arg-type]
    return (await stores.feedback.record(act, header(word.lower()))).action.id


async def claim(stores: Stores, **given: object) -> ActBatch | None:
    return await stores.feedback.claim_acts(due(**given), preference_claims.acts_due)


async def claimed(stores: Stores, **given: object) -> ActBatch:
    batch = await claim(stores, **{"everything": True, **given})
    assert batch is not None
    return batch


def shown(
    *acts: int, content: str = SHORT, held: str = "unproven", replaces: int | None = None, nominated: Sequence[int] = ()
):
    origin = Origin(OriginKind.EXTRACTION, "s", (), None, "m")
    new = NewMemory(
        content, MemoryType.PREFERENCE, confidence=0.8, origin=origin, state=State.CANDIDATE, held_because=held
    )
    return ShownPreference(Proposal(new, tuple(nominated), replaces=replaces), acts)


async def finish(stores: Stores, batch: ActBatch, *found: ShownPreference, exchange: tuple[AgentMessage, ...] = ()):
    return await stores.feedback.finish_acts(batch, found, (), settle, RunEnd(later(2), exchange))


async def everything(stores: Stores) -> list[Memory]:
    page = await stores.memories.page(MemoryQuery(criteria("all", 5.0)))
    return sorted(page.records, key=lambda each: each.id)


async def only(stores: Stores) -> Memory:
    [memory] = await everything(stores)
    return memory
