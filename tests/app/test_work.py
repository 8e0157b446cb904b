"""The pane of work: the task and its plan, episodes, knowledge, guides, and their runs in the activity."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from fakes.app_driver import NORMAL, SIZES, WIDE, seen, send, settled, until
from fakes.clocks import StillClock
from fakes.facts import finds
from fakes.scripted_model import ScriptedModel, says
from fakes.work import AT
from fakes.worked import with_guide, with_work

from orca_core.model.errors import ModelUnavailable
from orca_core.model.events import Consolidated, EpisodesRead, GuideMade
from orca_core.model.learning import Run, RunKind, RunState
from orca_core.model.memories import State
from orca_core.model.tasks import Outcome, StepStatus, TaskStatus
from orca_tui.app.bridge import TurnEnded
from orca_tui.app.main import MainScreen
from orca_tui.app.records.activity import ActivityList, ActivityPane
from orca_tui.app.work.steps import StepList
from orca_tui.app.work.work_body import WorkBody
from orca_tui.app.work.work_kinds import WorkList
from orca_tui.language import speak
from orca_tui.marks import ASCII_MARKS
from orca_tui.words.history_words import activity_texts, quiet_runs
from orca_tui.words.task_words import task_ending


async def command(app, pilot, line: str) -> None:
    app.main.prompt.focus()
    app.main.prompt.fill(line)
    await pilot.press("enter")
    await settled(app, pilot)


async def at_work(app, pilot) -> None:
    """A task with three steps, seen in its pane."""
    await command(app, pilot, "/task nginx answers 502")
    for step in ("look at the error log", "restart php-fpm", "check the upstream"):
        await command(app, pilot, f"/step {step}")
    await pilot.press("f6")
    await until(pilot, lambda: app.main.query_one(StepList).count == 3 and "check the upstream" in seen(app))


def steps(app) -> list[StepStatus]:
    task = app.main.query_one(WorkBody).current_task
    return [step.status for step in task.steps]


@SIZES
def test_a_task_is_begun_gone_on_with_and_ended_by_commands(make_app, drive, size) -> None:
    async def scenario(app, pilot) -> None:
        await at_work(app, pilot)
        assert "nginx answers 502" in seen(app).splitlines()[0]  # the header names it, however narrow
        await pilot.press("f6")
        await command(app, pilot, "/done partial the log was full of it")
        assert "partial success" in seen(app)
        assert "nginx answers 502" not in seen(app).splitlines()[0]
        [task] = (await app.bridge.orca.work.tasks.page()).records
        assert (task.task.outcome, task.task.outcome_summary) == (Outcome.PARTIAL, "the log was full of it")
        assert len(task.steps) == 3

    drive(make_app(), scenario, size)


@pytest.mark.long
def test_steps_are_added_and_said_in_other_words_and_the_task_is_ended(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await at_work(app, pilot)
        await pilot.press("a")
        await pilot.press(*"tell the others", "enter")
        await until(pilot, lambda: app.main.query_one(StepList).count == 4)
        await pilot.press("e", "end", *" today", "enter")
        await until(pilot, lambda: "tell the others today" in seen(app))
        await pilot.press("d")
        await until(pilot, lambda: "End the task" in seen(app))
        await pilot.press(*"failed", "enter", *"no luck", "enter")
        await until(pilot, lambda: app.main.query_one(WorkBody).current_task is None)
        [task] = (await app.bridge.orca.work.tasks.page("ended")).records
        assert (task.task.outcome, task.task.outcome_summary) == (Outcome.FAILED, "no luck")

    drive(make_app(), scenario)


def test_a_task_is_begun_and_dropped_in_the_pane(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await at_work(app, pilot)
        await pilot.press("n", *"another one", "enter")
        await until(pilot, lambda: "1 more waits" in seen(app))
        await pilot.press("d")
        await pilot.press(*"dropped", "enter")
        await until(pilot, lambda: app.main.query_one(StepList).count == 3)
        assert [each.task.status for each in (await app.bridge.orca.work.tasks.page("ended")).records] == [
            TaskStatus.DROPPED
        ]

    drive(make_app(), scenario)


@pytest.mark.long
@pytest.mark.parametrize(
    ("text", "ending"),
    [
        ("", ("success", "")),
        ("failed", ("failed", "")),
        ("partial half of it", ("partial", "half of it")),
        ("Success: all of it", ("success", "all of it")),
        ("it works now", ("success", "it works now")),
        ("fail", ("failed", "")),
        ("failure: disk full", ("failed", "disk full")),
        ("fail, disk full", ("failed", "disk full")),
        ("partly", ("partial", "")),
        ("part of it is fixed", ("success", "part of it is fixed")),
        ("失败 磁盘满了", ("failed", "磁盘满了")),
    ],
)
def test_an_ending_is_read_from_a_line(text: str, ending: tuple[str, str]) -> None:
    speak("zh")
    assert task_ending(text) == ending


@pytest.mark.long
def test_a_task_that_nobody_touched_is_offered_for_ending_at_the_start(make_app, drive) -> None:
    async def begun(app, pilot) -> None:
        await send(app, pilot, "the shop is down")
        await command(app, pilot, "/task nginx answers 502")
        await app.bridge.orca.work.tasks.start("another-chat", "an older one")

    async def offered(app, pilot) -> None:
        await until(pilot, lambda: "untouched for 15 days: “nginx answers 502”" in seen(app))
        assert "/done ends it" in seen(app)
        assert "1 more like it" in seen(app)
        await command(app, pilot, "/done")
        assert (await app.bridge.orca.work.tasks.page("completed")).total == 1

    clock = StillClock()
    drive(make_app(clock=clock), begun)
    clock.advance(15 * 86_400)
    drive(make_app(clock=clock), offered, WIDE)


@pytest.fixture
def app_of_work(make_app, drive, tmp_path: Path):
    """Run a scenario in an app in whose home work was done, with its pane open."""

    def run(scenario, size=NORMAL) -> None:
        async def opened(app, pilot) -> None:
            await with_work(tmp_path / "home" / "orca.db")
            app.main.changed(anew=True)
            await pilot.press("f6")
            await until(pilot, lambda: episodes(app).count == 5 and episodes(app).has_focus)
            await scenario(app, pilot)

        drive(make_app(clock=StillClock(AT)), opened, size)

    return run


def episodes(app) -> WorkList:
    return app.main.query_one("#episode-list", WorkList)


def knowledge(app) -> WorkList:
    return app.main.query_one("#knowledge-list", WorkList)


async def state_of(app, number: int) -> State:
    [episode] = await app.bridge.orca.work.episodes.get([number])
    return episode.state


@pytest.mark.long
@SIZES
def test_the_keys_of_the_memories_count_here_too(app_of_work, size) -> None:
    async def scenario(app, pilot) -> None:
        rows = episodes(app)
        await pilot.press("g")  # it came while the list was read
        assert [rows.current.id, rows.count] == [5, 5]
        await pilot.press("p")
        await until(pilot, lambda: not rows.current.pinned)
        await pilot.press("j", "space", "space")
        assert [each.id for each in rows.marked] == [3, 2]
        await pilot.press("a")
        await until(pilot, lambda: "archived #e3 #e2" in seen(app))
        assert [await state_of(app, each) for each in (2, 3)] == [State.ARCHIVED] * 2
        await pilot.press("u")
        await until(pilot, lambda: rows.count == 5)
        assert await state_of(app, 2) is State.LIVE
        await pilot.press("G", "d")
        await until(pilot, lambda: "Delete 1 for good?  #e1" in seen(app))
        await pilot.press("y")
        await until(pilot, lambda: rows.count == 4)

    app_of_work(scenario, size)


def test_the_list_is_filtered_sorted_and_asked_for_another_status(app_of_work) -> None:
    async def scenario(app, pilot) -> None:
        rows = episodes(app)
        await pilot.press("slash", *"backup", "enter")
        await until(pilot, lambda: rows.count == 1)
        await pilot.press("escape")
        await until(pilot, lambda: rows.count == 5)
        await pilot.press("s")
        await until(pilot, lambda: rows.sort == "importance" and rows.current is not None)
        assert "importance · live" in seen(app)
        await pilot.press("f", "f", "f")
        await until(pilot, lambda: rows.status == "candidate" and rows.count == 1)
        assert "白屏" in seen(app)

    app_of_work(scenario, WIDE)


def test_an_episode_is_said_in_other_words(app_of_work) -> None:
    async def scenario(app, pilot) -> None:
        await pilot.press("G", "e")
        await until(pilot, lambda: "steps, a line each" in seen(app))
        app.screen.query_one("#field-outcome").value = "partial"
        app.screen.query_one("#field-steps").text = "look at the disk\n\nmake room\n"
        await pilot.press("ctrl+s")
        await until(pilot, lambda: episodes(app).current.outcome is Outcome.PARTIAL)
        assert episodes(app).current.steps == ("look at the disk", "make room")
        await pilot.press("h")
        await until(pilot, lambda: "edited" in seen(app) and "look at the disk, make room" in seen(app))

    app_of_work(scenario)


@pytest.mark.long
@pytest.mark.parametrize("key", ["t", "right", "left"])
def test_the_tab_beside_is_one_key_away(app_of_work, key) -> None:
    async def scenario(app, pilot) -> None:
        guides = app.main.query_one("#guide-list", WorkList)
        for beside in (guides, knowledge(app)) if key == "left" else (knowledge(app), guides):
            await pilot.press(key)
            await until(pilot, lambda beside=beside: beside.has_focus)
        await pilot.press(key)
        await until(pilot, lambda: episodes(app).has_focus)
        assert episodes(app).has_focus

    app_of_work(scenario)


@pytest.mark.long
def test_what_knowledge_rests_on_is_one_key_away_and_back(app_of_work) -> None:
    async def scenario(app, pilot) -> None:
        await pilot.press("t", "enter")
        await until(pilot, lambda: "look at the php-fpm workers first" in seen(app))
        await pilot.press("o")
        await until(pilot, lambda: len(app.screen_stack) == 3)
        assert "raise pm.max_children" in seen(app)
        await pilot.press("escape")
        await until(pilot, lambda: len(app.screen_stack) == 2)
        assert "version" in seen(app)
        await pilot.press("escape", "o")
        await until(pilot, lambda: "k1: the episodes" in seen(app))

    app_of_work(scenario)


def test_the_inbox_holds_candidates_of_every_kind(app_of_work) -> None:
    async def scenario(app, pilot) -> None:
        assert "1 to review" in seen(app)
        await pilot.press("f5")
        await until(pilot, lambda: "白屏：静态资源全部 404" in seen(app))
        assert "rests on what you did not type" in seen(app)
        await pilot.press("m")
        await until(pilot, lambda: "an episode is accepted, edited or rejected" in seen(app))
        await pilot.press("x")
        await until(pilot, lambda: "Nothing waits for you." in seen(app))
        assert await state_of(app, 6) is State.REJECTED
        await pilot.press("u")
        await until(pilot, lambda: "白屏：静态资源全部 404" in seen(app))
        await pilot.press("e")
        await until(pilot, lambda: "steps, a line each" in seen(app))
        app.screen.query_one("#field-target").value = "website"
        await pilot.press("ctrl+s")
        await until(pilot, lambda: "Nothing waits for you." in seen(app))
        assert await state_of(app, 6) is State.LIVE
        await pilot.press("escape")
        await until(pilot, lambda: episodes(app).count == 6)
        assert "to review" not in seen(app)

    app_of_work(scenario)


@pytest.mark.long
def test_the_activity_says_what_is_read_and_the_list_what_came_of_it(app_of_work) -> None:
    async def scenario(app, pilot) -> None:
        pane = app.main.query_one(WorkBody)
        activity = app.main.query_one(ActivityPane).activity
        app.main.side.take(EpisodesRead("running", 7, "a-session", (1, 2, 3)))
        assert activity.learning_words().startswith("rounds 1-3  reading for episodes")
        app.main.side.take(EpisodesRead("done", 7, "a-session", (1, 2, 3), made=(5,)))
        assert activity.learning_words() == ""
        await until(pilot, lambda: "new" in seen(app))
        app.main.side.take(Consolidated("running", 8, "nginx", (1, 2, 3)))
        assert activity.learning_words().startswith("nginx  reads 3 episodes")
        app.main.side.take(Consolidated("done", 8, "nginx", (1, 2, 3), knowledge=1))
        assert activity.learning_words() == ""
        await pilot.press("t")
        await until(pilot, lambda: "new" in seen(app))
        pane.take(TurnEnded())
        await until(pilot, lambda: " new " not in seen(app).partition("Knowledge")[2])

    app_of_work(scenario)


def test_why_is_one_key_away_from_a_list_and_from_a_detail(make_app, drive, tmp_path: Path) -> None:
    async def scenario(app, pilot) -> None:
        await with_work(tmp_path / "home" / "orca.db")
        app.main.changed(anew=True)
        episodes, knowledge = (
            app.main.query_one("#episode-list", WorkList),
            app.main.query_one("#knowledge-list", WorkList),
        )
        await pilot.press("f6")
        await until(pilot, lambda: episodes.count == 5 and episodes.has_focus)
        await pilot.press("w")
        await until(pilot, lambda: "It was not put before the model yet" in seen(app))
        assert f"#e{episodes.current.id}: where it was put in, and why" in seen(app)
        await pilot.press("escape", "enter")
        await until(pilot, lambda: "w why" in seen(app))
        await pilot.press("w")
        await until(pilot, lambda: "where it was put in, and why" in seen(app))
        await pilot.press("escape", "escape", "t", "w")
        await until(pilot, lambda: f"#k{knowledge.current.id}: where it was put in" in seen(app))

    drive(make_app(clock=StillClock(AT)), scenario)


@pytest.fixture
def app_of_guides(make_app, drive, tmp_path: Path):
    """Run a scenario in an app with a guide, its tab open."""

    def run(scenario) -> None:
        async def opened(app, pilot) -> None:
            await with_guide(tmp_path / "home" / "orca.db")
            app.main.changed(anew=True)
            await pilot.press("f6", "left")
            await until(pilot, lambda: guides(app).count == 1 and guides(app).has_focus)
            await scenario(app, pilot)

        drive(make_app(clock=StillClock(AT)), opened, WIDE)

    return run


def guides(app) -> WorkList:
    return app.main.query_one("#guide-list", WorkList)


@pytest.mark.long
def test_a_guide_is_shown_with_the_figures_of_its_tool(app_of_guides) -> None:
    async def scenario(app, pilot) -> None:
        await until(pilot, lambda: "g1 web_search: Search by" in seen(app))
        await until(pilot, lambda: "8 calls: 7 succeeded" in seen(app))
        await pilot.press("enter")
        await until(pilot, lambda: "failed 1 time: timeout" in seen(app))
        assert "95 of 100 within 30 s" in seen(app)
        await pilot.press("o")
        await until(pilot, lambda: "web_search: the latest calls" in seen(app) and "nginx 502 7" in seen(app))
        await pilot.press("escape", "w")
        await until(pilot, lambda: "where it was put in, and why" in seen(app))

    app_of_guides(scenario)


@pytest.mark.long
def test_a_guide_is_pinned_edited_and_put_away_and_that_is_undone(app_of_guides) -> None:
    async def scenario(app, pilot) -> None:
        await pilot.press("p")
        await until(pilot, lambda: guides(app).current.pinned)
        await pilot.press("e")
        await until(pilot, lambda: len(app.screen_stack) == 2)
        app.screen.query_one("#field-text").text = "Three words at most."
        await pilot.press("ctrl+s")
        await until(pilot, lambda: guides(app).current.text == "Three words at most.")
        await pilot.press("h")
        await until(pilot, lambda: "edited" in seen(app) and "Search by three or four words" in seen(app))
        await pilot.press("escape", "a")
        await until(pilot, lambda: guides(app).count == 0)
        await pilot.press("u")
        await until(pilot, lambda: guides(app).count == 1)
        assert guides(app).count == 1

    app_of_guides(scenario)


@pytest.mark.long
def test_enter_on_an_answer_that_names_a_guide_opens_it(make_app, drive, tmp_path: Path) -> None:
    async def scenario(app, pilot) -> None:
        await with_guide(tmp_path / "home" / "orca.db")
        await send(app, pilot, "how do I use web_search?")
        app.main.transcript.last.focus()
        await pilot.press("enter")
        await until(pilot, lambda: "95 of 100 within 30 s" in seen(app))
        assert "95 of 100 within 30 s" in seen(app)

    drive(make_app(ScriptedModel(says("Search by few words [g1].")), clock=StillClock(AT)), scenario, WIDE)


@pytest.mark.long
def test_a_guide_that_was_just_written_says_so(app_of_guides) -> None:
    async def scenario(app, pilot) -> None:
        app.main.side.take(GuideMade("done", 7, "web_search", 8, guide=1, version=2))
        await until(pilot, lambda: " new" in seen(app))
        assert " new" in seen(app)

    app_of_guides(scenario)


async def at_work_plans(app, pilot) -> None:
    await command(app, pilot, "/task nginx answers 502")
    for step in ("look at the log", "restart it", "tell the others"):
        await command(app, pilot, f"/step {step}")
    await pilot.press("f6")
    await until(pilot, lambda: app.main.query_one(StepList).count == 3)
    app.main.query_one(StepList).focus()
    app.main.query_one(StepList).move_to(0)
    await pilot.press("space", "space")
    await until(pilot, lambda: "1/3" in seen(app))


def edits(monkeypatch, *changes) -> list[str]:
    """The editor changes what it is given so, one change after another; what it was given."""
    given: list[str] = []

    def edit(_screen: MainScreen, text: str) -> str:
        given.append(text)
        return changes[len(given) - 1](text)

    monkeypatch.setattr(MainScreen, "edit", edit)
    return given


def steps_plans(app) -> list[str]:
    return [step.description for step in app.main.query_one(WorkBody).current_task.steps]


async def acts(app) -> list[tuple[str, str]]:
    page = await app.bridge.orca.feedback.actions.page(type_words=["EDIT_ROADMAP"])
    return [(each.data["previous"], each.data["current"]) for each in page.records]


@pytest.mark.long
def test_steps_are_reworded_added_moved_and_taken_out_at_once(make_app, drive, monkeypatch) -> None:
    given = edits(
        monkeypatch,
        lambda text: text.replace("2. [ ] restart it\n3. [ ] tell", "3. [ ] tell").replace("others", "others\nnew one"),
    )

    async def scenario(app, pilot) -> None:
        await at_work_plans(app, pilot)
        await pilot.press("E")
        await until(pilot, lambda: steps_plans(app) == ["look at the log", "tell the others", "new one"])
        assert "1. [x] look at the log" in given[0]
        assert await acts(app) == [
            ("look at the log\nrestart it\ntell the others", "look at the log\ntell the others\nnew one")
        ]
        await pilot.press("u")
        await until(pilot, lambda: steps_plans(app) == ["look at the log", "restart it", "tell the others"])
        assert await acts(app) == []
        await pilot.press("U")
        await until(pilot, lambda: steps_plans(app)[-1] == "new one")
        await pilot.press("f4")
        await until(pilot, lambda: "edited the steps" in seen(app))

    drive(make_app(), scenario)


@pytest.mark.long
def test_what_was_refused_is_there_again_and_left_as_it_is_given_up(make_app, drive, monkeypatch) -> None:
    given = edits(
        monkeypatch,
        lambda text: text.replace("1. [x] look at the log\n", ""),
        lambda text: text,
        lambda text: text.replace("restart", "start"),
    )

    async def scenario(app, pilot) -> None:
        await at_work_plans(app, pilot)
        await command(app, pilot, "/steps")
        await until(pilot, lambda: "step 1 has ended" in seen(app))
        await command(app, pilot, "/steps")
        assert given[1] == given[0].replace("1. [x] look at the log\n", "")
        await command(app, pilot, "/steps")
        assert given[2] == given[0]
        await until(pilot, lambda: steps_plans(app)[1] == "start it")

    drive(make_app(), scenario)


DOWN = [ModelUnavailable(provider="m", template="{provider}: down")]
NGINX = {
    "trigger": "nginx answers 502",
    "target": "nginx",
    "steps": ["reloaded nginx"],
    "outcome": "success",
    "outcome_quote": "it works now",
    "tags": [],
}


def in_activity(app) -> str:
    return seen(app).rpartition("Activity")[2]


async def learnt_nothing(app, pilot, *texts: str) -> None:
    """Chats in which nothing was done."""
    for text in texts:
        await send(app, pilot, text)
        await app.bridge.orca.worker.finish()
    app.main.changed()
    await until(pilot, lambda: "found nothing" in in_activity(app))


@pytest.mark.long
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


@pytest.mark.long
def test_a_failed_reading_for_episodes_is_tried_again_by_a_key(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await send(app, pilot, "nginx answers 502")
        await send(app, pilot, "reloaded nginx, it works now")
        await app.bridge.orca.worker.finish()
        app.main.changed()
        await until(pilot, lambda: "failed: m: down" in in_activity(app))
        await pilot.press("f4", "r")
        await until(pilot, lambda: "1 episode" in in_activity(app))
        assert [each.id for each in await app.bridge.orca.work.episodes.get([1])] == [1]

    agent = ScriptedModel(finds(), episodes=[DOWN, says(json.dumps({"episodes": [NGINX]}))])
    drive(make_app(agent=agent, clock=StillClock(AT)), scenario, WIDE)


def a_run(number: int, state: RunState = RunState.NONE, **fields: object) -> Run:
    return Run(number, RunKind.EXTRACT, "s", (number,), state, 1, AT, **fields)  # type: ignore[arg-type]


@pytest.mark.long
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


@pytest.mark.long
def test_the_log_says_how_the_folded_ones_are_listed() -> None:
    runs = [a_run(1), a_run(2), a_run(3, RunState.FAILED, error="late")]
    folded = activity_texts([], runs, ASCII_MARKS, quiet=quiet_runs(runs))
    assert [line.partition("  ")[2] for line in folded] == [
        "run 3 s round 3 - parked: late",
        "2 runs found nothing - orca activity --all lists them",
    ]
    assert len(activity_texts([], runs, ASCII_MARKS)) == 3
