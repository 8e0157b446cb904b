"""Forgets episodes, brings some back and deletes others, without end, until it is killed; and looks whether each is
wholly forgotten, wholly there or wholly gone. Run as `python endless_fading.py HOME`."""

from __future__ import annotations

import asyncio
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

import apsw

from orca_core.clock import ClockAt
from orca_core.jobs.retention import Fading
from orca_core.model.episodes import Episode
from orca_core.model.memories import State
from orca_core.model.operations import Actor, OperationHeader
from orca_core.model.records import EPISODE
from orca_core.model.tasks import Outcome
from orca_core.operations.stores import Stores
from orca_core.rules.memory import undo_rules
from orca_core.settings import ForgetSettings
from orca_core.store.sqlite.store import open_stores

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
LATER = NOW + timedelta(days=31)
MANY = 120
"""More than one slice."""
MODEL = "m"


async def opened(home: Path) -> Stores:
    return await open_stores(home / "orca.db", scope="me", must_exist=False)


def fading_on(stores: Stores, at: datetime = NOW) -> Fading:
    return Fading(stores, ClockAt(at), ForgetSettings())


async def made(stores: Stores, count: int) -> list[int]:
    """Episodes that are due, with their vectors."""
    old = NOW - timedelta(days=200)
    texts = [f"nginx broke {uuid4().hex}" for _ in range(count)]
    some = [Episode(0, text, text, text, old, old, old, outcome=Outcome.FAILED) for text in texts]
    records = await stores.memories.make_all(EPISODE, some, OperationHeader(Actor.IMPORT, "import", NOW))
    waiting = await stores.vectors.unembedded(MODEL, count)
    await stores.vectors.put(MODEL, [(each.ref, each.text, [1.0, 0.5]) for each in waiting])
    await stores.vectors.refresh_index(MODEL)
    return [each.id for each in records]


async def forget_without_end(home: Path) -> None:
    """Says what it begins and what is done: `made 1 2 …`, `faded OPERATION 1 2 …`, `returning`, `returned`,
    `deleting`, `deleted`."""
    stores, chance = await opened(home), random.Random()
    while True:
        say("made", await made(stores, MANY))
        faded = await fading_on(stores).run()
        say(f"faded {faded.operation}", faded.episodes)
        if chance.random() < 0.4:
            say("returning", faded.episodes)
            await stores.history.undo(faded.operation, NOW, undo_rules.plan)
            say("returned", faded.episodes)
        elif chance.random() < 0.5:
            gate = fading_on(stores, LATER)
            say("deleting", (await gate.due()).deleted)
            say("deleted", (await gate.run()).deleted)


def say(what: str, numbers: Sequence[int]) -> None:
    print(what, *numbers, flush=True)


async def look(home: Path, said: Iterable[str]) -> Counter[str]:
    """What is not as it must be, counted by what it is. It forgets what is left to be, as the next start does."""
    told = _Told(said)
    stores = await opened(home)
    wrong: Counter[str] = Counter()
    await stores.history.carry_on(undo_rules.plan)
    wrong["indexes out of step"] = sum(not each.is_in_step for each in await stores.indexes.states())
    await fading_on(stores).run()
    wrong["indexes out of step afterwards"] = sum(not each.is_in_step for each in await stores.indexes.states())
    wrong["left though due"] = len((await fading_on(stores).due()).episodes)
    found = {each.id: each async for each in stores.records[EPISODE].all()}
    standing = {each.id for each in await stores.history.operations(1_000_000) if each.undone_by is None}
    wrong["databases damaged"] = (await stores.housekeeping.health()).integrity != "ok"
    await stores.housekeeping.aclose()
    fades = _fades(home)
    wrong["episodes lost"] = len(told.made - told.deleting - found.keys())
    wrong["deleted and there"] = len(told.deleted & found.keys())
    wrong["forgotten and live"] = sum(
        found[number].state is State.LIVE for number in (told.faded - told.returning) & found.keys()
    )
    wrong["brought back and away"] = sum(
        found[number].state is not State.LIVE for number in told.returned & found.keys()
    )
    wrong["half forgotten"] = sum(
        (found[number].state is State.ARCHIVED) != (len(fades[number] & standing) == 1) for number in found
    )
    wrong["not in the operation of their run"] = sum(
        operation not in fades[number] for number, operation in told.operations.items() if number in found
    )
    return +wrong


class _Told:
    """What was said, by what it was said of."""

    def __init__(self, said: Iterable[str]) -> None:
        of: dict[str, set[int]] = {}
        self.operations: dict[int, int] = {}
        for line in said:
            what, *numbers = line.split()
            if what == "faded" and numbers[0] != "None":
                self.operations.update(dict.fromkeys(map(int, numbers[1:]), int(numbers[0])))
            of.setdefault(what, set()).update(map(int, numbers[1:] if what == "faded" else numbers))
        self.made = of.get("made", set())
        self.faded = of.get("faded", set())
        self.returning = of.get("returning", set())
        self.returned = of.get("returned", set())
        self.deleting = of.get("deleting", set())
        self.deleted = of.get("deleted", set())


def _fades(home: Path) -> defaultdict[int, set[int]]:
    """The operations that forgot each episode. Asked of the file at once: thousands of them have a history."""
    connection = apsw.Connection(str(home / "orca.db"), flags=apsw.SQLITE_OPEN_READONLY)
    rows = connection.execute(
        "SELECT h.memory_id, h.operation FROM memory_history h JOIN operations o ON o.id = h.operation"
        " WHERE h.kind = ? AND o.action = 'fade'",
        (EPISODE.name,),
    ).fetchall()
    connection.close()
    fades: defaultdict[int, set[int]] = defaultdict(set)
    for episode, operation in rows:
        fades[episode].add(operation)
    return fades


if __name__ == "__main__":
    asyncio.run(forget_without_end(Path(sys.argv[1])))
