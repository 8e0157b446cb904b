"""How long a run of the memory agent holds the lock: fifteen facts of five rounds, among memories near to them.

    python benchmarks/learning_holds.py [--memories 300 1500] [--runs 5]

For each size the transactions of the rounds and the run that held the lock longest: milliseconds of the processor, and
of the clock, on the median of the runs. Other writers wait for those of the clock. Each run is a process of its own:
the first facts of a process have the rules read their words.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import tempfile
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from holding import Hold, watched
from stores import ScriptedModel, orca_with, says, turn

from fakes.facts import fact, finds  # isort: skip  # `stores` says where fakes are

FACTS, ROUNDS, SHOWN = 15, 5, 3
TOOLS = "postgres redis nginx docker kafka mysql sqlite grafana vault consul nomad celery traefik envoy caddy".split()
SAID = (
    "{tool} 的端口是 {number}",
    "我用 {tool} 版本 {number}",
    "{tool} 装在 {other} 的服务器上，编号 {number}",
    "My {tool} listens on port {number}",
    "生产环境的 {tool} 内存限制是 {number} MB",
)


def sentence(chance: random.Random) -> str:
    tool, other = chance.sample(TOOLS, 2)
    return chance.choice(SAID).format(tool=tool, other=other, number=chance.randrange(1_000, 60_000))


async def learnt(home: Path, memories: int, seed: int) -> list[Hold]:
    """What one run held."""
    chance = random.Random(seed)
    said = [sentence(chance) for _ in range(FACTS)]
    model, agent = ScriptedModel(*[says("好")] * ROUNDS), ScriptedModel(finds(*(fact(each, each) for each in said)))
    with watched() as watch:
        orca = await orca_with(home, 0, model=model, agent=agent)
        for _ in range(memories):
            await orca.memories.add(sentence(chance), type_word="fact")
        await orca.worker.tidy()
        watch.holds.clear()
        for number in range(ROUNDS):
            await turn(orca, "。".join(said[number::ROUNDS]), session_id="s")
        await orca.worker.learn_now()
        held = list(watch.holds)
        await orca.aclose()
    return held


def learnt_anew(memories: int, seed: int) -> list[Hold]:
    with tempfile.TemporaryDirectory() as home:
        return asyncio.run(learnt(Path(home), memories, seed))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--memories", type=int, nargs="+", default=[300, 1_500])
    parser.add_argument("--runs", type=int, default=5)
    arguments = parser.parse_args()
    for memories in arguments.memories:
        longest: dict[str, list[Hold]] = defaultdict(list)
        for seed in range(arguments.runs):
            with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as own:
                for each in own.submit(learnt_anew, memories, seed).result():
                    longest[each.name].append(each)
        by_cpu = sorted(longest.items(), key=lambda named: -max(each.cpu_s for each in named[1]))
        print(f"{memories:,} memories")
        for name, holds in by_cpu[:SHOWN]:
            cpu, wall = ([1_000 * getattr(each, of) for each in holds] for of in ("cpu_s", "seconds"))
            print(
                f"    {name:40} CPU {statistics.median(cpu):6.1f}, most {max(cpu):6.1f}"
                f"   clock {statistics.median(wall):6.1f}, most {max(wall):6.1f}"
            )


if __name__ == "__main__":
    main()
