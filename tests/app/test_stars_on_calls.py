"""A star on a tool call of a task: by keys and by a command, shown where the call stands, an act like any other."""

from __future__ import annotations

import pytest
from fakes.app_driver import NARROW, SIZES, seen, send, settled, until

from orca_core.settings import ActionSettings, MemorySettings, ProviderSettings, Settings
from orca_tui.app.work.steps import CallList, StepList
from orca_tui.app.work.work_kinds import WorkList
from orca_tui.marks import ASCII_MARKS

pytestmark = pytest.mark.long

OFF = Settings(
    provider="fake",
    providers={"fake": ProviderSettings(base_url="http://127.0.0.1:1", model="fake-1")},
    memory=MemorySettings(actions=ActionSettings(enabled=False)),
)


async def command(app, pilot, line: str) -> None:
    app.main.prompt.focus()
    app.main.prompt.fill(line)
    await pilot.press("enter")
    await settled(app, pilot)


async def with_calls(app, pilot) -> None:
    """A task with a step that called a tool, one that a program says called it, too, and one that called none."""
    await command(app, pilot, "/task nginx answers 502")
    engine = app.bridge.engine
    [task] = (await engine.work.tasks.page()).tasks
    number = task.task.id
    add = engine.work.tasks.add_step
    await add(number, "look at the error log", tool="shell", args={"command": "tail"}, result="php-fpm gone")
    await engine.work.tasks.update_step(number, 1, status="completed")
    view = await add(number, "search for it", tool="web_search", result="nothing", status="failed")
    call = {"tool": "web_search", "call_id": "c7", "input": "nginx 502", "output": "3 [results]"}
    call |= {"step": view.steps[1].id, "at": "2026-01-02T10:00:00Z"}
    await engine.tools.record([call], view.task.session_id)
    await add(number, "think")
    await pilot.press("f6")
    app.main.changed()
    await until(pilot, lambda: app.main.query_one(StepList).count == 3)
    app.main.query_one(StepList).focus()
    app.main.query_one(StepList).move_to(0)
    await settled(app, pilot)


async def acts(app) -> list[tuple[str, str, str]]:
    page = await app.bridge.engine.feedback.actions.page(type_words=["COLLECT_TOOL", "UNCOLLECT_TOOL"])
    return [(each.type.value, each.tool, each.call) for each in sorted(page.records, key=lambda each: each.id)]


@SIZES
def test_the_step_under_the_cursor_gets_a_star_and_loses_it_again(make_app, drive, size) -> None:
    async def scenario(app, pilot) -> None:
        await with_calls(app, pilot)
        await pilot.press("s")
        await until(pilot, lambda: "★ shell" in seen(app))
        await pilot.press("s")
        await until(pilot, lambda: "★ shell" not in seen(app))
        await pilot.press("j", "j", "s")
        await until(pilot, lambda: "this step called no tool" in seen(app))
        assert await acts(app) == [("COLLECT_TOOL", "shell", "step 1"), ("UNCOLLECT_TOOL", "shell", "step 1")]

    drive(make_app(), scenario, size)


def test_the_detail_of_a_task_shows_each_call_and_gives_it_its_own_star(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await with_calls(app, pilot)
        await pilot.press("o")
        await until(pilot, lambda: "3 [results]" in seen(app) and "php-fpm gone" in seen(app))
        calls = app.screen.query_one(CallList)
        await pilot.press("s")
        await until(pilot, lambda: "* web_search" in seen(app))  # the latest, at which the cursor begins
        assert await acts(app) == [("COLLECT_TOOL", "web_search", "c7")]
        await pilot.press("k", "s")
        await until(pilot, lambda: seen(app).count("* web_search") == 2)
        await pilot.press("s")
        await until(pilot, lambda: seen(app).count("* web_search") == 1)
        await pilot.press("k", "s")
        await until(pilot, lambda: "below it stand the calls" in seen(app))
        calls.move_to(1)
        await pilot.press("enter")
        await until(pilot, lambda: "php-fpm gone" in seen(app) and "think" not in seen(app))
        await pilot.press("escape", "escape")
        await until(pilot, lambda: len(app.screen_stack) == 1)

    drive(make_app(marks=ASCII_MARKS), scenario)


def test_the_star_stands_in_activity_and_undo_takes_it_back(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await with_calls(app, pilot)
        await pilot.press("s")
        await until(pilot, lambda: "★ shell" in seen(app))
        await pilot.press("u")
        await until(pilot, lambda: "★ shell" not in seen(app))
        await pilot.press("U")
        await until(pilot, lambda: "★ shell" in seen(app))
        await pilot.press("f4")
        await until(pilot, lambda: "collected a tool" in seen(app))

    drive(make_app(), scenario)


def test_the_command_stars_the_latest_call_or_that_of_the_step_that_is_looked_at(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await command(app, pilot, "/starcall")
        assert "no task is in progress" in seen(app)
        await with_calls(app, pilot)
        await command(app, pilot, "/starcall")
        await until(pilot, lambda: "shell: this call has a star" in seen(app))
        await pilot.press("f6")
        await command(app, pilot, "/starcall")
        await until(pilot, lambda: "web_search: this call has a star" in seen(app))
        assert [each[1] for each in await acts(app)] == ["shell", "web_search"]

    drive(make_app(), scenario, NARROW)


def test_it_says_why_where_acts_are_off_and_still_takes_a_star_back(make_app, drive) -> None:
    async def first(app, pilot) -> None:
        await send(app, pilot, "nginx answers 502")
        await with_calls(app, pilot)
        await pilot.press("s")
        await until(pilot, lambda: "★ shell" in seen(app))
        await command(app, pilot, "/star")

    async def second(app, pilot) -> None:
        [session] = await app.bridge.engine.sessions.list()
        app.main.commands.desk.chats.resume(session.id)
        await pilot.press("f6")
        await until(pilot, lambda: "★ shell" in seen(app))
        app.main.query_one(StepList).focus()
        app.main.query_one(StepList).move_to(0)
        await pilot.press("s")
        await until(pilot, lambda: "★ shell" not in seen(app))
        await pilot.press("s")
        await until(pilot, lambda: "memory.actions.enabled" in seen(app))
        assert [each[0] for each in await acts(app)] == ["COLLECT_TOOL", "UNCOLLECT_TOOL"]

    drive(make_app(), first)
    drive(make_app(settings=OFF), second)


def test_private_notes_no_star_on_the_task_of_an_episode(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await with_calls(app, pilot)
        await command(app, pilot, "/done success")
        await command(app, pilot, "/private")
        await until(pilot, lambda: app.main.query_one("#episode-list", WorkList).count == 1)
        app.main.query_one("#episode-list", WorkList).focus()
        await pilot.press("enter")
        await until(pilot, lambda: "its task" in seen(app))
        await pilot.press("t")
        await until(pilot, lambda: "3 [results]" in seen(app))
        await pilot.press("s")
        await until(pilot, lambda: "/private ends it" in seen(app))
        assert await acts(app) == []

    drive(make_app(), scenario)
