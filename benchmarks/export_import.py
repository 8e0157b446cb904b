"""What taking memories along costs: time, memory, and how long another Orca waits.

    python benchmarks/export_import.py [--memories 100000]

A document of so many memories, each with a history, is brought into an empty home, exported again, brought in once more
(which changes nothing), and brought into a home that has a memory already, where all of it waits in the inbox. Each
command is a process of its own; the most memory that it had at once is what the kernel says. Meanwhile another Orca
saves rounds (`neighbour.py`).
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from resource import struct_rusage
from typing import Any
from uuid import UUID

import holding
from neighbour import Neighbour
from stores import sentence

PROJECT = Path(__file__).parent.parent
START = datetime(2026, 1, 1, tzinfo=UTC)
USES = 3
"""So often each memory was put before the model."""


def at(minutes: float) -> str:
    return (START + timedelta(minutes=minutes)).isoformat(timespec="microseconds").replace("+00:00", "Z")


def memory(number: int, chance: random.Random) -> dict[str, Any]:
    """A memory that was learnt, and used now and then."""
    content = sentence(number, chance)
    born = {
        "content": content,
        "type": "fact",
        "tags": ["work"],
        "confidence": 0.9,
        "weight": 1.0,
        "state": "live",
        "origin_kind": "extraction",
        "origin_session": f"s{number // 5}",
        "origin_rounds": [1, 2],
        "origin_quote": content,
        "origin_model": "a-model",
        "held_because": None,
        "archived_because": None,
        "pinned": False,
        "access_count": 0,
        "used": 0,
        "seen": 1,
        "last_accessed": None,
        "superseded_by": None,
        "would_replace": None,
        "confirmed_by": "typed",
        "searched": 0,
        "searched_at": None,
    }
    weights = [round(1 + 0.5 * use, 6) for use in range(USES + 1)]
    return {
        "uid": UUID(int=number).hex,
        "content": content,
        "type": "fact",
        "tags": ["work"],
        "confidence": 0.9,
        "weight": weights[-1],
        "status": "active",
        "created_at": at(number),
        "updated_at": at(number + USES),
        "origin": {
            "kind": "extraction",
            "session_id": f"s{number // 5}",
            "rounds": [1, 2],
            "quote": content,
            "model": "a-model",
        },
        "access_count": USES,
        "used": USES,
        "last_accessed": at(number + USES),
        "confirmed_by": "typed",
        "history": [
            {"operation": number * (USES + 1) + 1, "before": None, "after": born},
            *(
                {
                    "operation": number * (USES + 1) + 1 + use,
                    "before": {"weight": weights[use - 1], "used": use - 1, "access_count": use - 1},
                    "after": {"weight": weights[use], "used": use, "access_count": use},
                }
                for use in range(1, USES + 1)
            ),
        ],
    }


def pieces(count: int) -> Iterator[str]:
    chance = random.Random(20)
    yield '{"orca_export": 1, "memories": ['
    for number in range(count):
        yield (",\n" if number else "\n") + json.dumps(memory(number, chance))
    yield '], "operations": ['
    for number in range(count * (USES + 1)):
        is_birth = number % (USES + 1) == 0
        actor, action = ("extraction", "extract") if is_birth else ("turn", "weights")
        operation = {"number": number + 1, "actor": actor, "action": action, "at": at(number / (USES + 1))}
        yield (",\n" if number else "\n") + json.dumps(operation)
    yield "]}"


def run(home: Path, *arguments: str, stdin: Path | None = None, stdout: Path | None = None) -> None:
    """One command, what it took, and what it cost another Orca."""
    with contextlib.ExitStack() as beside:
        path = home / "orca.db"
        neighbour = beside.enter_context(Neighbour(path)) if path.exists() else None
        started = time.perf_counter()
        used, holds = carried_out(home, arguments, stdin, stdout)
        seconds = time.perf_counter() - started
    waits = "" if neighbour is None else f"   {neighbour.waits.words()}"
    print(
        f"{' '.join(arguments)[:24]:24} {seconds:8.1f} s {used.ru_utime + used.ru_stime:8.1f} s of work"
        f" {used.ru_maxrss / 1024:6.0f} MB at most{waits}",
        flush=True,
    )
    print(f"    {holding.words(holds)}", flush=True)


def carried_out(
    home: Path, arguments: Sequence[str], stdin: Path | None, stdout: Path | None
) -> tuple[struct_rusage, list[holding.Hold]]:
    into = home.with_name("holds.json")
    pid = os.fork()
    if pid == 0:
        os.dup2(os.open(stdin or os.devnull, os.O_RDONLY), 0)
        os.dup2(os.open(stdout or os.devnull, os.O_WRONLY | os.O_CREAT, 0o600), 1)
        os.chdir(PROJECT)
        os.execve(
            sys.executable,
            [sys.executable, holding.__file__, *arguments],
            {**os.environ, "ORCA_HOME": str(home), "LANG": "C.UTF-8", holding.INTO: str(into)},
        )
    _pid, status, used = os.wait4(pid, 0)
    assert status == 0, status
    return used, holding.read(into)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--memories", type=int, default=100_000)
    count = parser.parse_args().memories
    with tempfile.TemporaryDirectory() as folder:
        home, other, document, again = (Path(folder) / name for name in ("home", "other", "a.json", "b.json"))
        with document.open("w", encoding="utf-8") as file:
            file.writelines(pieces(count))
        print(f"{count:,} memories, {document.stat().st_size / 1e6:,.0f} MB", flush=True)
        run(home, "memory", "list")
        run(home, "memory", "import", "--json", stdin=document)
        run(home, "memory", "export", stdout=again)
        run(home, "memory", "import", "--json", stdin=again)
        run(other, "memory", "add", "I live in Oslo")
        run(other, "memory", "import", "--json", stdin=again)
        run(other, "memory", "undo", "--json")


if __name__ == "__main__":
    main()
