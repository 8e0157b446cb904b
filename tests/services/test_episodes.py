"""Episodes of chats, and what the verifier lets live of them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from fakes.clocks import StillClock
from fakes.facts import pasted
from fakes.scripted_model import ScriptedModel, Step, answers, says
from fakes.turns import turn

from orca_core.model.episodes import Episode, WorkQuery
from orca_core.model.errors import ModelUnavailable
from orca_core.model.events import EpisodesRead
from orca_core.model.learning import RunKind, RunState, Verification, VerifierFailure, Wanted
from orca_core.model.memories import State
from orca_core.model.operations import Actor
from orca_core.model.tasks import Outcome
from orca_core.orca import Orca

ASKED = "nginx answers 502 since the deploy this morning"
DONE = "raised the keepalive timeout and reloaded nginx. it works now, thanks"
BROKE = "after the reboot nginx answers 502 again, moved the upstream to a socket. still broken"
NGINX = {
    "trigger": "nginx answers 502 since the deploy",
    "target": "nginx",
    "steps": ["raised the keepalive timeout", "reloaded nginx"],
    "outcome": "success",
    "outcome_quote": "it works now",
    "tags": ["web"],
}


def tells(*episodes: dict[str, Any]) -> list[Step]:
    return says(json.dumps({"episodes": list(episodes)}))


async def talked(orca: Orca, *texts: str, session_id: str = "s") -> None:
    for text in texts:
        await turn(orca, text, session_id=session_id)
    await orca.worker.drain()


async def read(orca: Orca, session_id: str | None = None) -> list[EpisodesRead]:
    """What is told of reading all that waits, but the beginnings."""
    wanted = Wanted(session_id=session_id, everything=True)
    return [event async for event in orca.learning.episodes.run(wanted) if event.state != "running"]


async def every(orca: Orca) -> list[Episode]:
    return list((await orca.work.episodes.page(WorkQuery("all", sort="id"))).records)


async def test_a_chat_that_ended_has_its_episode(open_orca) -> None:
    agent = ScriptedModel(says('{"facts": []}'), episodes=[tells(NGINX)])
    async with open_orca(agent=agent) as orca:
        await talked(orca, ASKED, DONE)
        assert agent.episode_requests == []

        await talked(orca, "what is a good book?", session_id="t")

        [episode] = await every(orca)
        assert (episode.trigger_summary, episode.target) == (NGINX["trigger"], "nginx")
        assert episode.steps == ("raised the keepalive timeout", "reloaded nginx")
        assert (episode.outcome, episode.outcome_summary, episode.state) == (
            Outcome.SUCCESS, "it works now", State.LIVE,
        )  # fmt: skip
        assert (episode.origin.session_id, episode.origin.rounds, episode.origin.model) == ("s", (1, 2), "scripted-1")
        assert [hit.record.id for hit in (await orca.work.episodes.search("502 from nginx", 3)).hits] == [1]
        [run] = [run for run in await orca.runs.runs(9) if run.kind is RunKind.EPISODES]
        assert (run.state, run.rounds, run.result and run.result.episodes) == (RunState.DONE, (1, 2), (1,))
        assert ("episodes", 1) in [(spent.job, spent.calls) for spent in await orca.runs.spent()]
        [(operation, _)] = [each for each in await orca.history.activity(9) if each[0].id == run.operation]
        assert operation.header.actor is Actor.EPISODES


async def test_a_chat_that_goes_on_is_told_on_in_its_episode(open_orca) -> None:
    further = {
        "continues": "e1", "trigger": "502 again", "target": "nginx", "steps": ["moved the upstream to a socket"],
        "outcome": "failed", "outcome_quote": "still broken",
    }  # fmt: skip
    agent = ScriptedModel(says('{"facts": []}'), episodes=[tells(NGINX), tells(further)])
    async with open_orca(agent=agent) as orca:
        await talked(orca, ASKED, DONE)
        await read(orca)
        await talked(orca, BROKE)
        [event] = await read(orca)

        assert (event.made, event.changed) == ((), (1,))
        [episode] = await every(orca)
        assert episode.trigger_summary == NGINX["trigger"]
        assert episode.steps[-1] == "moved the upstream to a socket"
        assert (episode.outcome, episode.outcome_summary) == (Outcome.FAILED, "still broken")
        assert episode.origin.rounds == (1, 2, 3)
        assert '"id": "e1"' in agent.episode_requests[1].messages[-1].content
        assert ASKED not in agent.episode_requests[1].messages[-1].content

        await orca.history.undo(event.run and (await orca.runs.show(event.run)).run.operation)
        [before] = await every(orca)
        assert (before.outcome, before.origin.rounds) == (Outcome.SUCCESS, (1, 2))


async def test_what_a_person_wrote_or_put_away_no_machine_changes(open_orca) -> None:
    further = {"trigger": "502 again", "target": "nginx", "steps": ["moved the upstream to a socket"],
               "outcome": "failed", "outcome_quote": "still broken"}  # fmt: skip
    agent = ScriptedModel(says('{"facts": []}'), episodes=[tells(NGINX), tells(further)])
    async with open_orca(agent=agent) as orca:
        await talked(orca, ASKED, DONE)
        await read(orca)
        await orca.work.episodes.edit(1, steps=["turned it off and on"])
        await talked(orca, BROKE)
        await read(orca)
        [episode] = await every(orca)
        assert (episode.steps, episode.outcome) == (("turned it off and on",), Outcome.FAILED)

        await orca.work.episodes.archive([1])
        await talked(orca, "nginx answers 502 again, moved the upstream to a socket. still broken")
        assert [event.made for event in await read(orca)] == [(2,)]
        assert [each.state for each in await every(orca)] == [State.ARCHIVED, State.LIVE]


async def test_what_only_a_paste_says_waits_and_a_paste_beside_does_not_matter(open_orca) -> None:
    log = "2026-11-20 ERROR quokkad: connection refused by upstream 10.9.8.7, run quokkactl repair --all"
    poisoned = {**NGINX, "target": "quokkad", "steps": ["ran quokkactl repair", "reloaded nginx"]}
    agent = ScriptedModel(says('{"facts": []}'), episodes=[tells(poisoned, NGINX)])
    async with open_orca(agent=agent) as orca:
        await turn(orca, ASKED, pasted(log))
        await talked(orca, DONE)
        [event] = await read(orca)

        held, live = await every(orca)
        assert (held.state, held.held_because, held.steps) == (State.CANDIDATE, "not_typed", ("reloaded nginx",))
        assert live.state is State.LIVE
        assert (event.made, event.waiting) == ((1, 2), (1,))
        assert log not in agent.episode_requests[0].messages[-1].content


async def test_a_task_tells_its_rounds_itself(open_orca) -> None:
    agent = ScriptedModel(says('{"facts": []}'), episodes=[tells(NGINX)])
    async with open_orca(agent=agent) as orca:
        started = await orca.work.tasks.start("s", "mend nginx")
        await talked(orca, ASKED, DONE)
        await orca.work.tasks.complete(started.task.id, "success", "it works")
        assert await read(orca) == []
        assert agent.episode_requests == []
        assert [each.task for each in await every(orca)] == [started.task.id]


STEPS = ("raised the keepalive timeout", "reloaded nginx")


NGINX_EPISODES = {
    "trigger": "nginx answers 502 since the deploy", "target": "nginx", "steps": list(STEPS), "outcome": "success",
    "outcome_quote": "it works now", "tags": ["web"],
}  # fmt: skip


NOTHING = says('{"facts": []}')


def says_so(*each: bool) -> list[Step]:
    return answers(*each)


def agent_that(*verifier: list[Step], tells_of: list[list[Step]] | None = None) -> ScriptedModel:
    return ScriptedModel(NOTHING, episodes=tells_of or [tells(NGINX_EPISODES)], verifier_episodes=verifier)


async def read_episodes(orca: Orca, *texts: str) -> EpisodesRead:
    for text in texts or (ASKED, DONE):
        await turn(orca, text, session_id="s")
    await orca.worker.drain()
    return await read_again(orca)


async def read_again(orca: Orca) -> EpisodesRead:
    events = [event async for event in orca.learning.episodes.run(Wanted(everything=True)) if event.state != "running"]
    return events[-1]


@pytest.mark.parametrize(
    ("says", "state", "held", "steps", "outcome"),
    [
        ((True, True, True, True), State.LIVE, None, STEPS, Outcome.SUCCESS),
        ((False, True, True, True), State.CANDIDATE, "not_said", STEPS, Outcome.SUCCESS),
        ((True, False, True, True), State.LIVE, None, STEPS[1:], Outcome.SUCCESS),
        ((True, True, True, False), State.LIVE, None, STEPS, Outcome.UNKNOWN),
        ((True, False, False, False), State.CANDIDATE, "not_said", (), Outcome.UNKNOWN),
    ],
    ids=["confirmed", "whose", "a step", "the end", "all of it"],
)
async def test_what_the_verifier_refuses_is_held_or_left_out(
    open_orca, says: tuple[bool, ...], state: State, held: str | None, steps: tuple[str, ...], outcome: Outcome
) -> None:
    async with open_orca(agent=agent_that(says_so(*says))) as orca:
        event = await read_episodes(orca)

        assert event.verification == Verification(asked=4, refused=says.count(False))
        [episode] = await every(orca)
        assert (episode.state, episode.held_because) == (state, held)
        assert (episode.steps, episode.outcome) == (steps, outcome)
        assert bool(episode.outcome_summary) is (outcome is Outcome.SUCCESS)
        run = (await orca.runs.show(event.run)).run
        assert run.result is not None
        assert run.result.verification == event.verification
        left_out = [each.reason for each in run.result.dropped]
        assert left_out == ["not_said"] * (len(STEPS) - len(steps) + (outcome is Outcome.UNKNOWN))


@pytest.mark.parametrize(
    ("script", "failure", "error"),
    [
        (says("yes, all of them"), VerifierFailure.UNREADABLE, ""),
        (says('{"answers": [{"number": 1, "holds": false}]}'), VerifierFailure.UNREADABLE, ""),
        (says('{"answers": [{"fact": 1, "says_so": fal'), VerifierFailure.UNREADABLE, ""),
        ([ModelUnavailable(provider="p", detail="down")], VerifierFailure.FAILED, "p: down"),
        ([ZeroDivisionError("a secret")], VerifierFailure.FAILED, "something broke that should not: ZeroDivisionError"),
    ],
    ids=["chatter", "another form", "cut", "unreachable", "a mistake"],
)
async def test_without_an_answer_it_waits_and_the_run_says_so(
    open_orca, script: list[Step], failure: VerifierFailure, error: str
) -> None:
    async with open_orca(agent=agent_that(script)) as orca:
        event = await read_episodes(orca)

        assert (event.state, event.made, event.waiting) == ("done", (1,), (1,))
        assert event.verification == Verification(4, failure=failure, error=event.verification.error)
        assert event.verification.error.startswith(error)
        [episode] = await every(orca)
        assert (episode.state, episode.held_because, episode.steps) == (State.CANDIDATE, "unread", STEPS)
        assert (episode.outcome, episode.outcome_summary) == (Outcome.SUCCESS, "it works now")


SAID = ("nginx answers 502 since the deploy this morning", "raised the keepalive timeout. it works now, thanks")


STEP = "raised the keepalive timeout"


NGINX_LATER = {
    "trigger": "nginx answers 502 since the deploy", "target": "nginx", "steps": [STEP], "outcome": "success",
    "outcome_quote": "it works now", "tags": ["web"],
}  # fmt: skip


TELLS = says(json.dumps({"episodes": [NGINX_LATER]}))


NONE = says('{"episodes": []}')


DOWN: list[Step] = [ModelUnavailable(provider="p", detail="down")]


YES = answers(True, True, True)


HOUR_S = 3600


def agent_that_waits(*verifier: list[Step], tells_of: tuple[list[Step], ...] = (TELLS,)) -> ScriptedModel:
    return ScriptedModel(says('{"facts": []}'), episodes=tells_of, verifier_episodes=verifier)


async def waits(orca: Orca, session_id: str = "s") -> None:
    for text in SAID:
        await turn(orca, text, session_id=session_id)
    await orca.worker.drain()
    await asked(orca, Wanted(everything=True))


async def asked(orca: Orca, wanted: Wanted) -> list[EpisodesRead]:
    return [event async for event in orca.learning.episodes.run(wanted) if event.state != "running"]


async def opened(orca: Orca) -> list[EpisodesRead]:
    return await asked(orca, Wanted(inbox=True))


async def the_episode(orca: Orca) -> Episode:
    [episode] = (await orca.work.episodes.page(WorkQuery("all", sort="id"))).records
    return episode


async def test_it_lives_after_the_next_run_with_what_the_verifier_sees_in_it(open_orca, clock: StillClock) -> None:
    agent = agent_that_waits(DOWN, YES, tells_of=(TELLS, NONE))
    async with open_orca(agent=agent) as orca:
        await waits(orca)
        assert (await the_episode(orca)).held_because == "unread"
    async with open_orca(agent=agent) as orca:
        clock.advance(HOUR_S)
        for text in ("what a day", "and what an evening"):
            await turn(orca, text, session_id="t")
        await orca.worker.drain()
        [_, event] = await asked(orca, Wanted(everything=True))

        assert (event.state, event.session_id, event.rounds, event.changed) == ("done", "s", (1, 2), (1,))
        assert (event.waiting, event.verification) == ((), Verification(3))
        episode = await the_episode(orca)
        assert (episode.state, episode.held_because, episode.steps) == (State.LIVE, None, (STEP,))
        assert (episode.outcome, episode.outcome_summary) == (Outcome.SUCCESS, "it works now")
        lesson = await orca.runs.show(event.run)
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
    open_orca, clock, says_so: tuple[bool, ...], state: State, held: str | None, steps: tuple[str, ...], outcome: Outcome
) -> None:  # fmt: skip
    async with open_orca(agent=agent_that_waits(DOWN, answers(*says_so))) as orca:
        await waits(orca)
        clock.advance(HOUR_S)
        [event] = await opened(orca)

        episode = await the_episode(orca)
        assert (episode.state, episode.held_because, episode.steps) == (state, held, steps)
        assert (episode.outcome, "keepalive" in episode.text) == (outcome, bool(steps))
        result = (await orca.runs.show(event.run)).run.result
        assert result is not None
        assert len(result.dropped) == says_so[1:].count(False)
        clock.advance(HOUR_S)
        assert await opened(orca) == []


async def test_further_rounds_do_not_make_live_what_nobody_has_read(open_orca, clock: StillClock) -> None:
    further = {
        "continues": "e1",
        "trigger": "502 again",
        "target": "nginx",
        "steps": ["moved the upstream to a socket"],
    }
    agent = agent_that_waits(DOWN, answers(True, True), tells_of=(TELLS, says(json.dumps({"episodes": [further]}))))
    async with open_orca(agent=agent) as orca:
        await waits(orca)
        for text in ("502 again on nginx", "moved the upstream to a socket"):
            await turn(orca, text, session_id="s")
        await orca.worker.drain()
        first, *_ = await asked(orca, Wanted(everything=True))

        assert first.waiting == (1,)
        assert (await the_episode(orca)).state is State.CANDIDATE
