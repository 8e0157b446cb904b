"""kill -9 in the middle of turns: what was acknowledged is there, and the database is whole."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from orca_core.domain.dialogues import RoundState
from orca_core.storage.sqlite.store import open_stores

WRITER = Path(__file__).parent.parent / "fakes" / "endless_writer.py"
KILLS = 6


def test_no_acknowledged_turn_is_lost(run, tmp_path: Path) -> None:
    chance = random.Random(5)
    acknowledged: set[int] = set()

    async def look() -> tuple[set[int], int, str]:
        stores = await open_stores(tmp_path / "orca.db", scope="me", must_exist=True)
        rounds = await stores.dialogues.rounds("s")
        health = await stores.housekeeping.health()
        await stores.housekeeping.aclose()
        done = {each.number for each in rounds if each.state is RoundState.DONE and each.assistant}
        return done, sum(each.state is RoundState.STREAMING for each in rounds), health.integrity

    for _ in range(KILLS):
        with subprocess.Popen([sys.executable, WRITER, tmp_path], stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout is not None
            acknowledged.add(int(writer.stdout.readline()))
            time.sleep(chance.uniform(0, 0.15))
            writer.send_signal(signal.SIGKILL)
            acknowledged |= {int(line) for line in writer.stdout if line.strip()}
        done, streaming, integrity = run(look())
        assert acknowledged <= done
        assert (streaming, integrity) == (0, "ok")
