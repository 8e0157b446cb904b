"""Kill -9 at random moments of work, again and again on one database: nothing that was said to be done may be lost,
nothing doubled.

    python benchmarks/work_kills.py [KIND …] [--kills 100]

A child process works without end and prints what is done. The parent kills it, opens the database as the next start
would, and compares what was said to be done with what is there. Each kind is a line in `KINDS`: a program that works
until it is killed (its argument is the home), and a function that counts what is not as it must be.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path
from typing import NamedTuple

import stores  # noqa: F401  # it says where fakes are

from fakes import (  # isort: skip
    endless_acting,
    endless_fading,
    endless_promoting,
    endless_guiding,
    endless_tasks,
    endless_teaching,
    endless_telling,
)


class Killed(NamedTuple):
    """What is killed, and what is looked at afterwards. `within_s` is how long after its first line at most."""

    program: Path
    look: Callable[[Path, Iterable[str]], Awaitable[Counter[str]]]
    within_s: float = 0.4


KINDS = {
    "acts": Killed(Path(endless_acting.__file__), endless_acting.look, within_s=2.5),
    "episodes": Killed(Path(endless_telling.__file__), endless_telling.look),
    "fading": Killed(Path(endless_fading.__file__), endless_fading.look, within_s=0.8),
    "promotions": Killed(Path(endless_promoting.__file__), endless_promoting.look, within_s=1.2),
    "guides": Killed(Path(endless_guiding.__file__), endless_guiding.look, within_s=0.8),
    "knowledge": Killed(Path(endless_teaching.__file__), endless_teaching.look),
    "tasks": Killed(Path(endless_tasks.__file__), endless_tasks.look),
}


def killed_again_and_again(kind: Killed, kills: int) -> tuple[Counter[str], int]:
    """What was wrong after any of the kills, and how much was acknowledged before them."""
    chance = random.Random()
    said: list[str] = []
    wrong: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(kills):
            with subprocess.Popen(
                [sys.executable, kind.program, folder],
                stdout=subprocess.PIPE,
                text=True,
            ) as child:
                assert child.stdout is not None
                said.append(child.stdout.readline())
                time.sleep(chance.uniform(0.0, kind.within_s))
                child.send_signal(signal.SIGKILL)
                said += [line for line in child.stdout if line.endswith("\n")]
            wrong |= asyncio.run(kind.look(Path(folder), said))
    return wrong, len(said)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=", ".join(KINDS))
    parser.add_argument("--kills", type=int, default=100)
    arguments = parser.parse_args()
    has_failed = False
    for name in arguments.kinds or KINDS:
        wrong, acknowledged = killed_again_and_again(KINDS[name], arguments.kills)
        has_failed = has_failed or bool(wrong)
        told = ", ".join(f"{what} {count}" for what, count in wrong.items()) or "nothing lost, nothing doubled"
        print(f"{name}: {arguments.kills} kills, {acknowledged} things acknowledged: {told}", flush=True)
    sys.exit(has_failed)


if __name__ == "__main__":
    main()
