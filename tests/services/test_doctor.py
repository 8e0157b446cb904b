"""What the doctor says of memories, of work and of looking up, and what it mends."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta

import pytest
from fakes.clocks import StillClock
from fakes.facts import fact, finds, learn, written
from fakes.scripted_model import ScriptedModel, Step, says
from fakes.turns import turn
from fakes.work import an_episode
from msgspec.structs import replace

from orca_core.model.diagnosis import Finding
from orca_core.model.knowledge import Knowledge
from orca_core.model.learning import Queue, Run, RunKind, RunState
from orca_core.model.llm import ToolsRefused
from orca_core.model.memories import State
from orca_core.model.operations import Actor, OperationHeader
from orca_core.model.record_types import EPISODE, KNOWLEDGE, Kind
from orca_core.operations.learning_queue import LearningQueue
from orca_core.operations.stores import Stores
from orca_core.orca import Orca
from orca_core.services import record_checks
from orca_core.settings import ForgetSettings, InjectSettings, LongTermSettings, MemorySettings, Settings
from orca_core.store.ports import IndexState

OF_MEMORIES = ("secrets", "duplicates", "conflicts", "learning")


async def checks(orca: Orca) -> dict[str, Finding]:
    return {each.name: each for each in (await orca.doctor.examine()).checks if each.name in OF_MEMORIES}


def evidence(check: Finding) -> list[tuple[str, str]]:
    return [(str(each.ref), each.text) for each in check.evidence]


async def test_an_empty_home_is_well(open_orca) -> None:
    async with open_orca() as orca:
        found = await checks(orca)

        assert list(found) == list(OF_MEMORIES)
        assert {each.state for each in found.values()} == {"ok"}


async def test_a_secret_is_named_and_never_shown(open_orca) -> None:
    async with open_orca() as orca:
        for text in ("User likes tea", "The wifi password is hunter2hunter", "sk-live-4f2b9c8e7d6a5b4c opens it"):
            await orca.memories.add(text)
        await orca.memories.archive([3])

        found = (await checks(orca))["secrets"]

        assert (found.state, found.detail) == ("warn", "2 with what looks like a key, a token or a password")
        assert evidence(found) == [("m2", "The wifi ***"), ("m3", "***")]
        assert found.fix == "orca memory delete 2 3 deletes for good; then change what it was"


async def test_what_is_said_twice_is_counted_with_what_may_be(open_orca) -> None:
    async with open_orca() as orca:
        await orca.cleanup.run()  # so that the daily cleaning does not merge them meanwhile
        for text in ("User likes tea", "user likes  tea.", "User likes coffee"):
            await written(orca, text, type_word="preference")

        found = (await checks(orca))["duplicates"]

        assert (found.state, found.fields["same"]) == ("warn", 1)
        assert evidence(found)[0] == ("m1", "User likes tea | #2")


async def test_two_values_of_one_thing_are_a_conflict(open_orca) -> None:
    other = fact("用户对花生不过敏", "我对花生不过敏")
    async with open_orca(agent=ScriptedModel(finds(other))) as orca:
        await orca.memories.add("用户对花生过敏", type_word="fact")
        await turn(orca, "我对花生不过敏", session_id="s")
        await learn(orca)

        found = (await checks(orca))["conflicts"]

        assert (found.state, found.fields["count"]) == ("warn", 1)
        [(_newer, text)] = evidence(found)
        assert "用户对花生过敏" in text
        assert "用户对花生不过敏" in text


async def test_hostile_texts_are_shown_on_one_clean_line(open_orca) -> None:
    async with open_orca() as orca:
        await orca.memories.add("password hunter2hunter \u202e\x1b]52;c;x\x07 " + "long " * 100)

        [found] = (await checks(orca))["secrets"].evidence

        assert len(found.text) <= 60
        assert not {"\x1b", "\x07", "\u202e", "\n"} & set(found.text)


class Waits:
    """The queue of a home in which rounds wait; all else is that of the store."""

    def __init__(self, stores: Stores, queue: Queue) -> None:
        self._learning = stores.learning
        self._queue = queue

    async def queue(self) -> Queue:
        return self._queue

    def __getattr__(self, name: str) -> object:
        return getattr(self._learning, name)


@pytest.mark.parametrize(
    ("rounds", "days", "state", "told"),
    [
        (4, 9, "ok", "rounds that wait to be learnt from: 4; the last success was on 2026-11-11"),
        (5, 1, "ok", "rounds that wait to be learnt from: 5; the last success was on 2026-11-19"),
        (5, 3, "warn", "rounds that wait to be learnt from: 5; the last success was on 2026-11-17"),
        (50, 0, "warn", "rounds that wait to be learnt from: 50; the last success was on 2026-11-20"),
        (49, None, "ok", "rounds that wait to be learnt from: 49"),
        (50, None, "warn", "rounds that wait to be learnt from: 50; none was read yet"),
    ],
)
async def test_rounds_that_wait_are_said_with_the_last_success(
    open_orca, rounds: int, days: int | None, state: str, told: str
) -> None:
    last = None if days is None else datetime(2026, 11, 20, tzinfo=UTC) - timedelta(days=days)
    queue = Queue(waiting={"s": rounds}, last_success=last)
    clock = StillClock(datetime(2026, 11, 20, tzinfo=UTC))

    async with open_orca(at=clock, behind=lambda stores: replace(stores, learning=Waits(stores, queue))) as orca:
        found = (await checks(orca))["learning"]

    assert (found.state, found.detail) == (state, told)
    assert found.fix == ("orca extract reads them now" if state == "warn" else "")
    assert [each.command for each in found.evidence] == (["orca extract --session s"] if state == "warn" else [])


@pytest.mark.long
async def test_more_memories_than_are_read_at_once_are_all_looked_at(open_orca) -> None:
    async with open_orca() as orca:
        for number in range(2 * record_checks.AT_ONCE):
            await orca.memories.add(f"note{number}")
        await orca.memories.add("The wifi password is hunter2hunter")

        assert evidence((await checks(orca))["secrets"]) == [("m201", "The wifi ***")]


OpenHome = Callable[..., object]
OF_WORK = ("search index", "episodes", "knowledge", "tools", "reading of work")


@pytest.fixture
def home(open_orca) -> OpenHome:
    @asynccontextmanager
    async def opened(
        behind: Callable[[Stores], Stores] = lambda stores: stores, **forget: object
    ) -> AsyncIterator[tuple[Orca, Stores]]:
        kept: list[Stores] = []

        def keep(stores: Stores) -> Stores:
            kept.append(behind(stores))
            return kept[0]

        settings = Settings(memory=MemorySettings(forget=ForgetSettings(**forget)))  # type: ignore[arg-type]
        async with open_orca(settings=settings, behind=keep) as orca:
            yield orca, kept[0]

    return opened


async def checks_of_work(orca: Orca) -> dict[str, Finding]:
    return {each.name: each for each in (await orca.doctor.examine()).checks if each.name in OF_WORK}


def header_at(clock: StillClock) -> OperationHeader:
    return OperationHeader(Actor.USER, "add", clock.now())


@pytest.mark.parametrize(
    ("enabled", "fix"),
    [
        (True, "orca episode fade forgets the rest"),
        (False, "set memory.forget.enabled = true, or raise memory.forget.max_episodes"),
    ],
)
async def test_episodes_above_the_cap_are_counted(home, clock: StillClock, enabled: bool, fix: str) -> None:
    async with home(max_episodes=1, enabled=enabled) as (orca, stores):
        for number in range(2):
            await stores.records[EPISODE].add(an_episode(uid=f"u{number}"), header_at(clock))

        found = (await checks_of_work(orca))["episodes"]
        assert (found.state, found.detail, found.fix) == ("warn", "2 live, and at most 1 are to", fix)


async def test_knowledge_that_stands_alone_is_listed_and_left(home, clock: StillClock) -> None:
    async with home() as (orca, stores):
        now = clock.now() - timedelta(days=200)
        for number, state in enumerate((State.ARCHIVED, State.LIVE), start=1):
            await stores.records[EPISODE].add(an_episode(uid=f"u{number}", state=state), header_at(clock))
            known = Knowledge(0, f"k{number}", "nginx", "nginx", "restart it", now, now, source_episodes=(number,))
            await stores.records[KNOWLEDGE].add(known, header_at(clock))

        found = (await checks_of_work(orca))["knowledge"]
        assert found.state == "warn"
        assert found.detail == "1 were not used for 180 days, and no episode that they rest on lives: k1"
        assert found.fix.startswith("orca knowledge show k1 ")
        await orca.worker.tidy()
        assert [each.state for each in await stores.records[KNOWLEDGE].get([1, 2])] == [State.LIVE] * 2


class RunsOfWork:
    """A record of one parked run and one that is well."""

    def __init__(self, kind: RunKind, at: StillClock, queue: LearningQueue) -> None:
        self._queue = queue
        well = Run(7, kind, "s", (1,), RunState.DONE, 1, at.now())
        self._runs = [replace(well, id=8, state=RunState.FAILED, tries=5, error="no answer"), well]

    async def runs(self, limit: int) -> list[Run]:
        return self._runs[:limit]

    def __getattr__(self, name: str) -> object:
        return getattr(self._queue, name)


@pytest.mark.parametrize("kind", [each for each in RunKind if each not in (RunKind.EXTRACT, RunKind.SUMMARIZE)])
async def test_parked_runs_are_named_with_what_went_wrong(home, clock: StillClock, kind: RunKind) -> None:
    def parked(stores: Stores) -> Stores:
        return replace(stores, learning=RunsOfWork(kind, clock, stores.learning))  # type: ignore[arg-type]

    async with home(behind=parked) as (orca, _stores):
        found = (await checks_of_work(orca))["reading of work"]

        assert (found.state, found.detail) == ("warn", f"1 runs are parked ({kind.value}): no answer")
        assert "orca extract --show 8" in found.fix


class BrokenIndex:
    """The indexes of a database as something else left them."""

    def __init__(self, upkeep: object) -> None:
        self._upkeep = upkeep
        self.mended: list[str] = []

    def __getattr__(self, name: str) -> object:
        return getattr(self._upkeep, name)

    async def states(self) -> list[IndexState]:
        return [IndexState(EPISODE, 1, 2, 3, 4), IndexState(KNOWLEDGE)]

    async def counts(self) -> dict[Kind, int]:
        return {EPISODE: 3, KNOWLEDGE: 0}

    async def mend(self, kind: object, tell: object) -> None:
        self.mended.append(kind.name)  # type: ignore[attr-defined]


async def test_an_index_out_of_step_is_told_and_made_anew(home) -> None:
    async with home(behind=lambda stores: replace(stores, upkeep=BrokenIndex(stores.upkeep))) as (orca, _stores):
        found = (await checks_of_work(orca))["search index"]
        await orca.doctor.reindex()

        assert found.detail == "episode: 1 without words, words of 2 and vectors of 3 that are gone, 4 stale"
        assert found.fix == "orca memory reindex makes it anew"
        assert orca.stores.upkeep.mended == ["episode", "knowledge"]


async def of_lookups(orca: Orca) -> Finding | None:
    return next((each for each in (await orca.doctor.examine()).checks if each.name == "look-ups"), None)


async def test_a_server_that_refused_tools_is_named_until_it_is_asked_again(open_orca, clock: StillClock) -> None:
    refused: list[Step] = [ToolsRefused("m does not support tools"), *says("hello")]
    async with open_orca(ScriptedModel(refused, says("again"))) as orca:
        await turn(orca, "hello there")
        told = await of_lookups(orca)
        clock.advance(timedelta(days=8).total_seconds())
        later = await of_lookups(orca)
    assert told is not None
    assert told.state == "warn"
    assert "scripted-1: its server refused tools on 2" in told.detail
    again = (clock.now() - timedelta(days=1)).date().isoformat()
    assert told.fix.format(**told.fields).endswith(f"this one is asked again from {again} on")
    assert later is not None
    assert later.state == "ok"


@pytest.mark.parametrize(
    ("memory", "detail"),
    [
        (MemorySettings(inject=InjectSettings(lookups=0)), "off: memory.inject.lookups is 0"),
        (MemorySettings(long_term=LongTermSettings(enabled=False)), "off: memory.long_term.enabled is false"),
    ],
)
async def test_what_is_switched_off_is_said(open_orca, memory: MemorySettings, detail: str) -> None:
    async with open_orca(settings=Settings(memory=memory)) as orca:
        found = await of_lookups(orca)
    assert found is not None
    assert (found.state, found.detail) == ("ok", detail)
