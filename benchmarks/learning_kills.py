"""Kill -9 at random moments while Orca learns, with a model that fails a third of the time.

    python benchmarks/learning_kills.py [KIND …] [--kills 100] [--sessions 100]

A first process says, does and calls what is to be learnt from, each thing with a code of its own. Children learn from
it and are killed at random; one in three answers, the verifier's too, is an error or can not be read. In the end one
child is let through. Then every code must stand once in what was learnt: none lost, none doubled, nothing confirmed or
supported twice; and nothing may have been read to its end twice, or be left.
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
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from stores import ScriptedModel, orca_with, turn

from orca_core.jobs.job import RoundRecorded
from orca_core.model.episodes import Episode
from orca_core.model.errors import ModelUnavailable
from orca_core.model.learning import Run, RunKind, RunState, Wanted
from orca_core.model.llm import ChatRequest, Completed, Finish, ModelEvent, TextDelta
from orca_core.model.memories import State
from orca_core.model.operations import Actor, OperationHeader
from orca_core.model.record_types import EPISODE, GUIDE, KNOWLEDGE
from orca_core.model.views import ListQuery
from orca_core.orca import Orca
from orca_core.rules.learning.transcripts import ALWAYS_VERBATIM
from orca_core.rules.work.reported_calls import checked_call
from orca_core.settings import MemoryAgentSettings, Settings, SummarizeSettings

ROUNDS = 4
MANY = 1_000_000
CODE = re.compile(r"CODE\w+")
SAID = re.compile(r"我的第(\d+)个代号是 (CODE\w+)")
SETTINGS = Settings(memory_agent=MemoryAgentSettings(summarize=SummarizeSettings(trigger_tokens=1)))


class Kind(NamedTuple):
    """What is learnt: what a home is filled with (it returns the codes), what the agent finds in what it is shown, one
    pass as the worker makes it, the texts that were learnt in the end, and what a run has read, by name."""

    name: RunKind
    fill: Callable[[Orca, int], Awaitable[set[str]]]
    found: Callable[[str], object]
    learn: Callable[[Orca], AsyncIterator[object]]
    learnt: Callable[[Orca], Awaitable[list[str]]]
    read: Callable[[Run], Sequence[object]]


# What is to be learnt from.


def saying(session: int, number: int) -> str:
    return f"我的第{session * ROUNDS + number}个代号是 CODE{session}X{number}"


async def chats(orca: Orca, sessions: int) -> set[str]:
    for session in range(sessions):
        for number in range(1, ROUNDS + 1):
            await turn(orca, saying(session, number), session_id=f"s{session}")
    return {f"CODE{session}X{number}" for session in range(sessions) for number in range(1, ROUNDS + 1)}


async def long_chats(orca: Orca, sessions: int) -> set[str]:
    """Those that are folded: all but the latest rounds."""
    codes = await chats(orca, sessions)
    return {each for each in codes if int(each.rpartition("X")[2]) <= ROUNDS - ALWAYS_VERBATIM}


async def tasks_told(orca: Orca, sessions: int) -> set[str]:
    for session in range(sessions):
        await turn(orca, saying(session, 1), session_id=f"s{session}")
        await turn(orca, "已经都处理好了，可以用了", session_id=f"s{session}")
    return {f"CODE{session}X1" for session in range(sessions)}


async def likes(orca: Orca, sessions: int) -> set[str]:
    codes = await chats(orca, sessions)
    for session in range(sessions):
        for number in range(1, ROUNDS + 1):
            await orca.feedback.actions.record("LIKE", f"s{session}", round=number)
    return codes


async def episodes(orca: Orca, sessions: int) -> set[str]:
    for target in range(sessions):
        for number in range(1, ROUNDS + 1):
            now, what = datetime.now(UTC), f"CODE{target}X{number} broke"
            episode = Episode(0, f"{target} {number}", what, what, now, now, now, target=f"service{target}")
            await orca.stores.records[EPISODE].add(episode, OperationHeader(Actor.USER, "add", now))
    return {f"CODE{target}X{number}" for target in range(sessions) for number in range(1, ROUNDS + 1)}


async def calls(orca: Orca, sessions: int) -> set[str]:
    now = datetime.now(UTC)
    for tool in range(sessions):
        made = [{"tool": f"tool{tool}", "call_id": f"{tool} {each}", "output": f"CODE{tool}X1"} for each in range(8)]
        await orca.stores.tools.record([checked_call(each, now, "s") for each in made])
    return {f"CODE{tool}X1" for tool in range(sessions)}


# What the agent finds in it.


def said_in(material: str) -> list[tuple[str, str]]:
    return list(dict.fromkeys(SAID.findall(material.rpartition("对话：")[2])))


def facts_in(material: str) -> object:
    plain = {"type": "fact", "tags": (), "confidence": 0.9}
    facts = [
        {"content": f"用户的第{number}个代号是 {code}", "quote": f"我的第{number}个代号是 {code}", **plain}
        for number, code in said_in(material)
    ]
    return {"facts": facts}


def episodes_in(material: str) -> object:
    told = {"steps": ["都处理好了"], "outcome": "unknown", "outcome_quote": "", "tags": []}
    found = [
        {"trigger": f"第{number}个代号是 {code}", "target": f"第{number}个代号", **told}
        for number, code in said_in(material)
    ]
    return {"episodes": found}


def preferences_in(material: str) -> object:
    acts = [(act["action"], SAID.findall(json.dumps(act, ensure_ascii=False))) for act in json.loads(material)["acts"]]
    told = {"type": "fact", "quote": "", "replace": "", "retract": ""}
    found = [
        {"action": action, "content": f"用户的第{said[0][0]}个代号是 {said[0][1]}", **told}
        for action, said in acts
        if said
    ]
    return {"preferences": found}


def knowledge_in(material: str) -> object:
    codes = " ".join(dict.fromkeys(CODE.findall(material)))
    return {"topic": "what broke", "content": f"{codes} broke", "key_points": [], "confidence": 0.9}


def guide_in(material: str) -> object:
    return {"guide": f"It answers {CODE.findall(material)[0]}."}


def summary_in(material: str) -> str:
    """Every code as often as it stands in the summary so far and behind it: a round that is folded twice shows."""
    return "说过 " + " ".join(CODE.findall(material))


class UnreliableAgent(ScriptedModel):
    """Finds what a kind finds, and says yes as the verifier, two times in three."""

    def __init__(self, kind: Kind, chance: random.Random) -> None:
        super().__init__()
        self._kind = kind
        self._chance = chance

    async def stream(self, request: ChatRequest) -> AsyncGenerator[ModelEvent, None]:
        await asyncio.sleep(self._chance.uniform(0.0, 0.02))
        answer = self._answer(request.messages[1].content)
        if self._chance.random() < 1 / 3:
            if self._chance.random() < 0.5 or self._kind.name is RunKind.SUMMARIZE:
                raise ModelUnavailable(provider="kills", detail="down")
            answer = "{I would rather not."
        yield TextDelta(answer)
        yield Completed(Finish.STOP)

    def _answer(self, material: str) -> str:
        numbers = [int(each) for each in re.findall(r'"fact": (\d+)', material)]
        rows = [{"fact": each, "words": "", "why": "-", "says_so": True, "known": None} for each in numbers]
        found = {"answers": rows} if rows else self._kind.found(material)
        return found if isinstance(found, str) else json.dumps(found, ensure_ascii=False)


# A pass over what waits, and what came of it.


async def folded(orca: Orca) -> AsyncIterator[object]:
    for session in await orca.stores.sessions.sessions(None):
        orca.learning.summaries.hear(RoundRecorded(session.id))
    async for event in orca.learning.summaries.work():
        yield event


async def memories(orca: Orca) -> list[str]:
    """Each as often as it was seen, or is supported."""
    memories = [view.memory for view in (await orca.memories.page(ListQuery("all"))).records]
    supports = await orca.stores.feedback.supports_of([each.id for each in memories])
    return [each.content for each in memories for _ in range(max(each.seen, len(supports.get(each.id, ()))))]


async def summaries(orca: Orca) -> list[str]:
    sessions = await orca.stores.sessions.sessions(None)
    return [(await orca.stores.learning.summary(each.id))[0] for each in sessions]


def records_of(kind: Any) -> Callable[[Orca], Awaitable[list[str]]]:
    async def learnt(orca: Orca) -> list[str]:
        every = [each async for each in orca.stores.records[kind].all()]
        return [_told(each) for each in every if each.state is not State.ARCHIVED]

    return learnt


def _told(record: Any) -> str:
    return str(record.trigger_summary if isinstance(record, Episode) else record.text)


def rounds_of(run: Run) -> list[object]:
    return [(run.session_id, number) for number in run.rounds]


ASKED = Wanted(everything=True)
KINDS = {
    "facts": Kind(RunKind.EXTRACT, chats, facts_in, lambda orca: orca.learning.facts.run(ASKED), memories, rounds_of),
    "episodes": Kind(
        RunKind.EPISODES,
        tasks_told,
        episodes_in,
        lambda orca: orca.learning.episodes.run(ASKED),
        records_of(EPISODE),
        rounds_of,
    ),
    "summaries": Kind(RunKind.SUMMARIZE, long_chats, summary_in, folded, summaries, rounds_of),
    "feedback": Kind(
        RunKind.ACTIONS,
        likes,
        preferences_in,
        lambda orca: orca.learning.feedback.run(ASKED),
        memories,
        lambda run: () if run.result is None else run.result.supported,
    ),
    "knowledge": Kind(
        RunKind.CONSOLIDATE,
        episodes,
        knowledge_in,
        lambda orca: orca.learning.knowledge.run(),
        records_of(KNOWLEDGE),
        lambda run: run.episodes,
    ),
    "guides": Kind(
        RunKind.GUIDES,
        calls,
        guide_in,
        lambda orca: orca.learning.guides.run(),
        records_of(GUIDE),
        lambda run: [run.target],
    ),
}


async def prepare(kind: Kind, home: Path, sessions: int) -> set[str]:
    orca = await orca_with(home, 50, settings=SETTINGS)
    await orca.worker.aclose()  # what is said here waits for the children
    codes = await kind.fill(orca, sessions)
    await orca.aclose()
    return codes


async def learn_without_end(kind: Kind, home: Path, *, patient: bool) -> None:
    orca = await orca_with(home, 50, agent=UnreliableAgent(kind, random.Random()), settings=SETTINGS)
    print("ready", flush=True)
    for _ in range(2000):
        events = [event async for event in kind.learn(orca)]
        retried = await orca.runs.retry()
        if not events and not retried:
            print("idle", flush=True)
            if patient:
                break
        await asyncio.sleep(0.005)
    await orca.aclose()


async def look(kind: Kind, home: Path, codes: set[str]) -> Counter[str]:
    """What is not as it must be, counted by what it is."""
    orca = await orca_with(home, 50, settings=SETTINGS)
    found = Counter(code for text in await kind.learnt(orca) for code in CODE.findall(text))
    runs = [each for each in await orca.stores.learning.runs(MANY) if each.kind == kind.name]
    integrity = (await orca.stores.upkeep.health()).integrity
    await orca.aclose()
    read = Counter(each for run in runs if run.state is RunState.DONE for each in kind.read(run))
    wrong = Counter[str]()
    wrong["lost"] = len(codes - found.keys())
    wrong["doubled"] = sum(count - 1 for count in found.values())
    wrong["never said"] = len(found.keys() - codes)
    wrong["read twice"] = sum(count > 1 for count in read.values())
    wrong["runs left open"] = sum(each.state in (RunState.RUNNING, RunState.FAILED) for each in runs)
    wrong["databases damaged"] = integrity != "ok"
    return +wrong


def killed_again_and_again(name: str, kills: int, sessions: int) -> tuple[Counter[str], int, int]:
    """What is wrong in the end, how much there was to be learnt, and how many kills came while something was."""
    chance, kind, amid = random.Random(), KINDS[name], 0
    with tempfile.TemporaryDirectory() as folder:
        codes = asyncio.run(prepare(kind, Path(folder), sessions))
        command = [sys.executable, __file__, name, "--child", folder]
        for _ in range(kills):
            with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
                assert child.stdout is not None
                child.stdout.readline()
                time.sleep(chance.uniform(0.0, 0.15))
                child.send_signal(signal.SIGKILL)
                amid += "idle" not in child.stdout.read()
        subprocess.run([*command, "--patient"], check=True, stdout=subprocess.DEVNULL)
        return asyncio.run(look(kind, Path(folder), codes)), len(codes), amid


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=", ".join(KINDS))
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--sessions", type=int, default=100, help="or targets, or tools")
    parser.add_argument("--child", type=Path)
    parser.add_argument("--patient", action="store_true")
    arguments = parser.parse_args()
    if arguments.child:
        [name] = arguments.kinds
        asyncio.run(learn_without_end(KINDS[name], arguments.child, patient=arguments.patient))
        return
    has_failed = False
    for name in arguments.kinds or KINDS:
        wrong, expected, amid = killed_again_and_again(name, arguments.kills, arguments.sessions)
        has_failed = has_failed or bool(wrong)
        told = ", ".join(f"{what} {count}" for what, count in wrong.items()) or "nothing lost, nothing doubled"
        print(f"{name}: {arguments.kills} kills, {amid} amid learning, {expected} things to learn: {told}", flush=True)
    sys.exit(has_failed)


if __name__ == "__main__":
    main()
