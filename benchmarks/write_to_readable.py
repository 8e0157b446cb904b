"""How long after a fact is told can the next question find it, by words and by meaning?

    python benchmarks/write_to_readable.py [--memories 10000] [--facts 100]

Each fact is told in a turn ("remember that …"). Printed is the wall time from the moment the turn has ended until a
search finds it by its words, and until its vector counts, too, which the background makes; how long the turn itself
took; and how many of the facts the very next turn of the same chat, sent without a pause, put before the model.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
import time
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

from stores import ScriptedModel, only, orca_with, says, summary, turn

from orca_core.model.events import Injected, Remembered
from orca_core.orca import Orca

COLOURS = "red green blue amber violet teal maroon olive silver".split()
THINGS = "harbour lantern orchard granary windmill lighthouse foundry archive terrace".split()


def fact(number: int, chance: random.Random) -> str:
    thing = f"{chance.choice(COLOURS)} {chance.choice(THINGS)}"
    return f"the {thing} of depot {number} opens at {chance.randrange(24)} o'clock"


async def measure(home: Path, memories: int, facts: int) -> None:
    orca = await orca_with(home, memories, model=ScriptedModel(says("I will.")))
    chance = random.Random(20)
    told, by_words, by_meaning = [], [], []
    put_before_the_model = 0
    for number in range(facts):
        chat = f"s{number // 10}"
        text = fact(number, chance)
        began = time.perf_counter()
        wanted = only(await turn(orca, f"remember that {text}", session_id=chat), Remembered).memory.id
        told.append(time.perf_counter() - began)
        if number % 2:
            events = await turn(orca, f"docker error: when does depot {number} open?", session_id=chat)
            injected = only(events, Injected).injection.injected
            put_before_the_model += any(item.ref.id == wanted for item in injected)
        else:
            began = time.perf_counter()
            by_words.append(await until(partial(is_found, orca, text, wanted, by_meaning=False), began))
            by_meaning.append(await until(partial(is_found, orca, text, wanted, by_meaning=True), began))
    await orca.aclose()
    print(f"{memories:,} memories, {facts} facts")
    print(summary("telling it, the whole turn", told))
    print(summary("until found by words", by_words))
    print(summary("until found by meaning", by_meaning))
    print(f"before the model in the very next turn: {put_before_the_model} of {facts // 2}")


async def until(found: Callable[[], Awaitable[bool]], began: float) -> float:
    """The seconds after which this was so."""
    while not await found():  # each look takes milliseconds, in which the background goes on
        pass
    return time.perf_counter() - began


async def is_found(orca: Orca, text: str, wanted: int, *, by_meaning: bool) -> bool:
    found = (await orca.search.look(text, cached=False)).found
    return any(each.memory.id == wanted and (each.evidence.cosine is not None or not by_meaning) for each in found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--facts", type=int, default=100)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        asyncio.run(measure(Path(home), arguments.memories, arguments.facts))


if __name__ == "__main__":
    main()
