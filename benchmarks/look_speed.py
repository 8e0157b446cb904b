"""How long does a search take? Ten thousand memories, the built-in embedder, questions of words that many hold.

Prints the CPU time of a look for what comes unasked, and of a wide one for what a person asks.

    python benchmarks/look_speed.py [--memories 10000]
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
import time
from pathlib import Path

from stores import orca_with, sentence, summary

QUESTIONS = 200
WARM_UP = 20


async def measure(home: Path, memories: int) -> None:
    orca = await orca_with(home, memories)
    chance = random.Random(5)
    asked = [
        f"why does {' '.join(chance.sample(sentence(number, chance).split(), 4))} 连不上数据库 怎么办?"
        for number in range(QUESTIONS)
    ]
    for look, name in ((orca.search.look, "unasked"), (orca.search.look_around, "asked")):
        for question in asked[:WARM_UP]:
            await look(question, cached=False)
        seconds = []
        for question in asked:
            started = time.process_time()
            await look(question, cached=False)
            seconds.append(time.process_time() - started)
        print(summary(f"CPU of a look at {memories:,}, {name}", seconds, "10 ms"))
    await orca.aclose()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=10_000)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        asyncio.run(measure(Path(home), arguments.memories))


if __name__ == "__main__":
    main()
