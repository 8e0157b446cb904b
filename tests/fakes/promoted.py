"""Candidates that acts show often enough, and what the verifier says of them, in a store."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial

from fakes.acts_read import SHORT, claim, finish, shown
from fakes.records import AT, chat, header

from orca_core.model.feedback import ActBatch, Action, Promotion
from orca_core.model.learning import AgentMessage, Due, RunEnd, Verification
from orca_core.operations.stores import Stores
from orca_core.rules.feedback import preference_claims, promotion
from orca_core.rules.feedback.signals import action_type, checked_act

DAYS = 3
SOON = AT + timedelta(days=9)
SAID = (AgentMessage("user", "do they show it?", SOON), AgentMessage("assistant", "yes", SOON, "m"))


async def done(stores: Stores, day: int, word: str = "LIKE", session: str = "", **fields: object) -> int:
    """An act on a round of its own, on its day; returns its number."""
    at, session = AT + timedelta(days=day), session or f"s{day}"
    await chat(stores, session)
    act = checked_act(Action(0, "", action_type(word), session, at, **{"round": 1, **fields}))  # type: ignore[arg-type]
    return (await stores.feedback.record(act, header(word.lower(), at))).action.id


async def show(stores: Stores, *acts: int, content: str = SHORT) -> None:
    """Have all acts read that wait: these show it."""
    while (batch := await claim(stores, everything=True)) is not None:
        those = [each.id for each in batch.actions if each.id in acts]
        await finish(stores, batch, *([shown(*those, content=content)] if those else []))


async def ready(stores: Stores, first: int = 0, content: str = SHORT) -> list[int]:
    """A candidate that acts on three days support; returns these."""
    acts = [await done(stores, day) for day in range(first, first + DAYS)]
    await show(stores, *acts, content=content)
    return acts


async def claim_candidate(
    stores: Stores, at: datetime = SOON, min_support: int = DAYS, **given: object
) -> ActBatch | None:
    choose = partial(promotion.best_ready, temperature=0.001, min_support=min_support)
    return await stores.feedback.claim_candidate(Due(at, preference_claims.BATCH, at, **given), choose)  # type: ignore[arg-type]


async def verified(stores: Stores, batch: ActBatch, *, lives: bool = True) -> Promotion | None:
    assert batch.candidate is not None
    went = Verification(1, refused=int(not lives))
    return await stores.feedback.finish_candidate(
        batch, RunEnd(SOON, SAID, (batch.candidate.memory.id,), went), lives=lives
    )


async def held(stores: Stores) -> int:
    """A candidate that the verifier does not see in the acts; returns the operation that held it."""
    await ready(stores)
    batch = await claim_candidate(stores)
    assert batch is not None
    settled = await verified(stores, batch, lives=False)
    assert settled is not None
    assert settled.operation is not None
    return settled.operation
