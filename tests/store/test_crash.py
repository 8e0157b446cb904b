"""kill -9 in the middle of turns: what was acknowledged is there, and the database is whole."""

from __future__ import annotations

import random
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from fakes.asking import asked
from fakes.deleting import opened, say
from fakes.patience import after
from fakes.records import header, remember, said_with

from orca_core.model.memories import Use
from orca_core.model.sessions import RoundState
from orca_core.store.sqlite.store import open_stores

pytestmark = pytest.mark.long

WRITER = Path(__file__).parent.parent / "fakes" / "endless_writer.py"
DELETER = WRITER.with_name("dying_deleter.py")
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
            after(chance.uniform(0, 0.15))
            writer.send_signal(signal.SIGKILL)
            acknowledged |= {int(line) for line in writer.stdout if line.strip()}
        done, streaming, integrity = run(look())
        assert acknowledged <= done
        assert (streaming, integrity) == (0, "ok")


@pytest.mark.parametrize("what", ["chat", "memories"])
def test_a_delete_that_is_killed_is_out_of_sight_and_goes_on(run, tmp_path: Path, what: str) -> None:
    """Killed after each of its transactions in turn; the next start finds nothing of it, and then leaves nothing."""
    whole = tmp_path / "whole"

    async def fill() -> None:
        stores = await opened(whole)
        ids = await remember(stores, "giraffe one", "giraffe two", "zebra")
        for number in range(12):
            shown = tuple((str(each), "giraffe") for each in ids[:2])
            text = f"giraffe {number}" if what == "chat" else "hello"
            await say(stores, "s", text, *shown, uses={ids[0]: Use.USED})
        await say(stores, "other", "zebra", ("s12", "the giraffe's") if what == "chat" else ("1", "giraffe one"))
        await stores.housekeeping.aclose()

    async def look(folder: Path) -> None:
        stores = await opened(folder)
        if what == "chat":
            assert [each.id for each in await stores.dialogues.sessions()] == ["other"]
            assert await said_with(stores, "giraffe") == []
        else:
            assert await asked(stores).by_tokens(["giraff"], 5) == []
        assert "giraffe" not in (await stores.receipts.receipt("other", 1)).injection.block
        assert await stores.housekeeping.idle()
        assert (await stores.housekeeping.health()).integrity == "ok"
        if what == "chat":
            await stores.memories.delete([1, 2], header("delete"))
        else:
            await stores.sessions.delete("s", header("delete"))
        await stores.housekeeping.aclose()

    run(fill())
    was_killed, transactions = True, 0
    while was_killed:
        transactions += 1
        folder = tmp_path / str(transactions)
        shutil.copytree(whole, folder)
        deleter = subprocess.run([sys.executable, DELETER, folder, what, str(transactions)], check=False)
        was_killed = deleter.returncode == -signal.SIGKILL
        assert was_killed or deleter.returncode == 0
        run(look(folder))
        left = [path.name for path in folder.iterdir() if path.is_file() and b"giraffe" in path.read_bytes()]
        assert left == [], transactions
    assert transactions > 3
