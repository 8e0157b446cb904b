"""Sessions read for episodes: claimed once they ended, settled with their run, void where a round went meanwhile."""

from __future__ import annotations

from fakes.records import AT, chat, header, later
from msgspec.structs import replace

from orca_core.model.episodes import JudgedEpisode, ProposedEpisode
from orca_core.model.learning import AgentMessage, Batch, Due, RunEnd, RunKind, RunState
from orca_core.model.record_types import EPISODE
from orca_core.model.tasks import Outcome, Task
from orca_core.operations.stores import Stores
from orca_core.rules.work import episode_extraction, episode_updates

BY_NUMBER = 2**31
NGINX = JudgedEpisode(
    ProposedEpisode("nginx answers 502", "nginx", ("reloaded the quokka proxy",), Outcome.SUCCESS, "it works now")
)


def due(minutes: float = 1, **given: object) -> Due:
    return Due(later(minutes), BY_NUMBER, AT, **given)  # type: ignore[arg-type]


async def claim(stores: Stores, **given: object) -> Batch | None:
    return await stores.episodes.claim(
        due(**given), episode_extraction.how_many_fit, episode_updates.rounds_without_task
    )


async def claimed(stores: Stores, **given: object) -> Batch:
    batch = await claim(stores, **given)
    assert batch is not None
    return batch


async def finish(stores: Stores, batch: Batch, *judged: JudgedEpisode, exchange: tuple[AgentMessage, ...] = ()):
    ended = RunEnd(later(2), exchange)
    return await stores.episodes.finish(batch, judged, (), episode_updates.settle_episodes, ended, "m")


async def test_a_session_is_due_when_it_ends_and_read_once(stores) -> None:
    await chat(stores)
    await chat(stores)
    assert await claim(stores) is None
    batch = await claimed(stores, ended=("s",))
    assert (batch.kind, [each.number for each in batch.rounds]) == (RunKind.EPISODES, [1, 2])
    told = await finish(stores, batch, NGINX)

    [made] = told.made
    assert (made.id, made.origin.rounds, made.outcome_summary) == (1, (1, 2), "it works now")
    assert len(made.uid) == 32
    assert await claim(stores, everything=True) is None
    run, _ = await stores.learning.run(batch.run)
    assert (run.state, run.operation, run.result and run.result.episodes) == (RunState.DONE, told.operation, (1,))


async def test_what_is_said_later_is_read_later(stores) -> None:
    await chat(stores)
    await finish(stores, await claimed(stores, everything=True), NGINX)
    await chat(stores)
    batch = await claimed(stores, everything=True)
    further = replace(NGINX, proposed=replace(NGINX.proposed, steps=("looked again",)))
    told = await finish(stores, batch, further)

    assert [each.number for each in batch.rounds] == [2]
    [changed] = told.changed
    assert (changed.id, changed.steps, changed.origin.rounds) == (
        1, ("reloaded the quokka proxy", "looked again"), (1, 2),
    )  # fmt: skip


async def test_one_that_failed_waits_for_its_time_and_holds_its_session(stores) -> None:
    await chat(stores)
    batch = await claimed(stores, ended=("s",))
    await stores.learning.fail(batch, RunState.FAILED, "down", later(10), RunEnd(AT))

    assert await claim(stores, ended=("s",)) is None
    again = await claimed(stores, minutes=10, ended=("s",))
    assert (again.run, again.tries) == (batch.run, 2)
    await stores.learning.release(again)
    assert (await claimed(stores, minutes=11)).tries == 2


async def test_rounds_of_a_task_are_passed_over_for_good(stores) -> None:
    await stores.tasks.start(Task(0, "", "s", "mend it", AT, AT), header("start"))
    await chat(stores)
    assert await claim(stores, everything=True) is None
    assert await claim(stores, everything=True) is None


async def test_a_fork_is_told_of_what_it_adds_alone(stores) -> None:
    await chat(stores)
    await stores.sessions.fork("s", 1, "f", later())
    batch = await claimed(stores, everything=True)
    assert batch.session_id == "s"
    await finish(stores, batch)
    assert await claim(stores, everything=True) is None


async def test_a_deleted_episode_takes_the_exchanges_that_hold_it(stores) -> None:
    await chat(stores)
    exchange = (AgentMessage("assistant", "quokka told", later()),)
    batch = await claimed(stores, everything=True)
    await finish(stores, batch, NGINX, exchange=exchange)
    _, kept = await stores.learning.run(batch.run)
    assert [each.content for each in kept] == ["quokka told"]

    await stores.records[EPISODE].delete([1], header("delete"))
    run, left = await stores.learning.run(batch.run)
    assert (run.state, left) == (RunState.DONE, [])
    await chat(stores)
    assert [each.number for each in (await claimed(stores, everything=True)).rounds] == [2]
