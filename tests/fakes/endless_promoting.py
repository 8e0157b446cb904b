"""Records acts, reads them, lets go live what they show, and takes them back, without end, until it is killed; and
looks whether each act speaks once, and no longer than it stands. Run as `python endless_promoting.py HOME`."""

from __future__ import annotations

import asyncio
import random
import sys
from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from uuid import uuid4

from orca_core.model.feedback import Action, ActionRead, Shown
from orca_core.model.learning import Due, Proposal, RunEnd, RunKind, RunState
from orca_core.model.memories import ArchivedBecause, Memory, MemoryType, NewMemory, Origin, OriginKind, State
from orca_core.model.operations import Actor, OperationHeader
from orca_core.model.records import ACTION
from orca_core.model.views import MemoryQuery
from orca_core.operations.stores import Stores
from orca_core.rules.feedback import preference_claims, promotion_score, signals
from orca_core.rules.learning.resolve import settle
from orca_core.rules.memory.memory_curation import criteria
from orca_core.store.sqlite.store import open_stores

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
DAYS = 3
CHOOSE = partial(promotion_score.promoted, temperature=0.001, min_support=DAYS)


async def opened(home: Path) -> Stores:
    return await open_stores(home / "orca.db", scope="me", must_exist=False)


async def record(stores: Stores, word: str, session: str, number: int) -> int:
    at = NOW - timedelta(days=number)
    act = signals.checked(Action(0, "", signals.action_type(word), session, at, round=number))
    header = OperationHeader(Actor.USER, word.lower(), at, session)  # Orca received it then
    return (await stores.actions.record(act, header)).action.id


async def read(stores: Stores) -> list[tuple[int, list[int]]]:
    """Read whatever waits, also what a run that was killed had begun; what was shown, with its acts."""
    found = []
    while batch := await stores.act_readings.claim(
        Due(NOW, preference_claims.BATCH, NOW, everything=True), preference_claims.chosen
    ):
        ids = [each.id for each in batch.actions]
        content = f"The user likes dish {batch.session_id}"
        origin = Origin(OriginKind.ACTION, batch.session_id)
        new = NewMemory(
            content, MemoryType.PREFERENCE, origin=origin, state=State.CANDIDATE, held_because=promotion_score.UNPROVEN
        )
        grown = await stores.act_readings.finish(batch, [Shown(Proposal(new), tuple(ids))], (), settle, RunEnd(NOW))
        if grown is not None and grown.supported:
            found.append((grown.supported[0], ids))
    return found


async def promote(stores: Stores) -> list[Memory]:
    """Verify whatever is ready, also what a run that was killed had begun: it goes live, or is held, by its text."""
    decided = []
    while batch := await stores.promotions.claim(Due(NOW, preference_claims.BATCH, NOW), CHOOSE):
        assert batch.candidate is not None
        lives = not is_refused(batch.candidate.memory)
        settled = await stores.promotions.finish(batch, RunEnd(NOW), lives=lives)
        if settled is not None:
            decided.append(settled.memory)
    return decided


def is_refused(memory: Memory) -> bool:
    """About one in four, by the text."""
    return memory.content.endswith(("0", "1", "2", "3"))


async def grow_without_end(home: Path) -> None:
    """Says what it begins and what is done: `liked ACT`, `read MEMORY ACT …`, `live MEMORY` (live, or held),
    `cancelling SESSION`, `cancelled ACT`."""
    stores, chance = await opened(home), random.Random()
    await record(stores, "LIKE", uuid4().hex, 1)
    await read(stores)  # what judges is loaded by now: it would take most of the time that is left
    while True:
        session = uuid4().hex
        liked = [await record(stores, "LIKE", session, number) for number in range(1, DAYS + 1)]
        say("liked", *liked)
        for memory, ids in await read(stores):
            say("read", memory, *ids)
        say("live", *(each.id for each in await promote(stores)))
        for act, number in zip(liked, range(1, DAYS + 1), strict=True):
            if chance.random() < 0.4:
                say("cancelling", act)
                await record(stores, "CANCEL_LIKE", session, number)
                say("cancelled", act)


def say(what: str, *numbers: int) -> None:
    print(what, *numbers, flush=True)


async def look(home: Path, said: Iterable[str]) -> Counter[str]:
    """What is not as it must be, counted by what it is. It reads and lets live what is left, as the next start does."""
    told: dict[str, list[list[int]]] = {}
    for line in said:
        what, *numbers = line.split()
        told.setdefault(what, []).append([int(each) for each in numbers])
    stores = await opened(home)
    await read(stores)
    await promote(stores)
    found = {each.id: each async for each in stores.records[ACTION].all()}
    memories = {each.id: each for each in (await stores.memories.page(MemoryQuery(criteria("all", 5.0)))).records}
    supports = await stores.supports.of(list(memories))
    operations = await stores.history.operations(1_000_000)
    runs = [each for each in await stores.runs.runs(1_000_000) if each.kind is RunKind.ACTIONS and each.target]
    wrong: Counter[str] = Counter()
    wrong["databases damaged"] = (await stores.housekeeping.health()).integrity != "ok"
    await stores.housekeeping.aclose()
    liked, cancelled = ({each for line in told.get(what, ()) for each in line} for what in ("liked", "cancelled"))
    wrong["acts lost"] = len(liked - found.keys())
    wrong["taken back and standing"] = sum(found[each].stands for each in cancelled & found.keys())
    speaking = Counter(each.act for standing in supports.values() for each in standing)
    wrong["supports doubled"] = sum(count > 1 for count in speaking.values())
    read_and_standing = [each.id for each in found.values() if each.stands and each.read is ActionRead.DONE]
    wrong["supports lost"] = sum(each not in speaking for each in read_and_standing)
    wrong["supports of nothing"] = sum(not found[each].stands for each in speaking if each in found)
    wrong["readings lost"] = sum(memory not in memories for memory, *_ in told.get("read", ()))
    wrong["memories doubled"] = len(memories) - len({each.content for each in memories.values()})
    wrong["not as their supports say"] = sum(
        not _follows(memory, promotion_score.days_of(supports.get(memory.id, ()))) for memory in memories.values()
    )
    lives = {each for line in told.get("live", ()) for each in line}
    promotions = sum(each.header.actor is Actor.PROMOTION for each in operations)
    wrong["promotions lost"] = max(0, len(lives) - promotions)
    ended = Counter(each.operation for each in runs if each.operation is not None)
    wrong["promotions without a run"] = promotions - len(ended)
    wrong["runs that share a promotion"] = sum(count > 1 for count in ended.values())
    wrong["promotions left open"] = sum(each.state is RunState.RUNNING for each in runs)
    return +wrong


def _follows(memory: Memory, days: int) -> bool:
    """What is ready lives by now, or is held; what speaks for nothing is away."""
    if memory.state is State.LIVE:
        return days >= DAYS and not is_refused(memory)
    if memory.state is State.CANDIDATE:
        return (0 < days < DAYS) or (
            days > 0 and memory.held_because == promotion_score.REFUSED["held_because"] and is_refused(memory)
        )
    return memory.archived_because is ArchivedBecause.WITHDRAWN and days == 0


if __name__ == "__main__":
    asyncio.run(grow_without_end(Path(sys.argv[1])))
