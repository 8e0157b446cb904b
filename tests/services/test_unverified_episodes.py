"""Episodes about which the verifier did not answer are asked about once more, as memories are: with the next run and when
the inbox is opened, three times; then a person decides."""

from __future__ import annotations

import json

import pytest
from fakes.clocks import StillClock
from fakes.scripted_model import ScriptedModel, Step, answers, says
from fakes.turns import turn

from orca_core.model.episodes import Episode, WorkQuery
from orca_core.model.errors import ModelUnavailable
from orca_core.model.events import EpisodesRead
from orca_core.model.learning import RunKind, Verification, Wanted
from orca_core.model.memories import State
from orca_core.model.tasks import Outcome
from orca_core.orca import Orca

SAID = ("nginx answers 502 since the deploy this morning", "raised the keepalive timeout. it works now, thanks")
STEP = "raised the keepalive timeout"
NGINX = {
    "trigger": "nginx answers 502 since the deploy", "target": "nginx", "steps": [STEP], "outcome": "success",
    "outcome_quote": "it works now", "tags": ["web"],
}  # fmt: skip
TELLS = says(json.dumps({"episodes": [NGINX]}))
NONE = says('{"episodes": []}')
DOWN: list[Step] = [ModelUnavailable(provider="p", detail="down")]
YES = answers(True, True, True)
HOUR_S = 3600


def agent_that(*verifier: list[Step], tells_of: tuple[list[Step], ...] = (TELLS,)) -> ScriptedModel:
    return ScriptedModel(says('{"facts": []}'), episodes=tells_of, verifier_episodes=verifier)


async def waits(engine: Orca, session_id: str = "s") -> None:
    for text in SAID:
        await turn(engine, text, session_id=session_id)
    await engine.worker.drain()
    await asked(engine, Wanted(everything=True))


async def asked(engine: Orca, wanted: Wanted) -> list[EpisodesRead]:
    return [event async for event in engine.learning.episodes.run(wanted) if event.state != "running"]


async def opened(engine: Orca) -> list[EpisodesRead]:
    return await asked(engine, Wanted(inbox=True))


async def the_episode(engine: Orca) -> Episode:
    [episode] = (await engine.work.episodes.page(WorkQuery("all", sort="id"))).records
    return episode


async def test_it_lives_after_the_next_run_with_what_the_verifier_sees_in_it(open_engine, clock: StillClock) -> None:
    agent = agent_that(DOWN, YES, tells_of=(TELLS, NONE))
    async with open_engine(agent=agent) as engine:
        await waits(engine)
        assert (await the_episode(engine)).held_because == "unread"
    async with open_engine(agent=agent) as engine:
        clock.advance(HOUR_S)
        for text in ("what a day", "and what an evening"):
            await turn(engine, text, session_id="t")
        await engine.worker.drain()
        [_, event] = await asked(engine, Wanted(everything=True))

        assert (event.state, event.session_id, event.rounds, event.changed) == ("done", "s", (1, 2), (1,))
        assert (event.waiting, event.verification) == ((), Verification(3))
        episode = await the_episode(engine)
        assert (episode.state, episode.held_because, episode.steps) == (State.LIVE, None, (STEP,))
        assert (episode.outcome, episode.outcome_summary) == (Outcome.SUCCESS, "it works now")
        lesson = await engine.runs.show(event.run)
        assert (lesson.run.kind, [each.in_verification for each in lesson.exchange]) == (RunKind.VERIFY, [True] * 3)


@pytest.mark.parametrize(
    ("says_so", "state", "held", "steps", "outcome"),
    [
        ((False, True, True), State.CANDIDATE, "not_said", (STEP,), Outcome.SUCCESS),
        ((True, False, True), State.LIVE, None, (), Outcome.SUCCESS),
        ((True, True, False), State.LIVE, None, (STEP,), Outcome.UNKNOWN),
        ((True, False, False), State.CANDIDATE, "not_said", (), Outcome.UNKNOWN),
    ],
    ids=["whose", "a step", "the end", "all of it"],
)
async def test_what_is_refused_then_goes_or_holds_it(
    open_engine, clock, says_so: tuple[bool, ...], state: State, held: str | None, steps: tuple[str, ...], outcome: Outcome
) -> None:  # fmt: skip
    async with open_engine(agent=agent_that(DOWN, answers(*says_so))) as engine:
        await waits(engine)
        clock.advance(HOUR_S)
        [event] = await opened(engine)

        episode = await the_episode(engine)
        assert (episode.state, episode.held_because, episode.steps) == (state, held, steps)
        assert (episode.outcome, "keepalive" in episode.text) == (outcome, bool(steps))
        result = (await engine.runs.show(event.run)).run.result
        assert result is not None
        assert len(result.dropped) == says_so[1:].count(False)
        clock.advance(HOUR_S)
        assert await opened(engine) == []


async def test_further_rounds_do_not_make_live_what_nobody_has_read(open_engine, clock: StillClock) -> None:
    further = {
        "continues": "e1",
        "trigger": "502 again",
        "target": "nginx",
        "steps": ["moved the upstream to a socket"],
    }
    agent = agent_that(DOWN, answers(True, True), tells_of=(TELLS, says(json.dumps({"episodes": [further]}))))
    async with open_engine(agent=agent) as engine:
        await waits(engine)
        for text in ("502 again on nginx", "moved the upstream to a socket"):
            await turn(engine, text, session_id="s")
        await engine.worker.drain()
        first, *_ = await asked(engine, Wanted(everything=True))

        assert first.waiting == (1,)
        assert (await the_episode(engine)).state is State.CANDIDATE
