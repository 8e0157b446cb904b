"""Candidates that stand on acts, and what is said of them beside other acts, in a store."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

from fakes.acts_read import SHORT, claim, finish, shown
from fakes.records import AT, chat, header

from orca_core.domain.growth.actions import Action
from orca_core.domain.growth.contrast import DueCandidates
from orca_core.domain.growth.supports import Contrast
from orca_core.domain.learning import AgentMessage, RunEnd
from orca_core.domain.stores import Stores
from orca_core.rules.growing import promoting
from orca_core.rules.growing.acts import action_type, checked

DAYS = 3
SOON = AT + timedelta(days=9)
CHOOSE = partial(promoting.to_read, temperature=0.001, min_support=DAYS)
SAID = (AgentMessage("user", "which acts show it?", SOON), AgentMessage("assistant", "all", SOON, "m"))


async def done(stores: Stores, day: int, word: str = "LIKE", session: str = "", **fields: object) -> int:
    """An act on a round of its own, on its day; returns its number."""
    at, session = AT + timedelta(days=day), session or f"s{day}"
    await chat(stores, session)
    act = checked(Action(0, "", action_type(word), session, at, **{"round": 1, **fields}))  # type: ignore[arg-type]
    return (await stores.actions.record(act, header(word.lower(), at))).action.id


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


async def held(stores: Stores) -> int:
    """A candidate that four acts speak for and six against; returns the operation that held it."""
    await ready(stores)
    batch = await stores.contrasts.claim(DueCandidates(SOON), CHOOSE)
    assert batch is not None
    assert batch.candidate is not None
    number = batch.candidate.memory.id
    ended = RunEnd(SOON, SAID, (number,))
    settled = await stores.contrasts.finish(batch, Contrast(number, 4, 6, 2, 3, lives=False), ended)
    assert settled is not None
    assert settled.operation is not None
    return settled.operation
