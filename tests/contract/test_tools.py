"""Calls of tools through a store: each once, counted for ever, kept whole for a while, deleted with their session."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from fakes.records import AT, begin, header, later
from msgspec.structs import replace

from orca_core.model.tasks import StepStatus, Task
from orca_core.model.tools import NewCall
from orca_core.operations.stores import Stores
from orca_core.rules.memory import undo_rules
from orca_core.rules.work import task_changes
from orca_core.rules.work.reported_calls import KEPT, checked


def call(tool: str = "web_search", **fields: Any) -> NewCall:
    return checked({"tool": tool, "output": "ok", **fields}, later(10_000))


def calls(count: int, tool: str = "web_search", **fields: Any) -> list[NewCall]:
    return [call(tool, call_id=f"c{number}", session_id="s", at=later(number), **fields) for number in range(count)]


async def test_a_call_counts_once_however_often_a_session_is_sent(opened) -> None:
    async with opened() as stores:
        session = calls(5)
        first = await stores.tools.record(session)
        again = await stores.tools.record([*session, *session, call(call_id="new", session_id="s")])

        assert (len(first.taken), first.known) == (5, 0)
        assert (len(again.taken), again.known) == (1, 10)
        assert [each.calls for each in await stores.tools.figures()] == [6]


async def test_calls_are_found_however_the_tool_is_spelled(opened) -> None:
    async with opened() as stores:
        await stores.tools.record([call("Web_Search", output="a"), call("web_search", output="b")])

        assert [each.output for each in await stores.tools.calls("WEB_SEARCH", 10)] == ["b", "a"]
        [figures] = await stores.tools.figures(["wEb_search"])
        assert (figures.tool, figures.calls) == ("web_search", 2)
        assert await stores.tools.figures(["web"]) == []


async def test_figures_are_counted_by_the_database(opened) -> None:
    async with opened() as stores:
        timed = [
            replace(each, seconds=float(number + 1), success=number > 2, error="" if number > 2 else "Timeout")
            for number, each in enumerate(calls(20))
        ]
        await stores.tools.record([*timed, call(success=False, output="refused: no"), call("other", output="x")])

        search, other = await stores.tools.figures()
        assert (search.calls, search.succeeded, round(search.success_rate, 3)) == (21, 17, 0.81)
        assert (search.median_s, search.p95_s) == (10.5, 19.0)
        assert search.errors == (("Timeout", 3), ("refused: no", 1))
        assert (other.median_s, other.p95_s, other.errors) == (None, None, ())
        assert await stores.tools.figures(["other", "none", "web_search"]) == [other, search]


async def test_only_the_latest_calls_are_kept_whole_and_all_are_counted(opened) -> None:
    async with opened() as stores:
        await stores.tools.record(calls(KEPT))
        await stores.tools.record([replace(each, call_id=f"d{each.call_id}") for each in calls(3, success=False)])

        kept = await stores.tools.calls("web_search", 1000)
        assert (len(kept), sum(not each.is_slim for each in kept)) == (KEPT + 3, KEPT)
        assert [each.output for each in kept[-4:]] == ["ok", "", "", ""]
        [figures] = await stores.tools.figures()
        assert (figures.calls, figures.errors) == (KEPT + 3, (("ok", 3),))
        assert (await stores.tools.record(calls(KEPT))).known == KEPT


async def test_a_deleted_tool_leaves_no_call_and_others_alone(opened) -> None:
    async with opened() as stores:
        await stores.tools.record([*calls(3), call("other")])

        assert await stores.tools.delete("WEB_search", header("delete")) == 3
        assert await stores.tools.delete("web_search", header("delete")) == 0
        assert [each.tool for each in await stores.tools.figures()] == ["other"]


async def test_a_deleted_session_takes_its_calls_along(opened) -> None:
    async with opened() as stores:
        await begin(stores, "s")
        await stores.tools.record([*calls(3), call(session_id="t")])
        await stores.sessions.delete("s", header("delete"))

        assert [each.session_id for each in await stores.tools.calls("web_search", 10)] == ["t"]


async def test_scopes_never_meet(opened) -> None:
    async with opened("me") as mine, opened("team") as theirs:
        await mine.tools.record(calls(2))
        await theirs.tools.record(calls(3))
        assert [each.calls for each in await mine.tools.figures()] == [2]
    async with opened("me", "team") as both:
        assert [each.calls for each in await both.tools.figures()] == [2]
        assert len(await both.tools.calls("web_search", 10)) == 2
        assert await both.tools.delete("web_search", header("delete")) == 2
    async with opened("team") as theirs:
        assert [each.calls for each in await theirs.tools.figures()] == [3]


async def with_step(stores: Stores, status: StepStatus, at: Any) -> int:
    task = Task(0, "", "s", "mend it", AT, AT)
    made = (await stores.tasks.start(task, header("start_task"))).task.task.id
    decide = lambda whole: task_changes.with_step(  # noqa: E731
        whole, "look", at, tool="grep", args={"pattern": "x"}, result="none", status=status.value
    )
    await stores.tasks.change(made, header("add_step", at), decide)
    return made


async def turned(stores: Stores, task: int, status: StepStatus, at: Any) -> None:
    await stores.tasks.change(
        task,
        header("change_step", at),
        lambda whole: task_changes.with_step_changed(whole, 1, at, status=status.value),
    )


async def test_a_step_that_ends_is_a_call_in_the_same_transaction(opened) -> None:
    async with opened() as stores:
        task = await with_step(stores, StepStatus.IN_PROGRESS, later(1))
        assert await stores.tools.figures() == []
        await turned(stores, task, StepStatus.FAILED, later(2))
        await turned(stores, task, StepStatus.IN_PROGRESS, later(3))
        await turned(stores, task, StepStatus.COMPLETED, later(5))

        done, failed = await stores.tools.calls("grep", 10)
        assert [(each.success, each.seconds) for each in (failed, done)] == [(False, 60.0), (True, 120.0)]
        assert done.input == '{"pattern": "x"}'


async def test_the_calls_of_steps_are_found_oldest_first_and_those_of_no_other(opened) -> None:
    async with opened() as stores:
        task = await with_step(stores, StepStatus.FAILED, later(1))
        await turned(stores, task, StepStatus.COMPLETED, later(2))
        await with_step(stores, StepStatus.COMPLETED, later(3))
        await stores.tools.record(calls(2, "grep"))
        [whole] = await stores.tasks.get([task])

        made = await stores.tools.of_steps([step.id for step in whole.steps])
        assert [(each.success, each.at) for each in made] == [(False, later(1)), (True, later(2))]
        assert await stores.tools.of_steps([]) == []


async def test_a_step_that_is_undone_is_no_call_and_redone_one(opened) -> None:
    async with opened() as stores:
        task = await with_step(stores, StepStatus.IN_PROGRESS, later(1))
        await turned(stores, task, StepStatus.COMPLETED, later(2))
        await stores.history.undo(None, later(3), undo_rules.plan)
        assert await stores.tools.calls("grep", 10) == []
        await stores.history.redo(None, later(4), undo_rules.plan)
        assert [each.at for each in await stores.tools.calls("grep", 10)] == [later(2)]


async def test_a_deleted_task_takes_its_calls_along(opened) -> None:
    async with opened() as stores:
        task = await with_step(stores, StepStatus.COMPLETED, AT + timedelta(minutes=1))
        assert len(await stores.tools.calls("grep", 10)) == 1
        await stores.tasks.delete([task], header("delete"))

        assert await stores.tools.calls("grep", 10) == []


async def test_a_deleted_task_leaves_the_calls_of_other_scopes_alone(opened) -> None:
    async with opened("me") as mine, opened("team") as theirs:
        task = await with_step(mine, StepStatus.COMPLETED, later(1))
        await theirs.tools.record([call(step=1)])
        await mine.tasks.delete([task], header("delete"))

        assert await mine.tools.figures() == []
        assert [each.step for each in await theirs.tools.calls("web_search", 10)] == [None]


async def test_a_reported_call_keeps_no_step_that_is_not_its_own(opened) -> None:
    async with opened("team") as theirs:
        await with_step(theirs, StepStatus.COMPLETED, later(1))
    async with opened("me", "team") as mine:
        await mine.tools.record([call(step=1, call_id="a"), call(step=2, call_id="b"), call(step=2**52, call_id="c")])
        task = await with_step(mine, StepStatus.COMPLETED, later(2))

        assert [each.step for each in await mine.tools.calls("web_search", 10)] == [None, None, None]
        [done] = await mine.tools.calls("grep", 10)
        assert done.step is not None
        await mine.tools.record([call(step=done.step, at=later(7))])
        assert (await mine.tools.calls("web_search", 1))[0].step == done.step
        await mine.tasks.delete([task], header("delete"))
        assert [each.calls for each in await mine.tools.figures()] == [3]


async def test_a_step_that_is_reported_without_a_time_counts_once(opened) -> None:
    async with opened() as stores:
        task = await with_step(stores, StepStatus.IN_PROGRESS, later(1))
        reported = checked({"tool": "grep", "step": 1}, later(2)), checked({"tool": "grep", "step": 1}, later(3))
        assert [len((await stores.tools.record([each])).taken) for each in reported] == [1, 0]
        await turned(stores, task, StepStatus.COMPLETED, later(5))
        assert (await stores.tools.record(reported)).known == 2
        assert (await stores.tools.calls("grep", 1))[0].at == later(5)


GREP = {"tool": "Grep", "input": '{"pattern":"x"}', "output": "none", "call_id": "c1", "session_id": "s"}


def of_session(**fields: Any) -> NewCall:
    return checked({**GREP, "at": later(4), **fields}, later(10_000))


async def counted(stores: Stores) -> int:
    return sum(each.calls for each in await stores.tools.figures())


async def test_a_step_and_the_same_call_of_its_session_count_once_in_any_order(opened) -> None:
    async with opened() as stores:
        task = await with_step(stores, StepStatus.IN_PROGRESS, later(1))
        await turned(stores, task, StepStatus.COMPLETED, later(2))
        for _ in range(2):
            assert (await stores.tools.record([of_session()])).known == 1
        [made] = await stores.tools.calls("grep", 9)
        assert (made.call_id, made.step is not None) == ("c1", True)
        assert len((await stores.tools.record([of_session(call_id="c2")])).taken) == 1  # another one that says the same
    async with opened("theirs") as stores:
        await stores.tools.record([of_session()])
        task = await with_step(stores, StepStatus.IN_PROGRESS, later(1))
        await turned(stores, task, StepStatus.COMPLETED, later(2))
        await stores.tools.record([of_session()])
        assert await counted(stores) == 1


@pytest.mark.parametrize(
    "other", [{"output": "one"}, {"input": {"pattern": "y"}}, {"success": False}, {"session_id": "t"}, {"tool": "rg"}]
)
async def test_a_call_that_says_anything_else_is_another(opened, other: dict[str, Any]) -> None:
    async with opened() as stores:
        await with_step(stores, StepStatus.COMPLETED, later(1))
        await stores.tools.record([of_session(**other)])
        assert await counted(stores) == 2


async def test_a_step_that_is_undone_takes_its_own_call_along_and_no_reported_one(opened) -> None:
    async with opened() as stores:
        await stores.tools.record([of_session()])
        task = await with_step(stores, StepStatus.IN_PROGRESS, later(1))
        await turned(stores, task, StepStatus.COMPLETED, later(2))
        await stores.history.undo(None, later(3), undo_rules.plan)
        assert await counted(stores) == 1
        await stores.history.redo(None, later(4), undo_rules.plan)
        assert await counted(stores) == 1
