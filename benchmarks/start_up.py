"""How long commands take from their start to their end, measured against `python -c pass` in the same run, by turns.

python benchmarks/start_up.py [--memories 10000 100000] [--runs 15]

In homes as people have them after years (`full_homes.py`). `orca doctor` and `orca memory export` read all there is,
and run once for three of the others. Wall time, and CPU time of the whole process.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import resource
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass, field

from full_homes import copied, home_of

ORCA = [sys.executable, "-m", "orca_tui"]
COMMANDS = {
    "python -c pass": [sys.executable, "-c", "pass"],
    "orca --help": [*ORCA, "--help"],
    "orca memory list": [*ORCA, "memory", "list"],
    "orca memory list --json --limit 20": [*ORCA, "memory", "list", "--json", "--limit", "20"],
    "orca memory inbox --json --limit 20": [*ORCA, "memory", "inbox", "--json", "--limit", "20"],
    "orca why": [*ORCA, "why"],
    "orca session list": [*ORCA, "session", "list"],
    "orca search ban": [*ORCA, "search", "ban"],
}
LONG = {
    "orca doctor": [*ORCA, "doctor"],
    "orca memory export": [*ORCA, "memory", "export"],
}
EVERY = 3
TARGETS = {"orca --help": "< 200 ms", "orca memory list": "< 400 ms"}
DOCTOR_FINDS_SOMETHING = 1


@dataclass
class Times:
    """Milliseconds of the runs of one command."""

    passed: list[float] = field(default_factory=list)
    computed: list[float] = field(default_factory=list)


def run(command: list[str], home: str, into: Times) -> None:
    environ = {**os.environ, "ORCA_HOME": home}
    before, started = _of_children(), time.perf_counter()
    nowhere = subprocess.DEVNULL
    done = subprocess.run(command, env=environ, cwd=home, stdout=nowhere, stderr=nowhere, check=False)
    into.passed.append(1000 * (time.perf_counter() - started))
    into.computed.append(1000 * (_of_children() - before))
    allowed = (0, DOCTOR_FINDS_SOMETHING) if command == LONG["orca doctor"] else (0,)
    assert done.returncode in allowed, f"{command} ended with {done.returncode}"


def _of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure(memories: int, runs: int) -> None:
    times = {name: Times() for name in (*COMMANDS, *LONG)}
    with copied(asyncio.run(home_of(memories))) as path:
        home = str(path.parent)
        for command in COMMANDS.values():  # a new home is looked after once
            run(command, home, Times())
        for number in range(runs):
            for name, command in COMMANDS.items():
                run(command, home, times[name])
            for name, command in LONG.items() if number % EVERY == 0 else ():
                run(command, home, times[name])
    bare = statistics.median(times["python -c pass"].passed)
    print(f"{memories:,} memories, median of {runs} runs")
    for name, each in times.items():
        passed, computed = statistics.median(each.passed), statistics.median(each.computed)
        words = f"{passed:7.0f} ms {computed:7.0f} ms CPU {passed / bare:6.1f} × python -c pass"
        print(f"{name:36} {words}   {TARGETS.get(name, '')}".rstrip(), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--memories", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--runs", type=int, default=15)
    given = parser.parse_args()
    for memories in given.memories:
        measure(memories, given.runs)


if __name__ == "__main__":
    main()
