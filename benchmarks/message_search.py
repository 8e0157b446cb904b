"""Searching what was said: how long a search takes among many messages, and what it costs others to index them.

    python benchmarks/message_search.py [--messages 200000] [--searches 100]

The messages are made of words whose commonness falls with their rank, half of them English, half Chinese; questions
have some 80 characters, answers some 400. A search is all that Orca does: it reads what is looked for, finds,
judges, and cuts the piece that is shown. Beside it stands what it took before there was an index: LIKE over every
message, newest first. Times of searches are of the processor, unless --wall is given.

The index is made as for an older database, in slices, while a second connection, as another process would have, begins
a write again and again and tells how long it waited. At last a chat of two thousand messages is deleted.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import random
import sys
import tempfile
import threading
import time
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TypeVar

import apsw

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from fakes.records import header

from orca_core.model.sessions import MessageQuery, MessageSort
from orca_core.operations.stores import Stores
from orca_core.services.sessions import find_messages
from orca_core.store.sqlite.index.message_search import index_slice
from orca_core.store.sqlite.store import open_stores

T = TypeVar("T")

WORDS = 30_000
A_CHAT, LONG_CHAT = 40, 2_000
LONG_CHATS = {"long": LONG_CHAT // 2}
WATCHED_S = 20.0
QUESTION_CHARS, ANSWER_CHARS = 80, 400
SYLLABLES = [a + b for a in "b c d f g k l m n p r s t v z st tr pl".split() for b in "a e i o u an er in ol".split()]
NOW = "2026-11-20T12:00:00.000000Z"
LIKE = """
    SELECT m.content FROM main_messages m JOIN rounds r ON r.id = m.round_id
    JOIN sessions s ON s.scope = r.scope AND s.id = r.session_id
    WHERE r.scope = 'me' AND r.replaced_by IS NULL {} ORDER BY m.id DESC LIMIT 20
"""


class Speech:
    """Words by their rank, drawn as people use them."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        characters = [chr(0x4E00 + number) for number in chance.sample(range(20_000), 3_500)]
        latin = ("".join(chance.choices(SYLLABLES, k=chance.randint(1, 4))) for _ in range(9 * WORDS))
        self.english = list(dict.fromkeys(latin))[:WORDS]
        self.chinese = list(dict.fromkeys("".join(chance.choices(characters, k=2)) for _ in range(3 * WORDS)))[:WORDS]
        self._weights = list(itertools.accumulate(1 / (rank + 3) for rank in range(WORDS)))

    def words(self, of: list[str], count: int) -> list[str]:
        return self._chance.choices(of, cum_weights=self._weights, k=count)

    def message(self, chars: int) -> str:
        """In one language, with a word of the other now and then."""
        length = max(4.0, self._chance.gauss(chars, chars / 3))
        if self._chance.random() < 0.5:
            return " ".join([*self.words(self.english, int(length / 7) + 1), *self.words(self.chinese, 1)])
        said = self.words(self.chinese, int(length / 2) + 1)
        return "".join([*said[: len(said) // 2], *self.words(self.english, 1), "，", *said[len(said) // 2 :], "。"])


def fill(
    connection: apsw.Connection, speech: Speech, messages: int, long_chats: Mapping[str, int] = LONG_CHATS
) -> None:
    """A database as an Orca left it that knew no index: chats of so many rounds first, short ones up to so many
    messages behind them."""
    chats = itertools.chain(long_chats.items(), ((f"chat {number}", A_CHAT) for number in itertools.count()))
    number, chat, left = 0, "", 0
    with connection:
        for round_id in range(1, max(messages // 2, sum(long_chats.values())) + 1):
            if left == 0:
                number, (chat, left) = 0, next(chats)
                connection.execute(
                    "INSERT INTO sessions (id, scope, title, created_at, used_at) VALUES (?1, 'me', 't', ?2, ?2)",
                    (chat, NOW),
                )
            number, left = number + 1, left - 1
            connection.execute(
                "INSERT INTO rounds (id, scope, session_id, number, attempt, state, started_at)"
                " VALUES (?, 'me', ?, ?, 1, 'done', ?)",
                (round_id, chat, number, NOW),
            )
            for role, chars in (("user", QUESTION_CHARS), ("assistant", ANSWER_CHARS)):
                connection.execute(
                    "INSERT INTO main_messages (round_id, role, content, at) VALUES (?, ?, ?, ?)",
                    (round_id, role, speech.message(chars), NOW),
                )


class OtherProcess:
    """Begins a write again and again, and notes how long it waited."""

    def __init__(self, path: Path) -> None:
        self.waits_s: list[float] = []
        self._path = path
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._write)

    def __enter__(self) -> OtherProcess:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._thread.join()

    def _write(self) -> None:
        connection = apsw.Connection(str(self._path))
        connection.set_busy_timeout(60_000)
        while not self._is_over.wait(0.02):
            began = time.perf_counter()
            connection.execute("BEGIN IMMEDIATE")
            self.waits_s.append(time.perf_counter() - began)
            connection.execute("ROLLBACK")
        connection.close()


def size_of(path: Path) -> int:
    return path.stat().st_size


def quantile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def drawn(speech: Speech, kind: str, chance: random.Random) -> MessageQuery:
    """A search of a kind. The most common words stand in every tenth message, those behind rank 20,000 in some ten."""

    def word(of: list[str], first: int, last: int) -> str:
        return of[chance.randrange(first, last)]

    english, chinese = speech.english, speech.chinese
    text = {
        "common": lambda: word(english, 0, 100),
        "rare": lambda: word(english, 20_000, WORDS),
        "in no message": lambda: f"zz{chance.randrange(10**6)}qq",
        "Chinese, common": lambda: word(chinese, 0, 100),
        "Chinese, rare": lambda: word(chinese, 20_000, WORDS),
        "one Chinese character": lambda: word(chinese, 0, 5_000)[0],
        "two words, common": lambda: f"{word(english, 0, 100)} {word(english, 0, 100)}",
        "two words, common and rare": lambda: f"{word(english, 0, 100)} {word(english, 5_000, WORDS)}",
        "two words, both languages": lambda: f"{word(english, 0, 300)} {word(chinese, 0, 300)}",
        "a phrase": lambda: f'"{word(english, 0, 30)} {word(english, 0, 30)}"',
        "two letters": lambda: word(english, 0, 5_000)[:2],
        "one letter": lambda: word(english, 0, 5_000)[:1],
        "common, in one chat": lambda: word(english, 0, 100),
    }[kind]()
    return MessageQuery(text, session_id="chat 7" if kind.endswith("one chat") else None)


KINDS = (
    "common", "rare", "in no message", "Chinese, common", "Chinese, rare", "one Chinese character", "two words, common",
    "two words, common and rare", "two words, both languages", "a phrase", "two letters", "one letter",
    "common, in one chat",
)  # fmt: skip
HAVE_A_BOUND = ("common", "rare", "Chinese, common", "Chinese, rare", "two words, common", "two words, common and rare")
BOUND_MS = 30


async def timed(work: Callable[[], Awaitable[T]], now: Callable[[], float] = time.perf_counter) -> tuple[float, T]:
    began = now()
    result = await work()
    return now() - began, result


def by_like(connection: apsw.Connection, query: MessageQuery, now: Callable[[], float]) -> float:
    words = query.text.strip('"').split()
    wanted = "".join(" AND m.content LIKE ?" for _ in words) + (" AND r.session_id = ?" if query.session_id else "")
    values = [*(f"%{word}%" for word in words), *([query.session_id] if query.session_id else [])]
    began = now()
    connection.execute(LIKE.format(wanted), values).fetchall()
    return now() - began


async def search(stores: Stores, path: Path, speech: Speech, searches: int, now: Callable[[], float]) -> None:
    scan = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    scan.execute("PRAGMA cache_size=-32768").fetchall()
    print(f"{'':30} {'newest first':>16} {'best first':>16} {'LIKE':>16}  {'LIKE over':>9}  hits")
    print(f"{'':30} {'p50     p95 ms':>16} {'p50     p95 ms':>16} {'p50     p95 ms':>16}  {'newest':>9}")
    for kind in KINDS:
        chance = random.Random(kind)
        queries = [drawn(speech, kind, chance) for _ in range(searches)]
        newest: list[float] = []
        best: list[float] = []
        hits = 0
        for query in queries:
            for sort, into in ((MessageSort.NEW, newest), (MessageSort.BEST, best)):
                asked = MessageQuery(query.text, query.session_id, sort=sort)
                took, found = await timed(partial(find_messages, stores.messages, stores.sessions, asked), now)
                into.append(took * 1000)
            hits += len(found.hits)
        before = [by_like(scan, query, now) * 1000 for query in queries[: max(5, searches // 5)]]
        figures = [f"{quantile(each, 0.5):7.1f} {quantile(each, 0.95):8.1f}" for each in (newest, best, before)]
        ratio = quantile(before, 0.95) / quantile(newest, 0.95)
        is_over = kind in HAVE_A_BOUND and max(quantile(newest, 0.95), quantile(best, 0.95)) > BOUND_MS
        print(
            f"{kind:30} {'  '.join(figures)}  {ratio:8.1f}x  {hits / searches:4.1f}{' OVER' if is_over else ''}",
            flush=True,
        )
    scan.close()


async def measure(path: Path, messages: int, searches: int, now: Callable[[], float]) -> None:
    speech = Speech(random.Random(11))
    stores = await open_stores(path, scope="me", must_exist=False)
    filler = apsw.Connection(str(path))
    fill(filler, speech, messages)
    filler.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    filler.close()
    scope = stores.upkeep._scope  # type: ignore[attr-defined]
    without = size_of(path)
    with OtherProcess(path) as other:
        took, left = await timed(lambda: stores.messages.catch_up(WATCHED_S))
    report_waits(f"indexed {messages - left:,} messages in {took:.0f} s", other)
    began = time.process_time()
    while await stores.messages.backlog():
        for _ in range(100):
            await scope.on_writer(index_slice)
    print(f"the other {left:,} took {time.process_time() - began:.0f} s of the processor")
    await scope.checkpoint()
    print(f"the file has {without / 1e6:.0f} MB without the index, {size_of(path) / 1e6:.0f} MB with it")
    await search(stores, path, speech, searches, now)
    took, state = await timed(stores.messages.examine, now)
    assert state.is_in_step, state
    whole, _ = await timed(stores.upkeep.health, now)
    print(f"the doctor counts in {took:.2f} s, and looks at the whole file in {whole:.2f} s")
    with OtherProcess(path) as other:
        began = now()
        took, _ = await timed(lambda: stores.sessions.delete("long", header("delete")))
    report_waits(f"deleted a chat of {LONG_CHAT:,} messages in {took:.1f} s ({now() - began:.1f} s)", other)
    with OtherProcess(path) as other:
        took, _ = await timed(stores.messages.rebuild)
    report_waits(f"dropped the index in {took:.2f} s", other)
    await stores.upkeep.aclose()


def report_waits(what: str, other: OtherProcess) -> None:
    waits = [each * 1000 for each in other.waits_s] or [0.0]
    figures = f"{quantile(waits, 0.5):.1f} ms (p50), {quantile(waits, 0.95):.1f} (p95), {max(waits):.1f} at most"
    print(f"{what}; another writer waited {figures}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--messages", type=int, default=200_000)
    parser.add_argument("--searches", type=int, default=100)
    parser.add_argument("--wall", action="store_true", help="the clock, not the processor: on a machine that is quiet")
    given = parser.parse_args()
    now = time.perf_counter if given.wall else time.process_time
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measure(Path(folder) / "orca.db", given.messages, given.searches, now))


if __name__ == "__main__":
    main()
