"""What looking, opening and starting cost in homes of several sizes, and what they grow with.

    python benchmarks/what_grows.py [--memories 1000 10000 100000] [--runs 30] [--only WORD]

Each home has two messages a memory, at least 4,400, among them a chat of 2,000 rounds, each with its receipt; five per
cent of the memories are candidates, and twenty thousand turns moved weights where there are as many. It is built once
(`full_homes.py`). All is asked of an `Orca`, as the app and the commands ask. Prints a table: the median and
the 95th percentile of the milliseconds that all threads together computed, in the largest home also those that passed.
What it grows with is read off the medians of the two largest homes.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import random
import statistics
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from itertools import cycle
from pathlib import Path

from full_homes import LONG_CHATS, copied, home_of
from large_homes import MODEL, SCOPE, Given
from message_search import Speech
from msgspec import Struct, field
from stores import orca_on

from orca_core.model.record_types import memory_ref
from orca_core.model.sessions import MessageQuery
from orca_core.model.views import ListQuery
from orca_core.orca import Orca
from orca_core.store.sqlite.store import open_stores
from orca_core.store.sqlite.upkeep.completions import titles

PAGE, SHOWN_ROUNDS, LISTED_CHATS, HISTORY = 200, 20, 500, 200
ENOUGH_S = 4.0
SORTS = ("weight", "used", "new", "type")
STATUSES = ("live", "all", "archived", "candidate", "core", "rejected")
LARGE = "a chat of 2,000 rounds"

Act = Callable[[], Awaitable[object]]


class Figures(Struct):
    """Milliseconds of the runs of one act."""

    computed: list[float] = field(default_factory=list)
    passed: list[float] = field(default_factory=list)

    def words(self) -> str:
        return f"{statistics.median(self.computed):.2f} / {_p95(self.computed):.2f}"


async def opened(path: Path) -> Orca:
    stores = await open_stores(path, scope=SCOPE, must_exist=True)
    embedder = Given({})
    assert embedder.model == MODEL
    return orca_on(stores, lambda: embedder)


async def opened_and_closed(path: Path) -> None:
    await (await opened(path)).aclose()


def acts_of(orca: Orca, path: Path, memories: int) -> Mapping[str, Act]:
    """All that is measured, by what it is called."""
    chance, speech = random.Random(3), Speech(random.Random(11))
    numbers = cycle(chance.sample(range(1, memories + 1), min(200, memories)))
    lists = {
        f"list: first page of `{status}` by {sort}": _page(orca, ListQuery(status, sort=sort, limit=PAGE))
        for status in STATUSES
        for sort in (SORTS if status in ("live", "all") else SORTS[:1])
    }
    return {
        "opening and closing": lambda: opened_and_closed(path),
        **lists,
        "list: first page of one type": _page(orca, ListQuery(types=("event",), limit=PAGE)),
        "list: first page of pinned ones": _page(orca, ListQuery(pinned_only=True, limit=PAGE)),
        "list: a page in the middle, behind the one before it": _behind(orca, memories // 2),
        "list: the last page": _page(orca, ListQuery(limit=PAGE, offset=int(memories * 0.8))),
        "list: which of five marked ones are in it": _page(orca, ListQuery(ids=(1, 5, 9, 700, 800))),
        "list: filtered by a word that few hold": _page(orca, ListQuery(text=speech.english[20_000], limit=PAGE)),
        "list: filtered by a word that many hold": _page(orca, ListQuery(text=speech.chinese[3], limit=PAGE)),
        "list: filtered by a tag": _page(orca, ListQuery(tags=("tag7",), limit=PAGE)),
        **{
            f"filter: {what} by {sought}": act
            for sought, query in _filters(speech).items()
            for what, act in (("what is shown first", _first_found(orca, query)), ("all", _all_found(orca, query)))
        },
        "header: memories by status": orca.memories.counts,
        "header: what waits in the inbox": orca.inbox.waiting,
        "header: what waits to be learnt": orca.runs.queue,
        "inbox: its first page": _first_waiting(orca),
        "inbox: all of it": orca.inbox.waits,
        "inbox: how near one is to going live": lambda: orca.feedback.pools.weighed([next(numbers)]),
        "a memory's history": lambda: orca.history.changes_of(next(numbers)),
        "where a memory was shown": lambda: orca.sessions.appearances(memory_ref(next(numbers))),
        "activity: 200 operations": lambda: orca.history.activity(HISTORY),
        "activity: 200 runs": lambda: orca.runs.runs(HISTORY),
        "why: the latest round": orca.sessions.receipt,
        "why: a round named": lambda: orca.sessions.receipt(LARGE, 1_000),
        "prompt: what was asked before": lambda: orca.sessions.questions(HISTORY),
        "chats: the list": lambda: orca.sessions.list(LISTED_CHATS),
        **{f"{chat}: its end": _end(orca, chat) for chat in LONG_CHATS},
        f"{LARGE}: receipts of its end": lambda: orca.sessions.receipts(LARGE, range(1_980, 2_001)),
        f"{LARGE}: a page before it": lambda: orca.sessions.show(LARGE, SHOWN_ROUNDS, below=1_000),
        f"{LARGE}: what the header says of it": lambda: orca.sessions.show(LARGE, last=0),
        f"{LARGE}: the whole, as it is exported": lambda: orca.sessions.show(LARGE),
        **{f"messages: {kind}": _search(orca, texts) for kind, texts in _sought(speech, chance).items()},
        "completing: tags": lambda: asyncio.to_thread(titles, path, SCOPE, "tag", "", 50),
        "completing: memories": lambda: asyncio.to_thread(titles, path, SCOPE, "memory", "1", 50),
        "completing: profiles": lambda: asyncio.to_thread(titles, path, SCOPE, "profile", "", 50),
        "command: stats": orca.memories.stats,
        "command: doctor": orca.doctor.examine,
        "background: one round of it": orca.worker.tidy,
    }


def _page(orca: Orca, query: ListQuery) -> Act:
    return lambda: orca.memories.page(query)


def _filters(speech: Speech) -> Mapping[str, ListQuery]:
    return {
        "a word that few hold": ListQuery(text=speech.chinese[3]),
        "a word that many hold": ListQuery(text=speech.english[20_000]),
        "a word that none holds": ListQuery(text="zzqqxx"),
        "a tag": ListQuery(tags=("tag7",)),
    }


def _first_found(orca: Orca, query: ListQuery) -> Act:
    async def first() -> None:
        async with aclosing(orca.memories.sift(query)) as found:
            sifted = await anext(found)
        await orca.memories.page(ListQuery(ids=sifted.ids[:PAGE]))

    return first


def _all_found(orca: Orca, query: ListQuery) -> Act:
    async def whole() -> None:
        async for _sifted in orca.memories.sift(query):
            continue

    return whole


def _first_waiting(orca: Orca) -> Act:
    async def first() -> None:
        async with aclosing(orca.inbox.pages(PAGE)) as pages:
            await anext(pages)

    return first


def _behind(orca: Orca, memory: int) -> Act:
    return lambda: orca.memories.page(ListQuery("all", limit=PAGE, after=memory))


def _end(orca: Orca, chat: str) -> Act:
    return lambda: orca.sessions.show(chat, SHOWN_ROUNDS)


def _search(orca: Orca, texts: Sequence[str]) -> Act:
    sought = cycle(texts)
    return lambda: orca.sessions.search(MessageQuery(next(sought), limit=50))


def _sought(speech: Speech, chance: random.Random) -> Mapping[str, Sequence[str]]:
    common, rare = speech.english[:5_000], speech.english[20_000:]
    return {
        "one letter": [chance.choice(common)[:1] for _ in range(50)],
        "two letters": [chance.choice(common)[:2] for _ in range(50)],
        "a Chinese word": [chance.choice(speech.chinese[:5_000]) for _ in range(50)],
        "a Chinese character": [chance.choice(speech.chinese[:5_000])[0] for _ in range(50)],
        "a common word": [chance.choice(common[:100]) for _ in range(50)],
        "a rare word": [chance.choice(rare) for _ in range(50)],
    }


async def measured(act: Act, runs: int) -> Figures:
    figures, began = Figures(), time.perf_counter()
    await act()
    for done in range(runs):
        computed, passed = time.process_time(), time.perf_counter()
        await act()
        figures.computed.append(1000 * (time.process_time() - computed))
        figures.passed.append(1000 * (time.perf_counter() - passed))
        if time.perf_counter() - began > ENOUGH_S and done >= 2:
            break
    return figures


async def measure(memories: int, runs: int, only: str) -> dict[str, Figures]:
    with copied(await home_of(memories)) as path:
        orca = await opened(path)
        await orca.worker.tidy()
        acts = acts_of(orca, path, memories)
        found = {name: await measured(act, runs) for name, act in acts.items() if only in name}
        await orca.aclose()
    return found


def growth(before: float, after: float, times: float) -> str:
    """With what something grows of which there is so many times as much."""
    if after - before < 1.0 or after < 1.25 * before:
        return "nothing"
    if after < before * (1 + math.log10(times)):
        return "the logarithm"
    return "the home" if after < 1.5 * times * before else "more than the home"


def _p95(values: Sequence[float]) -> float:
    return sorted(values)[max(0, math.ceil(0.95 * len(values)) - 1)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--memories", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--runs", type=int, default=30)
    parser.add_argument("--only", default="", help="what has this in its name")
    given = parser.parse_args()
    by_size = {size: asyncio.run(measure(size, given.runs, given.only)) for size in given.memories}
    sizes = list(by_size)
    print("| what | " + " | ".join(f"{size:,}" for size in sizes) + " | passed | grows with |")
    print("|" + " --- |" * (len(sizes) + 3))
    for name in by_size[sizes[-1]]:
        figures = [by_size[size][name] for size in sizes]
        last = [statistics.median(each.computed) for each in figures[-2:]]
        word = growth(last[0], last[-1], sizes[-1] / sizes[-2]) if len(sizes) > 1 else ""
        passed = f"{statistics.median(figures[-1].passed):.1f} / {_p95(figures[-1].passed):.1f}"
        print("| " + " | ".join((name, *(each.words() for each in figures), passed, word)) + " |")


if __name__ == "__main__":
    main()
