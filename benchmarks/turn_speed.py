"""What memory costs a turn, at ten thousand memories: injection whole, a turn's own overhead, the weight update.

    python benchmarks/turn_speed.py [--memories 10000] [--turns 200]

The model answers at once, so that a turn's time is Orca's own. The weight update is the record of a finished round:
answer, short-term summary, usage, weights, history and receipt in one transaction.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
import time
from pathlib import Path

from stores import ScriptedModel, orca_with, says, sentence, summary

from orca_core.model.events import Injected, Reply
from orca_core.model.llm import Span
from orca_core.model.sessions import SessionById, TurnRequest
from orca_core.services.chat.recall import RecallRequest


async def measure(home: Path, memories: int, turns: int) -> None:
    model = ScriptedModel(says("Use port 5433 of the postgres container, and look at its log first. " * 4))
    orca = await orca_with(home, memories, model=model)
    chance = random.Random(7)
    questions = [f"docker 报错: {sentence(number, chance)}?" for number in range(turns + 5)]

    injections = []
    for question in questions:
        request = RecallRequest(question, "benchmark", False, frozenset(), 4000)
        started = time.perf_counter()
        await orca.recall.recall(request)
        injections.append(time.perf_counter() - started)

    whole, record, injected = [], [], []
    for number, question in enumerate(questions):
        started = time.perf_counter()
        replied = started
        async for event in orca.chat.turn(
            TurnRequest((Span(question),), SessionById(f"s{number // 20}", may_be_new=True))
        ):
            if isinstance(event, Reply):
                replied = time.perf_counter()
            elif isinstance(event, Injected):
                injected.append(event.injection.seconds)
        ended = time.perf_counter()
        whole.append(ended - started)
        record.append(ended - replied)
        await orca.worker.tidy()

    print(f"{memories} memories, {turns} turns, the first five left out")
    print(summary("injection whole", injections[5:], "25 ms"))
    print(summary("injection inside a turn", injected[5:], "25 ms"))
    print(summary("a turn's own overhead", whole[5:], "60 ms"))
    print(summary("judging, recording, weights", record[5:]))
    print(summary("weight update alone", await weight_updates(orca, turns), "5 ms"))
    await orca.aclose()


async def weight_updates(orca: object, turns: int) -> list[float]:
    """The time of a hand edit of one weight: one transaction with its history, as a turn's are."""
    from orca_core.orca import Orca

    assert isinstance(orca, Orca)
    seconds = []
    for number in range(turns):
        started = time.perf_counter()
        await orca.memories.edit(number + 1, weight=2.0 + number / 1000)
        seconds.append(time.perf_counter() - started)
    return seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--turns", type=int, default=200)
    parser.add_argument("--home", type=Path, help="keep the database here, so that the next run need not fill it")
    arguments = parser.parse_args()
    if arguments.home:
        asyncio.run(measure(arguments.home, arguments.memories, arguments.turns))
        return
    with tempfile.TemporaryDirectory() as home:
        asyncio.run(measure(Path(home), arguments.memories, arguments.turns))


if __name__ == "__main__":
    main()
