"""Two Orcas on one database, 200 turns each, half of them in the same chat: nothing lost, nothing doubled.

    python benchmarks/two_processes.py [--turns 200]

Both use the same memories in every turn. In the end every turn that was not said to be unsaved must be there, once, and
under a number of its own; every memory must weigh what the log of uses adds up to; no round may be left streaming.
"""

from __future__ import annotations

import argparse
import asyncio
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import apsw
from stores import ScriptedModel, of, orca_with, says, turn

from orca_core.model.events import Failed
from orca_core.model.sessions import RoundState

SHARED = "both"


async def chat(home: Path, name: str, turns: int) -> None:
    orca = await orca_with(home, 0, model=ScriptedModel(says("Look at port 5433 of postgres first [m1].")))
    for number in range(turns):
        question = f"{name} {number}: docker 里的 postgres 又连不上了，端口还是 5433 吗？"
        events = await turn(orca, question, session_id=SHARED if number % 2 else name)
        print("unsaved" if of(events, Failed) else question, flush=True)
    await orca.aclose()


async def faults(home: Path, said: list[str]) -> dict[str, int]:
    """What went wrong, by its name."""
    orca = await orca_with(home, 0)
    rounds = [each for session in await orca.sessions.list() for each in (await orca.sessions.show(session.id))[1]]
    await orca.aclose()
    asked = [each.user for each in rounds if each.state is RoundState.DONE and each.assistant]
    numbers = [(each.session_id, each.number) for each in rounds]
    connection = apsw.Connection(str(home / "orca.db"))
    wrong_weights = connection.execute(
        "SELECT count(*) FROM long_term_memories m JOIN memory_usage_log l ON l.memory_id = m.id"
        " WHERE l.id = (SELECT max(id) FROM memory_usage_log WHERE memory_id = m.id) AND l.weight_after <> m.weight"
    ).fetchall()[0][0]
    gaps = connection.execute(
        "SELECT count(*) FROM memory_usage_log a JOIN memory_usage_log b ON b.memory_id = a.memory_id"
        " AND b.id = (SELECT min(id) FROM memory_usage_log WHERE memory_id = a.memory_id AND id > a.id)"
        " WHERE a.weight_after <> b.weight_before"
    ).fetchall()[0][0]
    connection.close()
    return {
        "turns lost": len(set(said) - set(asked)),
        "turns doubled": len(asked) - len(set(asked)),
        "numbers doubled": len(numbers) - len(set(numbers)),
        "rounds left streaming": sum(each.state is RoundState.STREAMING for each in rounds),
        "weights that the log does not explain": int(wrong_weights) + int(gaps),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=200)
    parser.add_argument("--child", nargs=2)
    arguments = parser.parse_args()
    if arguments.child:
        asyncio.run(chat(Path(arguments.child[0]), arguments.child[1], arguments.turns))
        return
    with tempfile.TemporaryDirectory() as folder:

        async def prepare() -> None:
            await (await orca_with(Path(folder), 200)).aclose()

        asyncio.run(prepare())
        started = time.monotonic()
        command = [sys.executable, __file__, "--turns", str(arguments.turns), "--child", folder]
        children = [
            subprocess.Popen([*command, name], stdout=subprocess.PIPE, text=True) for name in ("first", "second")
        ]
        lines = [line.strip() for child in children for line in child.communicate()[0].splitlines()]
        seconds = time.monotonic() - started
        found = asyncio.run(faults(Path(folder), [line for line in lines if line != "unsaved"]))
    print(f"2 processes, {len(lines)} turns in {seconds:.0f} s, {lines.count('unsaved')} said to be unsaved at first")
    print(", ".join(f"{name} {count}" for name, count in found.items()))
    sys.exit(any(found.values()) or len(lines) != 2 * arguments.turns)


if __name__ == "__main__":
    main()
