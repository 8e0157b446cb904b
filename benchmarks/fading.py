"""What forgetting costs with ten thousand episodes, and how long it keeps another writer waiting.

    python benchmarks/fading.py [--episodes 10000]

Prints the time of reading all ages, of choosing, of a daily pass that finds nothing, of one that forgets a third, of
taking that back, and the longest that a write beside it had to wait.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from orca_core.clock import ClockAt
from orca_core.domain.journal import Actor, OperationHeader
from orca_core.domain.memories import NewMemory
from orca_core.domain.refs import EPISODE
from orca_core.domain.stores import Stores
from orca_core.domain.work.episodes import EPISODES, Episode
from orca_core.domain.work.tasks import Outcome
from orca_core.flows.jobs.fading import Fading
from orca_core.journal.operations import OpenOperation
from orca_core.journal_rules import JOURNAL_RULES
from orca_core.rules.forgetting import gate
from orca_core.rules.keeping import undo
from orca_core.settings.work import ForgetSettings
from orca_core.storage.sqlite.store import open_stores

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
TARGETS = ("nginx", "postgres", "redis", "payments-api", "ci", "报表", "网关", "检索")


def episode(number: int, chance: random.Random) -> Episode:
    made = NOW - timedelta(days=chance.randrange(0, 300))
    target = chance.choice(TARGETS)
    text = f"{target} broke for the {number}th time; restarted it, read the log, changed a timeout"
    outcome = chance.choice(list(Outcome))
    return Episode(0, str(number), text, text, made, made, made, target=target, steps=("a", "b"), outcome=outcome)


async def fill(stores: Stores, count: int) -> None:
    """All in a few large transactions, as no program would, but benchmarks may."""
    chance = random.Random(7)
    records = stores.records[EPISODE]
    header = OperationHeader(Actor.IMPORT, "import", NOW)
    for first in range(0, count, 1000):

        def write(rows, first=first) -> None:  # type: ignore[no-untyped-def]
            for number in range(first, min(first + 1000, count)):
                OpenOperation(rows, records._types, JOURNAL_RULES, header).create(EPISODES, episode(number, chance))

        await records._transactions.write(write)


async def waits_beside(stores: Stores, stop: asyncio.Event) -> list[float]:
    """How long small writes take beside it."""
    waits, number = [], 0
    while not stop.is_set():
        begun = time.perf_counter()
        await stores.memories.add(NewMemory(f"memory {number}"), OperationHeader(Actor.USER, "add", NOW))
        waits.append(time.perf_counter() - begun)
        number += 1
        await asyncio.sleep(0.005)
    return waits


def ms(seconds: float) -> str:
    return f"{1000 * seconds:9.1f} ms"


async def measure(count: int, folder: Path) -> None:
    stores = await open_stores(folder / "orca.db", scope="me", must_exist=False, rules=JOURNAL_RULES)
    await fill(stores, count)
    forget = ForgetSettings()
    begun = time.perf_counter()
    ages = await stores.fading.ages()
    print(f"read the ages of {len(ages)}".ljust(48), ms(time.perf_counter() - begun))
    begun = time.perf_counter()
    chosen = gate.forgotten_now(ages, NOW, forget)
    print(f"choose {len(chosen.all)} of them".ljust(48), ms(time.perf_counter() - begun))
    quiet = Fading(stores, ClockAt(NOW), ForgetSettings(threshold=0.0))
    begun = time.perf_counter()
    await quiet.run()
    print("a pass that finds nothing".ljust(48), ms(time.perf_counter() - begun))

    stop = asyncio.Event()
    beside = asyncio.create_task(waits_beside(stores, stop))
    begun = time.perf_counter()
    faded = await Fading(stores, ClockAt(NOW), forget).run()
    took = time.perf_counter() - begun
    stop.set()
    waits = sorted(await beside)
    print(f"a pass that forgets {len(faded.episodes)}".ljust(48), ms(took))
    print("a write beside it, median".ljust(48), ms(statistics.median(waits)))
    print("  the longest".ljust(48), ms(waits[-1]))
    begun = time.perf_counter()
    await stores.history.undo(faded.operation, NOW, undo.plan)
    print("taking it back".ljust(48), ms(time.perf_counter() - begun))
    await stores.housekeeping.aclose()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--episodes", type=int, default=10_000)
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measure(parser.parse_args().episodes, Path(folder)))


if __name__ == "__main__":
    main()
