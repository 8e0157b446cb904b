"""How long commands take to start, measured against `python -c pass` in the same run, interleaved.

python benchmarks/start_up.py [--memories 10000] [--runs 15]
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from stores import engine_with

COMMANDS = {
    "python -c pass": [sys.executable, "-c", "pass"],
    "orca --help": [sys.executable, "-m", "orca_tui", "--help"],
    "orca memory list": [sys.executable, "-m", "orca_tui", "memory", "list"],
    "orca memory list --json --limit 20": [
        sys.executable,
        "-m",
        "orca_tui",
        "memory",
        "list",
        "--json",
        "--limit",
        "20",
    ],
}
TARGETS = {"orca --help": "< 200 ms", "orca memory list": "< 400 ms"}


async def fill(home: Path, memories: int) -> None:
    await (await engine_with(home, memories)).aclose()


def seconds_of(command: list[str], home: Path) -> float:
    environ = {**os.environ, "ORCA_HOME": str(home)}
    started = time.perf_counter()
    subprocess.run(command, env=environ, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=15)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        asyncio.run(fill(home, arguments.memories))
        seconds: dict[str, list[float]] = {name: [] for name in COMMANDS}
        for _ in range(arguments.runs):
            for name, command in COMMANDS.items():
                seconds[name].append(seconds_of(command, home))
    bare = statistics.median(seconds["python -c pass"])
    print(f"{arguments.memories} memories, median of {arguments.runs} runs")
    for name, runs in seconds.items():
        median = statistics.median(runs)
        print(f"{name:36} {median * 1000:7.0f} ms   {median / bare:5.1f} × python -c pass   {TARGETS.get(name, '')}")


if __name__ == "__main__":
    main()
