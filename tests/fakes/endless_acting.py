"""Likes and takes back, and reads what the likes show, without end until it is killed; and looks whether every like that
was read supports its memory, once, and none that was taken back does. Run as `python endless_acting.py HOME`."""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from uuid import uuid4

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from fakes.acts_read import shown

from orca_core.clock import SystemClock
from orca_core.model.feedback import Action, ActionRead
from orca_core.model.learning import Due, RunEnd
from orca_core.model.memories import Memory, State
from orca_core.model.operations import Actor, OperationHeader
from orca_core.model.records import ACTION
from orca_core.model.views import MemoryQuery
from orca_core.operations.stores import Stores
from orca_core.rules.feedback import preference_claims
from orca_core.rules.feedback.signals import action_type, checked
from orca_core.rules.learning.resolve import settle
from orca_core.rules.memory.memory_curation import criteria
from orca_core.store.sqlite.store import open_stores


async def opened(home: Path) -> Stores:
    return await open_stores(home / "orca.db", scope="me", must_exist=False)


async def act(stores: Stores, word: str, session_id: str) -> None:
    now = SystemClock().now()
    header = OperationHeader(Actor.USER, word.lower(), now)
    await stores.actions.record(checked(Action(0, "", action_type(word), session_id, now, round=1)), header)


def content_of(session_id: str) -> str:
    return f"The user likes {session_id}"


async def work_without_end(home: Path) -> None:
    """Says `liked ID` when a like is there, `read ID` when it was read, and `cancelled ID` when it is taken back."""
    stores, clock, count = await opened(home), SystemClock(), 0
    while True:
        session_id, count = f"q{uuid4().hex}", count + 1
        await act(stores, "LIKE", session_id)
        print("liked", session_id, flush=True)
        if count % 3 == 0:
            await act(stores, "CANCEL_LIKE", session_id)
            print("cancelled", session_id, flush=True)
        due = Due(clock.now(), preference_claims.BATCH, clock.now(), everything=True)
        while batch := await stores.act_readings.claim(due, preference_claims.chosen):
            found = [shown(each.id, content=content_of(each.session_id)) for each in batch.actions]
            await stores.act_readings.finish(batch, found, (), settle, RunEnd(clock.now()))
            print("read", batch.session_id, flush=True)
        if count % 3 == 1:
            await act(stores, "CANCEL_LIKE", session_id)
            print("cancelled", session_id, flush=True)


async def look(home: Path, said: Iterable[str]) -> Counter[str]:
    """What is not as it must be, counted by what it is."""
    stores = await opened(home)
    page = await stores.memories.page(MemoryQuery(criteria("all", 5.0)))
    acts = [each async for each in stores.records[ACTION].all()]
    supports = await stores.supports.of([each.id for each in page.records])
    integrity = (await stores.housekeeping.health()).integrity
    await stores.housekeeping.aclose()
    lines = [line.split() for line in said]
    told = {word: {line[1] for line in lines if line[0] == word} for word in ("liked", "cancelled", "read")}
    made = Counter(each.content for each in page.records)
    wrong: Counter[str] = Counter()
    wrong["likes lost"] = len(told["liked"] - {each.session_id for each in acts})
    wrong["readings lost"] = sum(not made[content_of(each)] for each in told["read"])
    wrong["memories doubled"] = sum(count > 1 for count in made.values())
    wrong["supports doubled"] = sum(len(each) > 1 for each in supports.values())
    wrong["cancelled likes that count"] = _still_counting(page.records, told["cancelled"])
    standing = {content_of(each.session_id) for each in acts if each.stands and each.read is ActionRead.DONE}
    kept = {each.content for each in page.records if each.state is State.CANDIDATE and each.id in supports}
    wrong["likes that do not count"] = len(standing - kept)
    wrong["databases damaged"] = integrity != "ok"
    return +wrong


def _still_counting(memories: Iterable[Memory], cancelled: Iterable[str]) -> int:
    taken_back = {content_of(each) for each in cancelled}
    return sum(each.content in taken_back and each.state in (State.CANDIDATE, State.LIVE) for each in memories)


if __name__ == "__main__":
    asyncio.run(work_without_end(Path(sys.argv[1])))
