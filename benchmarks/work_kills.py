"""Kill -9 at random moments of work, again and again on one database: nothing that was said to be done may be lost,
nothing doubled.

    python benchmarks/work_kills.py [KIND …] [--kills 100]

A child process works without end and prints what is done. The parent kills it, opens the database as the next start
would, and compares what was said to be done with what is there. Each kind is a line in `WORKS` of
`tests/fakes/endless.py`: what works until it is killed, and what counts what is not as it must be.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
from collections import Counter
from pathlib import Path

import stores  # noqa: F401  # it says where fakes are

from fakes.endless import WORKS, Work  # isort: skip
from fakes.killing import killed  # isort: skip


def killed_again_and_again(name: str, work: Work, kills: int) -> tuple[Counter[str], int]:
    """What was wrong after any of the kills, and how much was acknowledged before them."""
    chance = random.Random()
    said: list[str] = []
    wrong: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(kills):
            said += killed(name, Path(folder), chance, work.within_s)
            wrong |= asyncio.run(work.look(Path(folder), said))
    return wrong, len(said)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=", ".join(WORKS))
    parser.add_argument("--kills", type=int, default=100)
    arguments = parser.parse_args()
    has_failed = False
    for name in arguments.kinds or WORKS:
        wrong, acknowledged = killed_again_and_again(name, WORKS[name], arguments.kills)
        has_failed = has_failed or bool(wrong)
        told = ", ".join(f"{what} {count}" for what, count in wrong.items()) or "nothing lost, nothing doubled"
        print(f"{name}: {arguments.kills} kills, {acknowledged} things acknowledged: {told}", flush=True)
    sys.exit(has_failed)


if __name__ == "__main__":
    main()
