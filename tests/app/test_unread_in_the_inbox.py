"""An episode about which the verifier did not answer is asked about again once a person looks at it in the inbox."""

from __future__ import annotations

from fakes.app_driver import NORMAL, send, until
from fakes.scripted_model import ScriptedModel, answers, says

from orca_core.model.episodes import WorkQuery
from orca_core.model.memories import State

TELLS = (
    '{"episodes": [{"trigger": "nginx answers 502", "target": "nginx", "steps": ["reloaded nginx"],'
    ' "outcome": "unknown", "outcome_quote": "", "tags": []}]}'
)


def test_looking_at_an_unread_episode_asks_the_verifier_again(make_app, drive) -> None:
    agent = ScriptedModel(
        says('{"facts": []}'), episodes=[says(TELLS)], verifier_episodes=[says("no idea"), answers(True, True)]
    )

    async def scenario(app, pilot) -> None:
        for text in ("nginx answers 502", "reloaded nginx"):
            await send(app, pilot, text)
        engine = app.bridge.engine
        await engine.worker.learn_now()
        [episode] = (await engine.work.episodes.page(WorkQuery("all"))).records
        assert (episode.state, episode.held_because) == (State.CANDIDATE, "unread")

        await pilot.press("f5")
        await until(pilot, lambda: len(agent.verifier_episode_requests) == 2)
        await engine.worker.drain(30)
        [episode] = (await engine.work.episodes.page(WorkQuery("all"))).records
        assert episode.state is State.LIVE

    drive(make_app(agent=agent), scenario, NORMAL)
