"""Whoever is killed leaves all of its work or none of it: kill -9 at random moments."""

from __future__ import annotations

import random
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import apsw
import pytest
from fakes import dying_program, endless
from fakes.asking import asked
from fakes.deleting import opened, say
from fakes.killed_commands import KINDS, KilledCommand
from fakes.patience import after
from fakes.records import header, remember, said_with

from orca_core.model.memories import Use
from orca_core.model.sessions import RoundState
from orca_core.store.sqlite.store import open_stores


def killed(kind: str, folder: Path, chance: Random, longest_s: float) -> list[str]:
    """Start this kind of endless work on a folder, kill it once it has said something; the lines that it said whole."""
    command = [sys.executable, str(endless.__file__), kind, str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as worker:
        assert worker.stdout is not None
        first = worker.stdout.readline()
        after(chance.uniform(0, longest_s))
        worker.send_signal(signal.SIGKILL)
        return [first, *(line for line in worker.stdout if line.endswith("\n"))]


pytestmark = pytest.mark.long

TURNS_KILLED = 6


def test_no_acknowledged_turn_is_lost(run, tmp_path: Path) -> None:
    chance = random.Random(5)
    acknowledged: set[int] = set()

    async def look() -> tuple[set[int], int, str]:
        stores = await open_stores(tmp_path / "orca.db", scope="me", must_exist=True)
        rounds = await stores.sessions.rounds("s")
        health = await stores.upkeep.health()
        await stores.upkeep.aclose()
        done = {each.number for each in rounds if each.state is RoundState.DONE and each.assistant}
        return done, sum(each.state is RoundState.STREAMING for each in rounds), health.integrity

    for _ in range(TURNS_KILLED):
        acknowledged |= {int(line) for line in killed("turns", tmp_path, chance, 0.15)}
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
        await stores.upkeep.aclose()

    async def look(folder: Path) -> None:
        stores = await opened(folder)
        if what == "chat":
            assert [each.id for each in await stores.sessions.sessions()] == ["other"]
            assert await said_with(stores, "giraffe") == []
        else:
            assert await asked(stores).by_tokens(["giraff"], 5) == []
        assert "giraffe" not in (await stores.sessions.receipt("other", 1)).injection.block
        assert await stores.upkeep.idle()
        assert (await stores.upkeep.health()).integrity == "ok"
        if what == "chat":
            await stores.memories.delete([1, 2], header("delete"))
        else:
            await stores.sessions.delete("s", header("delete"))
        await stores.upkeep.aclose()

    run(fill())
    was_killed, transactions = True, 0
    while was_killed:
        transactions += 1
        folder = tmp_path / str(transactions)
        shutil.copytree(whole, folder)
        deleter = subprocess.run(
            [sys.executable, dying_program.__file__, f"delete_{what}", folder, str(transactions)], check=False
        )
        was_killed = deleter.returncode == -signal.SIGKILL
        assert was_killed or deleter.returncode == 0
        run(look(folder))
        left = [path.name for path in folder.iterdir() if path.is_file() and b"giraffe" in path.read_bytes()]
        assert left == [], transactions
    assert transactions > 3


WITHIN_S = 1.5
MEMORIES = 40


@pytest.mark.parametrize("kind", ["undo", "clean", "reindex"])  # others have tests of their own
def test_a_killed_command_is_done_or_not_begun(tmp_path: Path, kind: str) -> None:
    command, chance = KilledCommand(KINDS[kind], tmp_path, MEMORIES), Random(kind)
    command.run_through()

    found = command.killed(chance.uniform(0.3, WITHIN_S))

    assert set(found) <= {"before", "after", "slices"}


NEVER = 0


def imported(folder: Path, last: int) -> subprocess.CompletedProcess[str]:
    folder.mkdir()
    return subprocess.run(
        [sys.executable, dying_program.__file__, "import", folder, str(last)],
        check=False,
        capture_output=True,
        text=True,
    )


async def held(folder: Path) -> tuple[int, int, str]:
    """How many memories, operations and hits of a search there are, and whether the database is whole."""
    stores = await open_stores(folder / "orca.db", scope="me", must_exist=True)
    counts = await stores.memories.counts()
    operations = len(await stores.history.operations(10))
    found = len(await asked(stores).by_tokens(["giraff"], 1000))
    await stores.upkeep.idle()
    health = await stores.upkeep.health()
    await stores.upkeep.aclose()
    assert found == sum(counts["state"].values())
    return found, operations, health.integrity


def history_in(folder: Path) -> int:
    """How many changes there are."""
    connection = apsw.Connection(str(folder / "orca.db"))
    [changes] = connection.execute("SELECT count(*) FROM memory_history").fetchone()
    connection.close()
    return int(changes)


def test_an_import_that_is_killed_leaves_nothing(run: Any, tmp_path: Path) -> None:
    whole = imported(tmp_path / "whole", NEVER)
    statements = int(whole.stdout)
    assert run(held(tmp_path / "whole")) == (dying_program.IMPORTED, 2, "ok")

    seen: set[int] = set()
    for last in (1, 300, *range(598, 614, 4), statements // 2):
        folder = tmp_path / str(last)
        assert imported(folder, last).returncode == -signal.SIGKILL
        changes = history_in(folder)
        memories, operations, integrity = run(held(folder))
        assert (memories, operations, integrity) in ((0, 0, "ok"), (dying_program.IMPORTED, 2, "ok"))
        assert changes == history_in(folder) == 2 * memories
        seen.add(memories)
        left = [path.name for path in folder.iterdir() if path.is_file() and b"giraffe" in path.read_bytes()]
        assert left in ([], ["orca.db"])
        assert {path.name for path in folder.iterdir()} <= {"orca.db", "orca.db-wal", "orca.db-shm"}
    assert seen == {0, dying_program.IMPORTED}


LEARNING_KILLS = Path(__file__).parents[2] / "benchmarks" / "learning_kills.py"


@pytest.mark.parametrize("kind", ["facts", "episodes", "summaries", "feedback", "knowledge", "guides"])
def test_nothing_that_is_learnt_is_lost_or_doubled(kind: str) -> None:
    command = [sys.executable, str(LEARNING_KILLS), kind, "--kills", "3", "--sessions", "4"]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=100)
    assert (done.returncode, done.stdout.partition("learn: ")[2]) == (0, "nothing lost, nothing doubled\n"), done.stderr


@pytest.mark.parametrize(
    ("kind", "kills", "most_s"),
    [("tasks", 5, 0.15), ("guides", 3, 0.5), ("promotions", 3, 0.8), ("fading", 4, 0.3)],
)
def test_no_work_is_lost_halved_or_doubled(run, tmp_path: Path, kind: str, kills: int, most_s: float) -> None:
    chance = random.Random(7)
    said: list[str] = []
    for _ in range(kills):
        said += killed(kind, tmp_path, chance, most_s)
        assert run(endless.WORKS[kind].look(tmp_path, said)) == {}

    assert len(said) > kills
