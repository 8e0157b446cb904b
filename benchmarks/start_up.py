"""How long commands take from their start to their end, measured against `python -c pass` in the same run, by turns.

python benchmarks/start_up.py [--memories 300 10000 100000] [--runs 10] [--against PYTHON] [--only WORD ...]

In homes as people have them after years (`full_homes.py`). `orca doctor` and `orca memory export` read all there is,
and run once for three of the others. Wall time, and CPU time of the whole process; `--against` measures another
checkout in the same run, by turns: the Python of its environment is named.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from full_homes import copied
from msgspec import Struct, field

BARE = "python -c pass"
COMMANDS = (
    "orca --help",
    "orca memory list",
    "orca memory pin 1",
    "orca chat hello",
    "orca memory list --json --limit 20",
    "orca memory inbox --json --limit 20",
    "orca why",
    "orca session list",
    "orca search ban",
)
LONG = ("orca doctor", "orca memory export")
EVERY = 3
TARGETS = {
    "orca --help": "CPU <= 150 ms",
    "orca memory list": "CPU <= 300 ms with 300",
    "orca memory pin 1": "CPU <= 300 ms",
    "orca chat hello": "CPU <= 700 ms",
}
DOCTOR_FINDS_SOMETHING = 1
_ROOT = "import pathlib, orca_core; print(pathlib.Path(orca_core.__file__).parents[1])"
_HOME = "import asyncio, sys; from full_homes import home_of; print(asyncio.run(home_of(int(sys.argv[1]))))"


class Times(Struct):
    """Milliseconds of the runs of one command."""

    passed: list[float] = field(default_factory=list)
    computed: list[float] = field(default_factory=list)


class Checkout(Struct):
    """An Orca that is measured: the Python that runs it, a home that it made, and the times of each command."""

    python: str
    home: str
    times: dict[str, Times]

    def run(self, name: str, into: Times) -> None:
        before, started = _of_children(), time.perf_counter()
        environ = {**os.environ, "ORCA_HOME": self.home, "PYTHONPYCACHEPREFIX": f"{self.home}/compiled"}
        environ.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed Orca is compiled
        done = subprocess.run(
            _command(self.python, name),
            env=environ,
            cwd=self.home,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
        )
        into.passed.append(1000 * (time.perf_counter() - started))
        into.computed.append(1000 * (_of_children() - before))
        allowed = (0, DOCTOR_FINDS_SOMETHING) if name == "orca doctor" else (0,)
        assert done.returncode in allowed, f"{name} ended with {done.returncode}"


def _command(python: str, name: str) -> list[str]:
    return [python, "-c", "pass"] if name == BARE else [python, "-m", "orca_tui", *name.split()[1:]]


def _of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def home_by(python: str, memories: int) -> Path:
    """The database of a home that the Orca of this Python made."""
    root = subprocess.check_output([python, "-c", _ROOT], text=True).strip()
    made = subprocess.check_output([python, "-c", _HOME, str(memories)], text=True, cwd=Path(root) / "benchmarks")
    return Path(made.strip())


def measure(memories: int, runs: int, pythons: Sequence[str], names: Sequence[str]) -> None:
    with ExitStack() as homes:
        checkouts = [
            Checkout(python, str(homes.enter_context(copied(home_by(python, memories))).parent), defaultdict(Times))
            for python in pythons
        ]
        for checkout in checkouts:
            for name in names:  # a new home is looked after once, and all is compiled
                if name not in LONG:
                    checkout.run(name, Times())
        for number in range(runs):
            for name in names:
                for checkout in checkouts:
                    if name not in LONG or number % EVERY == 0:
                        checkout.run(name, checkout.times[name])
    print(f"{memories:,} memories, median of {runs} runs")
    for name in names:
        for checkout in checkouts:
            each = checkout.times[name]
            words = f"{statistics.median(each.passed):7.0f} ms {statistics.median(each.computed):7.0f} ms CPU"
            whose = f"   {checkout.python}" if len(checkouts) > 1 else ""
            print(f"{name:36} {words}   {TARGETS.get(name, ''):24}{whose}".rstrip(), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--memories", type=int, nargs="+", default=[300, 10_000, 100_000])
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--against", metavar="PYTHON")
    parser.add_argument(
        "--only", nargs="+", metavar="WORD", default=(), help="commands that have one of these words (help, list …)"
    )
    given = parser.parse_args()
    pythons = [*([given.against] if given.against else []), sys.executable]
    names = [each for each in (*COMMANDS, *LONG) if not given.only or any(word in each for word in given.only)]
    for memories in given.memories:
        measure(memories, given.runs, pythons, [BARE, *names])


if __name__ == "__main__":
    main()
