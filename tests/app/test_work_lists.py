"""Episodes and knowledge by keys: the list of the memories, with what is special about them."""

from __future__ import annotations

from pathlib import Path

import pytest
from fakes.app_driver import NORMAL, SIZES, WIDE, seen, until
from fakes.clocks import StillClock
from fakes.work import AT
from fakes.worked import with_work, with_work_held

from orca_core.model.episodes import WorkQuery
from orca_core.model.events import Consolidated, EpisodesRead
from orca_core.model.learning import Run, RunKind, RunResult, RunState
from orca_core.model.memories import State
from orca_core.model.tasks import Outcome
from orca_tui.app.bridge import TurnEnded
from orca_tui.app.records.activity import ActivityPane
from orca_tui.app.work.work_body import WorkBody
from orca_tui.app.work.work_kinds import WorkList
from orca_tui.marks import UNICODE_MARKS
from orca_tui.words.learning_words import run_words


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
    [episode] = await app.bridge.engine.work.episodes.get([number])
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
def test_knowledge_is_said_in_other_words(app_of_work) -> None:
    async def scenario(app, pilot) -> None:
        await pilot.press("t", "e")
        await until(pilot, lambda: "key points, a line each" in seen(app))
        app.screen.query_one("#field-key_points").text = "look at php-fpm\n"
        await pilot.press("ctrl+s")
        await until(pilot, lambda: knowledge(app).current.key_points == ("look at php-fpm",))
        await pilot.press("p")
        await until(pilot, lambda: knowledge(app).current.pinned)

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

    app_of_work(scenario)


@pytest.mark.long
def test_a_click_opens_a_tab(app_of_work) -> None:
    async def scenario(app, pilot) -> None:
        await pilot.click("#work-tabs", offset=(14, 0))
        await until(pilot, lambda: knowledge(app).has_focus)
        await pilot.click("#work-tabs", offset=(2, 0))
        await until(pilot, lambda: episodes(app).has_focus)

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


@pytest.mark.long
def test_what_an_episode_went_into_is_one_key_away(app_of_work) -> None:
    async def scenario(app, pilot) -> None:
        await pilot.press("o")
        await until(pilot, lambda: "nothing was learnt of it yet" in seen(app))
        await pilot.press("j", "enter")
        await until(pilot, lambda: "可以了，谢谢" in seen(app))
        assert "never forgotten by age" in seen(app)
        await pilot.press("o")
        await until(pilot, lambda: "look at the php-fpm workers first" in seen(app))

    app_of_work(scenario)


def test_a_text_of_an_episode_is_text(make_app, drive, tmp_path) -> None:
    async def scenario(app, pilot) -> None:
        work = app.bridge.engine.work
        task = await work.tasks.start("a-session", "[b]x[/b] \x1b[31mred \u202eback")
        await work.tasks.add_step(task.task.id, "[@click=app.quit]go[/] \x1b]0;t\x07")
        await work.tasks.complete(task.task.id, "success", "[link=http://evil]y[/link]")
        app.main.changed(anew=True)
        await pilot.press("f6")
        await until(pilot, lambda: episodes(app).count == 1)
        assert "[b]x[/b]" in seen(app)
        await pilot.press("enter")
        await until(pilot, lambda: "[@click=app.quit]go[/]" in seen(app))
        assert "[link=http://evil]y[/link]" in seen(app)
        assert not {"\x1b", "\u202e", "\x07"} & set(seen(app))

    drive(make_app(clock=StillClock(AT)), scenario)


@pytest.mark.long
def test_a_task_that_ends_is_in_the_list_at_once(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        working = app.main.commands.desk.working
        working.begin("nginx answers 502")
        await pilot.press("f6")
        await until(pilot, lambda: app.main.query_one(WorkBody).current_task is not None)
        working.end("success", "")
        await until(pilot, lambda: episodes(app).count == 1 and "it became episode e1" in seen(app))
        assert episodes(app).has_focus

    drive(make_app(), scenario)


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
def test_knowledge_that_waits_is_shown_with_its_episodes(app_of_work, tmp_path) -> None:
    async def scenario(app, pilot) -> None:
        await with_work_held(tmp_path / "home" / "orca.db")
        app.main.changed(anew=True)
        await until(pilot, lambda: "2 to review" in seen(app))
        await pilot.press("f5")
        await until(pilot, lambda: "To review: 1 of 2" in seen(app) and "the backup needs room" in seen(app))
        assert "nightly backup stops halfway" in seen(app)
        await pilot.press("m")
        await until(pilot, lambda: "knowledge is accepted, edited or rejected" in seen(app))
        await pilot.press("a")
        await until(pilot, lambda: "To review: 1 of 1" in seen(app))
        assert [each.id for each in (await app.bridge.engine.work.knowledge.page(WorkQuery())).records] == [2, 1]

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


@pytest.mark.long
@pytest.mark.parametrize(
    ("run", "words"),
    [
        (Run(1, RunKind.EPISODES, "a", (1, 2), RunState.NONE, 1, AT), "rounds 1-2  episodes · nothing to learn"),
        (
            Run(2, RunKind.EPISODES, "a", (1, 2), RunState.DONE, 1, AT, result=RunResult(episodes=(4,))),
            "rounds 1-2  1 episode",
        ),
        (
            Run(3, RunKind.CONSOLIDATE, "", (), RunState.DONE, 1, AT, result=RunResult(knowledge=(1,)), target="nginx"),
            "nginx  knowledge k1",
        ),
        (
            Run(4, RunKind.CONSOLIDATE, "", (), RunState.FAILED, 5, AT, error="late", target="nginx"),
            "nginx  knowledge · parked: late",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_run_says_what_it_was_for(run: Run, words: str) -> None:
    assert run_words(run, UNICODE_MARKS) == words
