"""What acts bear out goes live once the verifier agrees."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from fakes.clocks import StillClock
from fakes.scripted_model import ScriptedModel, Step, answers, says
from fakes.supported import LIKES_TABLES, by_act, shown, supported
from fakes.turns import turn
from msgspec.structs import replace

from orca_core.model.errors import InvalidInput, StorageError
from orca_core.model.events import ActsRead, Promoted
from orca_core.model.learning import RunKind, RunState, Verification, Wanted
from orca_core.model.memories import Memory, State
from orca_core.model.operations import Actor
from orca_core.model.views import ListQuery
from orca_core.operations.stores import Stores
from orca_core.orca import Orca
from orca_core.rules.feedback.promotion import REFUSED
from orca_core.serialize.events import lesson_json
from orca_core.settings import ExtractSettings, MemoryAgentSettings, MemorySettings, PromoteSettings, Settings
from orca_core.store.sqlite.store import open_stores

DAYS = (0, 1, 2)


async def acts_showed(database: Path, *contents: str, days: tuple[int, ...] = DAYS) -> None:
    stores = await open_stores(database, scope="me", must_exist=False)
    for content in contents:
        number = await shown(stores, content)
        await supported(stores, *(by_act(number, 10 * number + day, day) for day in days))
    await stores.upkeep.aclose()


async def passed(orca: Orca) -> list[object]:
    """One pass of the worker; the events of it."""
    told: list[object] = []
    unsubscribe = orca.worker.subscribe(told.append)
    orca.worker.wake()
    await orca.worker.drain()
    unsubscribe()
    return told


UNREAD = MemoryAgentSettings(extract=ExtractSettings(verify="off"))
"""The rules alone decide: no candidate is read against other acts."""


def settings(**promote: object) -> Settings:
    memory = MemorySettings(promote=PromoteSettings(**promote))  # type: ignore[arg-type]
    return Settings(memory=memory, memory_agent=UNREAD)


async def test_what_is_ready_goes_live_and_says_so(open_orca, database: Path) -> None:
    async with open_orca(settings=settings()) as orca:
        await acts_showed(database, LIKES_TABLES, "用户喜欢短的回答")

        told = [*await passed(orca), *await passed(orca), *await passed(orca)]

        first, second = (each for each in told if isinstance(each, Promoted))
        assert (first.id, first.content) == (1, LIKES_TABLES)
        assert (second.id, second.content) == (2, "用户喜欢短的回答")
        assert [each.state for each in await orca.memories.get([1, 2])] == [State.LIVE, State.LIVE]
        [(operation, changes), *_] = await orca.history.activity(1)
        assert (operation.header.actor, operation.header.action, len(changes)) == (Actor.PROMOTION, "promote", 1)
        assert await passed(orca) == []


async def test_a_failure_is_an_event(open_orca) -> None:
    def broken(stores: Stores) -> Stores:
        class Broken:
            def __getattr__(self, name: str) -> object:
                return getattr(stores.feedback, name)

            async def claim_candidate(self, *_given: object) -> None:
                raise StorageError(path="orca.db", detail="no")

        return replace(stores, feedback=Broken())  # type: ignore[arg-type]

    async with open_orca(behind=broken) as orca:
        [told] = await passed(orca)
        assert isinstance(told, ActsRead)
        assert (told.state, bool(told.error)) == ("failed", True)


async def test_the_pools_are_views(open_orca, database: Path) -> None:
    async with open_orca() as orca:
        await acts_showed(database, LIKES_TABLES, days=(0,))
        for text, word in (("用户用 vim", "fact"), ("用户喜欢茶", "preference"), ("请用中文", "instruction")):
            await orca.memories.add(text, type_word=word)

        pools = orca.feedback.pools
        found = {word: [each.memory.id for each in (await pools.page(word)).records] for word in POOLS}
        assert found == {"candidates": [1], "info": [2], "profile": [3, 4]}
        paged = await pools.page("profile", 1, 1)
        assert ([each.memory.id for each in paged.records], paged.total) == ([4], 2)
        with pytest.raises(InvalidInput, match="there is no pool everything"):
            await pools.page("everything")


POOLS = ("candidates", "info", "profile")

TABLES = "The user prefers answers with a table"
SHOWN = says(json.dumps({"preferences": [{"action": 1, "content": TABLES, "type": "implicit"}]}))
NOTHING = says('{"preferences": []}')
A_DAY = 86_400


def agent_that(*promotions: list[Step], acts: list[list[Step]] | None = None) -> ScriptedModel:
    return ScriptedModel(says('{"facts": []}'), acts=acts or [SHOWN] * 3 + [NOTHING], promotions=promotions)


async def act(orca: Orca, clock: StillClock, number: int, word: str = "LIKE") -> list[object]:
    """A round, an act on it, read at once, on a day of its own; what the worker tells after that."""
    told: list[object] = []
    unsubscribe = orca.worker.subscribe(told.append)
    await turn(orca, f"question {number}?", session_id="s")
    await orca.feedback.actions.record(word, "s", round=number)
    async for _ in orca.learning.feedback.run(Wanted(everything=True)):
        pass
    await passed_promotions(orca)
    unsubscribe()
    clock.advance(A_DAY)
    return told


async def passed_promotions(orca: Orca) -> None:
    orca.worker.wake()
    await orca.worker.drain()


async def liked(orca: Orca, clock: StillClock, count: int = 3) -> list[object]:
    return [event for number in range(1, count + 1) for event in await act(orca, clock, number)]


async def only(orca: Orca) -> Memory:
    [view] = (await orca.memories.page(ListQuery("all"))).records
    return view.memory


def told_of(told: list[object]) -> list[ActsRead]:
    """What became of the candidates that were verified."""
    return [each for each in told if isinstance(each, ActsRead) and each.candidate and each.state != "running"]


async def test_what_acts_bear_out_goes_live_and_says_so(open_orca, clock: StillClock) -> None:
    agent = agent_that()
    async with open_orca(ScriptedModel(says("| a |")), agent=agent) as orca:
        told = await liked(orca, clock)

        memory = await only(orca)
        assert (memory.state, memory.confirmed_by) == (State.LIVE, None)
        [done] = told_of(told)
        assert (done.state, done.candidate, len(done.acts)) == ("done", memory.id, 3)
        assert done.verification == Verification(1)
        [promoted] = [each for each in told if isinstance(each, Promoted)]
        assert (promoted.id, promoted.content) == (memory.id, TABLES)
        [request] = agent.promotion_requests
        assert "what the user prefers" in request.messages[0].content
        material = json.loads(request.messages[1].content)
        assert material["facts"] == [{"fact": 1, "says": TABLES}]
        assert [each["round"]["assistant_said"] for each in material["acts"]] == ["| a |"] * 3
        [run] = [each for each in await orca.runs.runs(20) if each.kind is RunKind.ACTIONS and each.target]
        lesson = await orca.runs.show(run.id)
        assert (run.state, run.operation, run.target) == (RunState.DONE, promoted.operation, f"#{memory.id}")
        assert [each.role for each in lesson.exchange] == ["system", "user", "assistant"]
        assert all(each.in_verification for each in lesson.exchange)
        assert lesson.memories[memory.id] == memory
        assert lesson_json(lesson)["stored"] == [memory.id]
        assert "verifier" in {each.job for each in await orca.runs.spent()}


async def test_what_the_verifier_does_not_see_is_held_in_sight_and_taken_back(open_orca, clock: StillClock) -> None:
    agent = agent_that(answers(False), acts=[NOTHING, NOTHING, SHOWN, SHOWN, SHOWN, NOTHING])
    async with open_orca(ScriptedModel(says("| a |")), agent=agent) as orca:
        told = await liked(orca, clock, 5)

        memory = await only(orca)
        [done] = told_of(told)
        assert (done.state, done.verification) == ("done", Verification(1, refused=1))
        assert not any(isinstance(each, Promoted) for each in told)
        assert (memory.state, memory.held_because) == (State.CANDIDATE, REFUSED["held_because"])
        assert (await orca.feedback.pools.weighed())[memory.id].blocked_by == REFUSED["held_because"]
        [(operation, _changes), *_] = await orca.history.activity(1)
        assert (operation.header.actor, operation.header.action) == (Actor.PROMOTION, "hold")
        await orca.history.undo(operation.id)
        assert (await only(orca)).held_because == "unproven"
        await act(orca, clock, 6)
        assert len(agent.promotion_requests) == 1


async def test_without_an_agent_it_waits_and_says_so_once_a_day(open_orca, clock: StillClock) -> None:
    agent = agent_that(says("no"))
    async with open_orca(ScriptedModel(says("| a |")), agent=agent) as orca:
        await liked(orca, clock)
    chosen = Settings(memory_agent=MemoryAgentSettings(enabled=False))
    async with open_orca(ScriptedModel(says("| a |")), agent=agent, settings=chosen) as orca:
        told: list[object] = []
        orca.worker.subscribe(told.append)
        asked = len(agent.promotion_requests)
        for _ in range(3):
            await passed_promotions(orca)
        assert [(each.state, each.error) for each in told_of(told)] == [("failed", "the memory agent is switched off")]
        clock.advance(A_DAY)
        await passed_promotions(orca)

        assert len(told_of(told)) == 2
        assert len(agent.promotion_requests) == asked
        assert (await only(orca)).held_because == "unproven"
