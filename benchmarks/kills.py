"""Kill -9 at random moments of turns, again and again on one database: nothing acknowledged may be lost.

    python benchmarks/kills.py [--kills 50]

A child process chats without end and prints the number of every round that is done. The parent kills it, opens the
database as the next start would, and compares: every acknowledged round is there with its answer, the questions of
interrupted ones too, the file passes its integrity check, and no round is left streaming.
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
from pathlib import Path

import apsw
from stores import ScriptedModel, of, only, orca_with, says, turn

from orca_core.model.events import Done, Failed
from orca_core.model.sessions import RoundState

ANSWER = "Look at port 5433 of the postgres container first [m1]. " * 8


async def chat_without_end(home: Path) -> None:
    orca = await orca_with(home, 20, model=ScriptedModel(says(ANSWER, pieces=40)))
    while True:
        events = await turn(orca, "docker 里的 postgres 又连不上了，端口还是 5433 吗？", session_id="kills")
        if not of(events, Failed):  # what is said to be unsaved is not acknowledged
            print(only(events, Done).round, flush=True)


def examined(home: Path) -> str:
    """What SQLite's own check of every page says."""
    connection = apsw.Connection(str(home / "orca.db"), flags=apsw.SQLITE_OPEN_READONLY)
    [[said], *_] = connection.execute("PRAGMA integrity_check").fetchall()
    connection.close()
    return str(said)


async def look(home: Path, acknowledged: set[int]) -> tuple[list[int], int, str]:
    """(acknowledged rounds that are missing or without their answer, rounds left streaming, integrity)"""
    orca = await orca_with(home, 0)
    _, rounds = await orca.sessions.show("kills")
    done = {each.number for each in rounds if each.state is RoundState.DONE and each.assistant}
    streaming = sum(each.state is RoundState.STREAMING for each in rounds)
    await orca.aclose()
    return sorted(acknowledged - done), streaming, examined(home)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--child", type=Path)
    arguments = parser.parse_args()
    if arguments.child:
        asyncio.run(chat_without_end(arguments.child))
    chance = random.Random()
    acknowledged: set[int] = set()
    lost: set[int] = set()
    damaged = streaming = 0
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        for _ in range(arguments.kills):
            child = subprocess.Popen([sys.executable, __file__, "--child", folder], stdout=subprocess.PIPE, text=True)
            assert child.stdout is not None
            acknowledged.add(int(child.stdout.readline()))
            time.sleep(chance.uniform(0.0, 0.4))
            child.send_signal(signal.SIGKILL)
            acknowledged |= {int(line) for line in child.stdout if line.strip()}
            child.wait()
            missing, left, integrity = asyncio.run(look(home, acknowledged))
            lost |= set(missing)
            streaming += left
            damaged += integrity != "ok"
    print(f"{arguments.kills} kills, {len(acknowledged)} turns acknowledged")
    print(f"turns lost {len(lost)}, databases damaged {damaged}, rounds left streaming {streaming}")
    sys.exit(bool(lost or damaged or streaming))


if __name__ == "__main__":
    main()
