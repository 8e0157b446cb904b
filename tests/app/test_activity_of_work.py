"""The activity of runs about work: those that found nothing in one line, those that failed tried again by a key."""

from __future__ import annotations

import json

import pytest
from fakes.app_driver import NORMAL, WIDE, seen, send, until
from fakes.clocks import StillClock
from fakes.facts import fact, finds
from fakes.scripted_model import ScriptedModel, says
from fakes.work import AT

from orca_core.model.errors import ModelUnavailable
from orca_core.model.learning import Run, RunKind, RunState
from orca_tui.app.records.activity import ActivityList
from orca_tui.marks import ASCII_MARKS
from orca_tui.words.history_words import activity_texts, quiet_runs

pytestmark = pytest.mark.long

DOWN = [ModelUnavailable(provider="m", template="{provider}: down")]
NGINX = {
    "trigger": "nginx answers 502",
    "target": "nginx",
    "steps": ["reloaded nginx"],
    "outcome": "success",
    "outcome_quote": "it works now",
    "tags": [],
}
TEACHES = {"topic": "pool", "content": "Raise the pool when it runs dry.", "key_points": [], "confidence": 0.9}


def in_activity(app) -> str:
    return seen(app).rpartition("Activity")[2]


async def learnt_nothing(app, pilot, *texts: str) -> None:
    """Chats in which nothing was done."""
    for text in texts:
        await send(app, pilot, text)
        await app.bridge.engine.worker.finish()
    app.main.changed()
    await until(pilot, lambda: "found nothing" in in_activity(app))


@pytest.mark.parametrize("key", ["enter", "a"])
def test_runs_that_found_nothing_stand_in_one_line_that_opens(make_app, drive, key) -> None:
    async def scenario(app, pilot) -> None:
        await learnt_nothing(app, pilot, "what is a good book?", "and a good film?")
        assert "4 runs found nothing" in in_activity(app)
        assert "nothing to learn" not in in_activity(app)
        await pilot.press("f4", key)
        await pilot.pause()
        assert in_activity(app).count("nothing to learn") == 4
        assert app.main.word_of_escape == "fold"
        await pilot.press("enter")
        await until(pilot, lambda: "what is a good book?" in seen(app) or "and a good film?" in seen(app))
        await pilot.press("escape", "escape")
        await pilot.pause()
        assert "4 runs found nothing" in in_activity(app)
        assert app.main.query_one(ActivityList).has_focus

    drive(make_app(), scenario, WIDE)


def test_what_was_found_stands_beside_the_fold(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await learnt_nothing(app, pilot, "what is a good book?", "我用 neovim 写代码")
        assert "3 runs found nothing" in in_activity(app)
        assert "1 new" in in_activity(app)
        await pilot.press("f4", "u")
        await pilot.pause()
        assert "nothing to take back in this line" in seen(app)

    agent = ScriptedModel(finds(), finds(fact("用户用 neovim 写代码", "我用 neovim 写代码")))
    drive(make_app(agent=agent), scenario, NORMAL)


def test_a_failed_reading_for_episodes_is_tried_again_by_a_key(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await send(app, pilot, "nginx answers 502")
        await send(app, pilot, "reloaded nginx, it works now")
        await app.bridge.engine.worker.finish()
        app.main.changed()
        await until(pilot, lambda: "failed: m: down" in in_activity(app))
        await pilot.press("f4", "r")
        await until(pilot, lambda: "1 episode" in in_activity(app))
        assert [each.id for each in await app.bridge.engine.work.episodes.get([1])] == [1]

    agent = ScriptedModel(finds(), episodes=[DOWN, says(json.dumps({"episodes": [NGINX]}))])
    drive(make_app(agent=agent, clock=StillClock(AT)), scenario, WIDE)


def test_a_parked_consolidation_is_tried_again_by_a_key(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        engine = app.bridge.engine
        for request in ("it times out", "it times out again", "and again"):
            task = (await engine.work.tasks.start("s", request, target="orders")).task.id
            await engine.work.tasks.complete(task, "success", "the pool ran dry")
        for _ in range(5):
            await engine.worker.learn_now()
        app.main.changed()
        await until(pilot, lambda: "parked: m: down" in in_activity(app))
        await pilot.press("f4", "r")
        await until(pilot, lambda: "knowledge k1" in in_activity(app))
        await pilot.press(*"jjjjjj", "enter")  # the clock stands still: the run was noted last
        await until(pilot, lambda: "it times out again" in seen(app))
        assert "Raise the pool when it runs dry." in seen(app)

    agent = ScriptedModel(*[DOWN] * 5, says(json.dumps(TEACHES)))
    drive(make_app(agent=agent, clock=StillClock(AT)), scenario, WIDE)


def a_run(number: int, state: RunState = RunState.NONE, **fields: object) -> Run:
    return Run(number, RunKind.EXTRACT, "s", (number,), state, 1, AT, **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("runs", "quiet"),
    [
        ([a_run(1), a_run(2)], [1, 2]),
        ([a_run(1)], []),
        ([a_run(1), a_run(2, error="its rounds are gone"), a_run(3)], [1, 3]),
        ([a_run(1), a_run(2, operation=7), a_run(3)], [1, 3]),
        ([a_run(1, RunState.DONE), a_run(2, RunState.FAILED), a_run(3, RunState.UNREADABLE), a_run(4)], []),
    ],
    ids=["two", "one is no heap", "one that was cut off", "one that changed something", "other ends"],
)
def test_only_runs_that_came_to_nothing_are_folded(runs, quiet) -> None:
    assert sorted(run.id for run in quiet_runs(runs)) == quiet


def test_the_log_says_how_the_folded_ones_are_listed() -> None:
    runs = [a_run(1), a_run(2), a_run(3, RunState.FAILED, error="late")]
    folded = activity_texts([], runs, ASCII_MARKS, quiet=quiet_runs(runs))
    assert [line.partition("  ")[2] for line in folded] == [
        "run 3 s round 3 - parked: late",
        "2 runs found nothing - orca activity --all lists them",
    ]
    assert len(activity_texts([], runs, ASCII_MARKS)) == 3
