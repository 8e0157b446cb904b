"""The task of a chat by keys and commands: begun, gone on with step by step, ended."""

from __future__ import annotations

import pytest
from fakes.app_driver import NORMAL, SIZES, WIDE, seen, send, settled, until
from fakes.clocks import StillClock
from fakes.scripted_model import ScriptedModel, says

from orca_core.model.tasks import Outcome, StepStatus, TaskStatus
from orca_tui.app.work.steps import StepList
from orca_tui.app.work.work_body import WorkBody
from orca_tui.language import speak
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
        [task] = (await app.bridge.engine.work.tasks.page()).tasks
        assert (task.task.outcome, task.task.outcome_summary) == (Outcome.PARTIAL, "the log was full of it")
        assert len(task.steps) == 3

    drive(make_app(), scenario, size)


@pytest.mark.long
def test_the_task_belongs_to_the_chat_whose_first_message_comes_later(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await command(app, pilot, "/task nginx answers 502")
        assert "deleted" not in seen(app)
        await send(app, pilot, "what do I look at first?")
        [session] = await app.bridge.engine.sessions.list()
        current = await app.bridge.engine.work.tasks.current(session.id)
        assert current.task.request == "nginx answers 502"
        await command(app, pilot, "/new")
        assert "nginx answers 502" not in seen(app).splitlines()[0]

    drive(make_app(), scenario, NORMAL)


@pytest.mark.long
def test_a_step_goes_on_by_space_and_enter_and_completed_ones_stay(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await at_work(app, pilot)
        await pilot.press("k", "k", "space")
        await until(pilot, lambda: steps(app)[0] is StepStatus.IN_PROGRESS)
        await pilot.press("enter")
        await until(pilot, lambda: steps(app)[0] is StepStatus.COMPLETED)
        await pilot.press("space")
        await until(pilot, lambda: "this step is completed" in seen(app))
        await pilot.press("j", "x")
        await until(pilot, lambda: steps(app)[1] is StepStatus.FAILED)
        await pilot.press("u")
        await until(pilot, lambda: steps(app)[1] is StepStatus.PENDING)
        await pilot.press("U")
        await until(pilot, lambda: steps(app)[1] is StepStatus.FAILED)
        assert steps(app)[2] is StepStatus.PENDING

    drive(make_app(), scenario)


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
        [task] = (await app.bridge.engine.work.tasks.page("ended")).tasks
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
        assert [each.task.status for each in (await app.bridge.engine.work.tasks.page("ended")).tasks] == [
            TaskStatus.DROPPED
        ]

    drive(make_app(), scenario)


@pytest.mark.long
def test_what_has_no_task_says_so(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        for line in ("/step look", "/done"):
            await command(app, pilot, line)
            await until(pilot, lambda: "no task is in progress" in seen(app))
        await command(app, pilot, "/private")
        await command(app, pilot, "/task something")
        await until(pilot, lambda: "nothing is kept in private" in seen(app))
        assert (await app.bridge.engine.work.tasks.page()).total == 0

    drive(make_app(), scenario)


@pytest.mark.long
def test_hostile_text_of_a_task_is_text(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await command(app, pilot, "/task [bold red]x[/] \x1b[31m\u202e[link=http://evil]y[/link]")
        await command(app, pilot, "/step [@click=app.quit]z[/] \x1b]0;title\x07")
        await pilot.press("f6")
        await until(pilot, lambda: "[@click=app.quit]z[/]" in seen(app))
        assert "[bold red]x[/]" in seen(app)
        assert not {"\x1b", "\u202e", "\x07"} & set(seen(app))

    drive(make_app(clock=StillClock()), scenario)


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
        await app.bridge.engine.work.tasks.start("another-chat", "an older one")

    async def offered(app, pilot) -> None:
        await until(pilot, lambda: "untouched for 15 days: “nginx answers 502”" in seen(app))
        assert "/done ends it" in seen(app)
        assert "1 more like it" in seen(app)
        await command(app, pilot, "/done")
        assert (await app.bridge.engine.work.tasks.page("completed")).total == 1

    clock = StillClock()
    drive(make_app(clock=clock), begun)
    clock.advance(15 * 86_400)
    drive(make_app(clock=clock), offered, WIDE)


@pytest.mark.long
def test_an_answer_that_cites_an_episode_leads_to_it(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        tasks = app.bridge.engine.work.tasks
        for request in ("nginx answers 502 after the deploy", "nginx 502 again, php-fpm was full"):
            task = await tasks.start("a-session", request)
            await tasks.complete(task.task.id, "success", "raised pm.max_children")
        await app.bridge.engine.worker.tidy()
        await send(app, pilot, "hello there")
        await send(app, pilot, "nginx answers 502 after the deploy, same error as last time")
        assert "e1 worked: nginx answers 502" in seen(app)
        app.main.transcript.last.focus()
        await pilot.press("enter")
        await until(pilot, lambda: len(app.screen_stack) == 2)
        assert "raised pm.max_children" in seen(app)

    drive(make_app(model=ScriptedModel(says("hi"), says("as last time [e1]"))), scenario, WIDE)
