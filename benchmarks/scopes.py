"""What many profiles on one database cost a process: threads and descriptors, each profile used and leading its own.

python benchmarks/scopes.py [--scopes 40]
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import threading
from pathlib import Path

import stores  # noqa: F401  # finds the tests' fakes
from fakes.records import chat, remember

from orca_core.store.sqlite.store import open_database


def descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir())) - 1  # but for the one that looks


async def measure(path: Path, count: int) -> tuple[int, int]:
    """(threads, descriptors) of this process with so many scopes open."""
    database = await open_database(path, must_exist=False)
    opened = [database.scope(f"profile {number}") for number in range(count)]
    await database.aclose()
    for each in opened:
        await remember(each, "a giraffe")
        await chat(each)
        await asyncio.gather(*(each.search.at_once(lambda now: now.words.by_tokens(["giraff"], 5)) for _ in range(3)))
        assert await each.upkeep.acquire_lead()
    counted = threading.active_count(), descriptors()
    for each in opened:
        await each.upkeep.aclose()
    return counted


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scopes", type=int, default=40)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        threads, files = asyncio.run(measure(Path(folder) / "orca.db", arguments.scopes))
    print(f"{arguments.scopes} scopes: {threads} threads, {files} descriptors")


if __name__ == "__main__":
    main()
