"""What the doctor says of memories: secrets, days that go wrong, what is said twice, who waits for long."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from fakes.clocks import StillClock
from fakes.facts import fact, finds, learn, written
from fakes.records import header
from fakes.scripted_model import ScriptedModel
from fakes.turns import turn
from msgspec.structs import replace

from orca_core.model.doctor import Finding
from orca_core.model.learning import Queue
from orca_core.model.operations import Operation, UnderWay
from orca_core.orca import Orca
from orca_core.services import memory_checks
from orca_core.store.protocols import Stores
from orca_core.store.sqlite.memories.history import SQLiteHistory

OF_MEMORIES = ("secrets", "days", "duplicates", "conflicts", "undo", "inbox", "learning")


async def checks(engine: Orca) -> dict[str, Finding]:
    return {each.name: each for each in (await engine.doctor.examine()).checks if each.name in OF_MEMORIES}


def evidence(check: Finding) -> list[tuple[str, str]]:
    return [(str(each.ref), each.text) for each in check.evidence]


async def test_an_empty_home_is_well(open_engine) -> None:
    async with open_engine() as engine:
        found = await checks(engine)

        assert list(found) == list(OF_MEMORIES)
        assert {each.state for each in found.values()} == {"ok"}


async def test_what_is_half_taken_back_is_told(open_engine, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = Operation(7, header("undo"), undoes=3, under_way=UnderWay(30, 120))

    async def under_way(_self: SQLiteHistory) -> list[Operation]:
        return [begun]

    monkeypatch.setattr(SQLiteHistory, "under_way", under_way)
    async with open_engine() as engine:
        found = (await checks(engine))["undo"]

    assert (found.state, found.fields) == ("warn", {"percent": 25})


async def test_a_secret_is_named_and_never_shown(open_engine) -> None:
    async with open_engine() as engine:
        for text in ("User likes tea", "The wifi password is hunter2hunter", "sk-live-4f2b9c8e7d6a5b4c opens it"):
            await engine.memories.add(text)
        await engine.memories.archive([3])

        found = (await checks(engine))["secrets"]

        assert (found.state, found.detail) == ("warn", "2 with what looks like a key, a token or a password")
        assert evidence(found) == [("m2", "The wifi ***"), ("m3", "***")]
        assert found.fix == "orca memory delete 2 3 deletes for good; then change what it was"


async def test_days_that_go_wrong_are_named_as_far_as_they_live(open_engine) -> None:
    async with open_engine() as engine:
        for text in ("The demo is tomorrow", "用户下周去北京", "User ran last week", "User runs on Mondays"):
            await engine.memories.add(text)
        await engine.memories.archive([3])

        found = (await checks(engine))["days"]

        assert found.state == "warn"
        assert evidence(found) == [("m1", "The demo is tomorrow"), ("m2", "用户下周去北京")]


async def test_what_is_said_twice_is_counted_with_what_may_be(open_engine) -> None:
    async with open_engine() as engine:
        await engine.cleanup.run()  # so that the daily cleaning does not merge them meanwhile
        for text in ("User likes tea", "user likes  tea.", "User likes coffee"):
            await written(engine, text, type_word="preference")

        found = (await checks(engine))["duplicates"]

        assert (found.state, found.fields["same"]) == ("warn", 1)
        assert evidence(found)[0] == ("m1", "User likes tea | #2")


async def test_two_values_of_one_thing_are_a_conflict(open_engine) -> None:
    other = fact("用户对花生不过敏", "我对花生不过敏")
    async with open_engine(agent=ScriptedModel(finds(other))) as engine:
        await engine.memories.add("用户对花生过敏", type_word="fact")
        await turn(engine, "我对花生不过敏", session_id="s")
        await learn(engine)

        found = (await checks(engine))["conflicts"]

        assert (found.state, found.fields["count"]) == ("warn", 1)
        [(_newer, text)] = evidence(found)
        assert "用户对花生过敏" in text
        assert "用户对花生不过敏" in text


async def test_hostile_texts_are_shown_on_one_clean_line(open_engine) -> None:
    async with open_engine() as engine:
        await engine.memories.add("tomorrow \u202e\x1b]52;c;x\x07 " + "long " * 100)

        [found] = (await checks(engine))["days"].evidence

        assert len(found.text) <= 60
        assert not {"\x1b", "\x07", "\u202e", "\n"} & set(found.text)


async def test_what_waits_long_is_said(open_engine, clock: StillClock) -> None:
    held = fact("用户住在成都", "不在任何地方说过的话")
    async with open_engine(agent=ScriptedModel(finds(held))) as engine:
        await turn(engine, "你好，今天怎么样", session_id="s")
        await turn(engine, "还有别的吗", session_id="s")
        await learn(engine)
        waits = (await checks(engine))["inbox"]
        clock.advance(31 * 86_400.0)
        late = (await checks(engine))["inbox"]

        assert (waits.state, waits.detail) == ("ok", "1 wait for you, the oldest for 0 days")
        assert (late.state, late.detail) == ("warn", "1 wait for you, the oldest for 31 days")
        assert [(str(each.ref), each.command) for each in late.evidence] == [("m1", "orca memory show 1")]


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
    open_engine, rounds: int, days: int | None, state: str, told: str
) -> None:
    last = None if days is None else datetime(2026, 11, 20, tzinfo=UTC) - timedelta(days=days)
    queue = Queue(waiting={"s": rounds}, last_success=last)
    clock = StillClock(datetime(2026, 11, 20, tzinfo=UTC))

    async with open_engine(at=clock, behind=lambda stores: replace(stores, learning=Waits(stores, queue))) as engine:
        found = (await checks(engine))["learning"]

    assert (found.state, found.detail) == (state, told)
    assert found.fix == ("orca extract reads them now" if state == "warn" else "")
    assert [each.command for each in found.evidence] == (["orca extract --session s"] if state == "warn" else [])


@pytest.mark.long
async def test_more_memories_than_are_read_at_once_are_all_looked_at(open_engine) -> None:
    async with open_engine() as engine:
        for number in range(2 * memory_checks.AT_ONCE):
            await engine.memories.add(f"note{number}")
        await engine.memories.add("The demo is tomorrow")

        assert evidence((await checks(engine))["days"]) == [("m201", "The demo is tomorrow")]
