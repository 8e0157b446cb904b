"""What a turn costs Orca as its chat grows: until the question goes out, and after the answer.

    python benchmarks/long_chats.py [--rounds 2000] [--memories 1000] [--folds]

The model answers at once, so that the time is Orca's own; printed is the median of the twenty rounds before each
length. With `--folds` the demo's memory agent sums up what is older; without it all stands verbatim that may.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import tempfile
import time
from pathlib import Path

from long_conversation import Answers, question
from stores import orca_with

from orca_core.demo.demo_agent import DemoAgent
from orca_core.model.events import Injected, Reply
from orca_core.model.llm import Span
from orca_core.model.sessions import SessionById, TurnRequest
from orca_core.settings import MemoryAgentSettings, Settings, SummarizeSettings

LENGTHS = (20, 50, 100, 200, 500, 1_000, 2_000, 5_000)
OF_EACH = 20


async def measure(home: Path, rounds: int, memories: int, *, folds: bool) -> None:
    settings = Settings(memory_agent=MemoryAgentSettings(summarize=SummarizeSettings(enabled=folds)))
    orca = await orca_with(home, memories, model=Answers(), agent=DemoAgent() if folds else None, settings=settings)
    chance = random.Random(20)
    before: list[float] = []
    after: list[float] = []
    print(
        "CPU ms, median of twenty rounds\n\n| rounds | until the question goes out | after the answer |\n|--:|--:|--:|"
    )
    for number in range(1, rounds + 1):
        await orca.worker.drain()
        began = sent = replied = time.process_time()
        said = (Span(question(number, chance)),)
        async for event in orca.chat.turn(TurnRequest(said, SessionById("long", may_be_new=True))):
            if isinstance(event, Injected):
                sent = time.process_time()
            elif isinstance(event, Reply):
                replied = time.process_time()
        before.append(sent - began)
        after.append(time.process_time() - replied)
        if number in LENGTHS:
            ms = [1000 * statistics.median(each[-OF_EACH:]) for each in (before, after)]
            print(f"| {number:,} | {ms[0]:.1f} | {ms[1]:.1f} |", flush=True)
    await orca.aclose()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=2_000)
    parser.add_argument("--memories", type=int, default=1_000)
    parser.add_argument("--folds", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        asyncio.run(measure(Path(home), arguments.rounds, arguments.memories, folds=arguments.folds))


if __name__ == "__main__":
    main()
