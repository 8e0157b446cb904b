"""Every call of the memory agent is in the ledger, whatever came of it; past the day's tokens learning rests."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest
from fakes.clocks import StillClock
from fakes.facts import fact, finds, learn
from fakes.jobs import LIMIT, FakeJob, FakeLedger, done, job_status, spending, wakes_in_s, working
from fakes.scripted_model import ScriptedModel, says
from fakes.turns import turn

from orca_core.model.errors import ModelUnavailable
from orca_core.model.events import Resting
from orca_core.model.llm import TextDelta, Usage
from orca_core.settings import EpisodeSettings, MemoryAgentSettings, MemorySettings, Settings

EDITOR = fact("用户用 neovim 写代码", "我用 neovim 写代码", type="preference", tags=["技术"])


def found(usage: Usage) -> ScriptedModel:
    script = finds(EDITOR)
    return ScriptedModel(says("".join(step.text for step in script if isinstance(step, TextDelta)), usage=usage))


@pytest.mark.parametrize(
    ("script", "calls", "has_tokens"),
    [
        (says("no json from me"), 2, True),
        ([TextDelta("half an ans"), ModelUnavailable(provider="p", detail="down")], 1, True),
        ([ModelUnavailable(provider="p", detail="down")], 1, False),
    ],
    ids=["unreadable", "cut in the middle", "refused"],
)
async def test_a_call_that_brought_nothing_is_counted_all_the_same(
    open_orca, script, calls: int, has_tokens: bool
) -> None:
    async with open_orca(agent=ScriptedModel(script)) as orca:
        await turn(orca, "我用 neovim 写代码", session_id="s")
        await learn(orca)
        [spent] = await orca.runs.spent()
        assert (spent.calls, spent.estimated, spent.tokens > 0) == (calls, calls, has_tokens)


async def test_what_the_database_does_not_take_is_counted_and_written_later() -> None:
    ledger, clock = FakeLedger(), StillClock()
    ledger.is_busy = True
    kept = spending(ledger, clock, daily_tokens=15)
    await kept.note("extraction", "m", None, (10, 5))
    assert (ledger.calls, (await kept.today()).used) == ([], 15)
    assert (await kept.today()).rests_until is not None
    ledger.is_busy = False
    await kept.note("extraction", "m", None, (1, 1))
    assert [(each.prompt_tokens, each.completion_tokens) for each in ledger.calls] == [(10, 5), (1, 1)]
    assert (await kept.today()).used == 17


async def test_past_the_days_tokens_learning_rests_until_the_next_day_and_loses_nothing(
    open_orca, clock: StillClock
) -> None:
    told: list[object] = []
    no_episodes = MemorySettings(episodes=EpisodeSettings(from_chats=False))
    settings = Settings(memory=no_episodes, memory_agent=MemoryAgentSettings(daily_tokens=1000))
    agent = found(Usage(900, 200))
    async with open_orca(agent=agent, settings=settings) as orca:
        orca.worker.subscribe(told.append)
        for name in ("a", "b", "c"):
            await turn(orca, "我用 neovim 写代码", session_id=name)
        await orca.worker.finish(30)
        resting = [each for each in told if isinstance(each, Resting)]
        assert (len(agent.requests), [each.used for each in resting]) == (1, [1100])
        assert job_status(orca, "extraction").rests_until == resting[0].until
        learning = next(each for each in (await orca.doctor.examine()).checks if each.name == "learning")
        assert (learning.state, learning.fields["used"], learning.fields["limit"]) == ("warn", 1100, 1000)
        waiting = (await orca.runs.queue()).rounds
        assert waiting > 0

        clock.advance((resting[0].until - clock.now()).total_seconds() + 1)
        orca.worker.wake()
        await orca.worker.drain(30)
        assert len(agent.requests) == 2
        assert (await orca.runs.queue()).rounds < waiting
        [*_, first_day] = await orca.runs.spent()
        assert first_day.calls == 1


@pytest.fixture
def zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """The user's time zone."""

    def live_in(name: str) -> None:
        monkeypatch.setenv("TZ", name)
        time.tzset()

    yield live_in
    monkeypatch.undo()
    time.tzset()


async def test_jobs_that_ask_the_agent_rest_when_the_tokens_of_the_day_are_used() -> None:
    clock, ledger = StillClock(), FakeLedger(used=LIMIT)
    asks, other = FakeJob("asks"), FakeJob("other")
    asks.asks_agent = True
    async with working(asks, other, ledger=ledger, clock=clock) as (worker, told):
        for _ in range(2):
            await done(worker)
        assert (asks.done, other.done) == (0, 2)
        [resting] = told
        assert isinstance(resting, Resting)
        assert (resting.used, resting.limit) == (LIMIT, LIMIT)
        local = resting.until.astimezone()
        assert (local.hour, local.minute, local > clock.now()) == (0, 0, True)
        assert [each.rests_until for each in worker.status] == [resting.until, None]
        assert wakes_in_s(worker) == pytest.approx((resting.until - clock.now()).total_seconds(), abs=60)

        clock.advance((resting.until - clock.now()).total_seconds())
        ledger.used = 0
        await done(worker)
        assert asks.done == 1
        assert [each.rests_until for each in worker.status] == [None, None]
