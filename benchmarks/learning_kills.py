"""Kill -9 at random moments while Orca learns, with a model that fails a third of the time.

    python benchmarks/learning_kills.py [--kills 100]

A first process chats and leaves rounds that wait, each with one fact of its own. Children learn from them and are
killed at random; one in three answers is an error, an unreadable text or cut. In the end one child is let through.
Then every round must have been read to its end exactly once, and every fact must be there once: none lost, none
doubled, no confirmation counted twice.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncGenerator
from pathlib import Path

import apsw
from stores import ScriptedModel, asked_about, engine_with, turn

from orca_core.domain.errors import ModelUnavailable
from orca_core.domain.learning import RunKind, RunState, Wanted
from orca_core.domain.messages import ChatRequest, Completed, Finish, ModelEvent, TextDelta
from orca_core.domain.queries import ListQuery
from orca_core.settings import Settings

SAID = re.compile(r"我的第(\d+)个代号是 (CODE\w+)")


class UnreliableAgent(ScriptedModel):
    """Finds the one fact of each round, and confirms it as second reader, two times in three."""

    def __init__(self, chance: random.Random) -> None:
        super().__init__()
        self._chance = chance

    async def stream(self, request: ChatRequest) -> AsyncGenerator[ModelEvent, None]:
        await asyncio.sleep(self._chance.uniform(0.0, 0.02))
        facts = [
            {"content": f"用户的第{number}个代号是 {code}", "type": "fact", "tags": [], "confidence": 0.9,
             "quote": f"我的第{number}个代号是 {code}"}
            for number, code in dict.fromkeys(SAID.findall(request.messages[1].content.split("对话：")[-1]))
        ]  # fmt: skip
        found = json.dumps({"facts": facts}, ensure_ascii=False)
        asked = asked_about(request, "fact")
        confirmed = json.dumps({"answers": [{"fact": number, "says_so": True} for number in range(1, asked + 1)]})
        answer = confirmed if asked else found
        if self._chance.random() < 1 / 3:
            if self._chance.random() < 0.5:
                raise ModelUnavailable(provider="kills", detail="down")
            answer = "I would rather not."
        yield TextDelta(answer)
        yield Completed(Finish.STOP)


async def prepare(home: Path, sessions: int, rounds: int) -> int:
    engine = await engine_with(home, 50)
    await engine.worker.aclose()  # what is said here waits for the children
    for session in range(sessions):
        for number in range(rounds):
            code = f"CODE{session}X{number}"
            await turn(engine, f"我的第{session * rounds + number}个代号是 {code}", session_id=f"s{session}")
    await engine.aclose()
    return sessions * rounds


async def learn_without_end(home: Path, *, patient: bool) -> None:
    engine = await engine_with(home, 50, agent=UnreliableAgent(random.Random()))
    print("ready", flush=True)
    for _ in range(2000):
        async for _event in engine.extraction.run(Wanted(everything=True)):
            pass
        await engine.runs.retry()
        queue = await engine.runs.queue()
        if patient and not (queue.rounds or queue.failing or queue.parked or queue.running):
            break
        if not patient:
            await asyncio.sleep(0.005)
    await engine.aclose()


def examined(home: Path) -> str:
    """What SQLite's own check of every page says."""
    connection = apsw.Connection(str(home / "orca.db"), flags=apsw.SQLITE_OPEN_READONLY)
    [[said], *_] = connection.execute("PRAGMA integrity_check").fetchall()
    connection.close()
    return str(said)


async def look(home: Path) -> tuple[int, int, int, int, str]:
    """(facts there, facts doubled, rounds read twice, rounds never read, integrity)"""
    engine = await engine_with(home, 50)
    page = await engine.memories.page(ListQuery("all"))
    facts = [memory for memory in page.memories if "代号" in memory.content]
    runs = [run for run in await engine.runs.runs(10_000) if run.kind is RunKind.EXTRACT]
    read = [(run.session_id, number) for run in runs if run.state is RunState.DONE for number in run.rounds]
    queue = await engine.runs.queue()
    await engine.aclose()
    doubled = len(facts) - len({memory.content for memory in facts}) + sum(memory.seen > 1 for memory in facts)
    return len(facts), doubled, len(read) - len(set(read)), queue.rounds + queue.running, examined(home)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--child", type=Path)
    parser.add_argument("--patient", action="store_true")
    arguments = parser.parse_args()
    assert Settings().memory_agent.extract.batch_size == 5
    if arguments.child:
        asyncio.run(learn_without_end(arguments.child, patient=arguments.patient))
        return
    chance = random.Random()
    with tempfile.TemporaryDirectory() as folder:
        expected = asyncio.run(prepare(Path(folder), sessions=80, rounds=4))
        for _ in range(arguments.kills):
            child = subprocess.Popen([sys.executable, __file__, "--child", folder], stdout=subprocess.PIPE, text=True)
            assert child.stdout is not None
            child.stdout.readline()
            time.sleep(chance.uniform(0.0, 0.15))
            child.send_signal(signal.SIGKILL)
            child.wait()
        subprocess.run([sys.executable, __file__, "--child", folder, "--patient"], check=True, capture_output=True)
        facts, doubled, twice, left, integrity = asyncio.run(look(Path(folder)))
    print(f"{arguments.kills} kills, {expected} rounds with a fact each, one answer in three fails")
    print(f"facts there {facts}, lost {expected - facts}, doubled {doubled}")
    print(f"rounds read twice {twice}, never read {left}, integrity {integrity}")
    sys.exit(bool(facts != expected or doubled or twice or left or integrity != "ok"))


if __name__ == "__main__":
    main()
