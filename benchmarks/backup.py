"""What a backup costs who chats meanwhile: turns of another process, alone and while the database is copied.

    python benchmarks/backup.py [--megabytes 1000] [--copies 3]

A home is filled with rounds up to that size. A second process takes turns one after the other; the time of every write
transaction of its own counts, from when it is asked for to when it is on the disk. In the end every turn that was
answered must be in the database, and those before a backup in that, too.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw
from neighbour import saves_measured
from stores import ScriptedModel, of, orca_with, says, turn

from orca_core.config.config_file import LoadedSettings
from orca_core.database_files import back_up
from orca_core.model.backups import BackupMade, CopyProgress, CopyStage
from orca_core.model.events import Failed
from orca_core.settings import Settings

AT_ONCE = 2000
ALONE_S = 15.0
AT = "2026-01-01T00:00:00.000000Z"


def fill(path: Path, megabytes: int) -> int:
    """Add rounds of one old chat until the file is so large; returns how many."""
    connection = apsw.Connection(str(path))
    connection.execute(
        "INSERT INTO sessions (id, scope, title, created_at, used_at) VALUES ('old', 'me', '', ?1, ?1)", (AT,)
    )
    chance, first = random.Random(1), 1
    while path.stat().st_size < megabytes * 1_000_000:
        connection.execute("BEGIN")
        for number in range(first, first + AT_ONCE):
            connection.execute(
                "INSERT INTO rounds (scope, session_id, number, attempt, state, started_at)"
                " VALUES ('me', 'old', ?, 1, 'done', '2026-01-01T00:00:00.000000Z')",
                (number,),
            )
            round_id = connection.last_insert_rowid()
            for role in ("user", "assistant"):
                said = (round_id, role, chance.randbytes(1500).hex())
                connection.execute("INSERT INTO main_messages (round_id, role, content, at) VALUES (?, ?, ?, '')", said)
        connection.execute("COMMIT")
        first += AT_ONCE
        connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
    connection.close()
    return first - 1


async def chat(home: Path) -> None:
    """Take turns until stdin is closed; a line for each question that was answered and saved, then one of its times."""
    orca = await orca_with(home, 0, model=ScriptedModel(says("Look at port 5433 of postgres first.")))
    with saves_measured() as seconds:
        number = 0
        reading = asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
        while not reading.done():
            number += 1
            seconds.clear()
            events = await turn(orca, f"{time.time_ns()} 端口还是 5433 吗？", session_id="chat")
            print("unsaved" if of(events, Failed) else f"saved {number} {1000 * max(seconds):.1f}", flush=True)
    await orca.aclose()


async def copy(home: Path) -> tuple[BackupMade, float]:
    """A backup, and how long its check took."""
    checking = 0.0
    async for step in back_up(LoadedSettings(Settings(), None, home)):
        if isinstance(step, CopyProgress):
            checking = checking or (time.monotonic() if step.stage is CopyStage.CHECKING else 0.0)
        else:
            return step, time.monotonic() - checking
    raise AssertionError


def summary(name: str, lines: list[str]) -> str:
    slowest = sorted(float(line.split()[2]) for line in lines if line.startswith("saved"))
    p50, p95 = slowest[len(slowest) // 2], slowest[int(len(slowest) * 0.95)]
    unsaved = len(lines) - len(slowest)
    times = f"slowest save of a turn p50 {p50:.0f}, p95 {p95:.0f}, most {slowest[-1]:.0f} ms"
    return f"{name}: {len(slowest)} turns; {times}; unsaved at first {unsaved}"


@contextmanager
def chatting(home: Path) -> Iterator[list[str]]:
    """Another Orca that takes turns meanwhile, from its first on; what it said, once it has ended."""
    command = [sys.executable, __file__, "--child", str(home)]
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    lines = [child.stdout.readline()]
    yield lines
    lines += child.communicate()[0].splitlines()
    assert child.returncode == 0


def turns_in(path: Path) -> int:
    connection = apsw.Connection(str(path))
    query = "SELECT count(*) FROM rounds WHERE session_id = 'chat' AND state = 'done'"
    [count] = connection.execute(query).fetchone() or (0,)
    connection.close()
    return int(str(count))


def measure(home: Path, megabytes: int, copies: int) -> bool:
    asyncio.run(_made(home))
    rounds = fill(home / "orca.db", megabytes)
    print(f"{(home / 'orca.db').stat().st_size / 1e6:.0f} MB, {rounds} rounds")
    with chatting(home) as alone:
        time.sleep(ALONE_S)
    print(summary("alone", alone))
    said = sum(line.startswith("saved") for line in alone)
    lost = 0
    for _ in range(copies):
        before = turns_in(home / "orca.db")
        started = time.monotonic()
        with chatting(home) as beside:
            made, checking_s = asyncio.run(copy(home))
            seconds = time.monotonic() - started
        said += sum(line.startswith("saved") for line in beside)
        print(f"backup of {made.backup.bytes / 1e6:.0f} MB in {seconds:.1f} s, {checking_s:.1f} s of them its check")
        print(summary("  beside it", beside))
        lost += max(0, before - turns_in(made.backup.path))
        made.backup.path.unlink()
    lost += said - turns_in(home / "orca.db")
    print(f"turns lost {lost} of {said}")
    return lost == 0


async def _made(home: Path) -> None:
    await (await orca_with(home, 200)).aclose()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=1000)
    parser.add_argument("--copies", type=int, default=3)
    parser.add_argument("--child", type=Path)
    arguments = parser.parse_args()
    if arguments.child:
        asyncio.run(chat(arguments.child))
        return
    with tempfile.TemporaryDirectory() as folder:
        sys.exit(not measure(Path(folder), arguments.megabytes, arguments.copies))


if __name__ == "__main__":
    main()
