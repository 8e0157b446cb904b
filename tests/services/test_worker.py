"""The one worker: who wakes it, what breaks in it, who leads, and that it leaves nothing behind."""

from __future__ import annotations

import ast
import asyncio
from datetime import timedelta
from pathlib import Path

import pytest
from fakes.clocks import StillClock
from fakes.jobs import FakeJob, Lead, done, wakes_in_s, working
from fakes.sources import nodes

from orca_core.jobs.job import EverythingWanted, RoundRecorded, SessionEnded
from orca_core.jobs.worker import Worker
from orca_core.model.errors import StoreBusy
from orca_core.rules.learning.run_schedule import FIRST_WAIT_S, look_again_s

ROOT = Path(__file__).parent.parent.parent


async def test_the_lead_is_taken_once_for_all_the_jobs_that_need_it() -> None:
    lead = Lead()
    held: list[tuple[str, bool]] = []

    def job(name: str, *, needs_lead: bool) -> FakeJob:
        async def does() -> None:
            held.append((name, lead.is_held))

        made = FakeJob(name, does)
        made.needs_lead = needs_lead
        return made

    jobs = [job("first", needs_lead=True), job("second", needs_lead=True), job("own", needs_lead=False)]
    async with working(*jobs, lead=lead) as (worker, _told):
        await done(worker)
        assert held[:2] == [("first", True), ("second", True)]
        assert (lead.taken, lead.is_held) == (1, False)
        assert "own" in [name for name, _held in held]


async def test_a_job_that_breaks_is_reported_and_keeps_no_other_from_its_turn() -> None:
    async def breaks() -> None:
        raise ZeroDivisionError

    first, second = FakeJob("first", breaks), FakeJob("second")
    async with working(first, second) as (worker, told):
        await done(worker)
        assert second.done == 1
        assert [(each.state, each.session_id) for each in told] == [("failed", "first")]
        assert "ZeroDivisionError (test_worker.py:" in worker.status[0].failure
        assert worker.status[1].failure == ""
        first.does = None
        await done(worker)
        assert worker.status[0].failure == ""


async def test_what_breaks_again_in_the_same_way_is_said_once_and_looked_at_less_and_less_often() -> None:
    async def busy() -> None:
        raise StoreBusy(path="orca.db")

    async with working(FakeJob("first", busy), FakeJob("second", busy)) as (worker, told):
        for failures in range(1, 5):
            await done(worker)
            assert wakes_in_s(worker) == pytest.approx(look_again_s(failures), abs=FIRST_WAIT_S / 2)
        assert len(told) == 1


async def test_where_another_orca_leads_it_is_said_what_that_one_will_do_and_looked_at_again() -> None:
    lead, job = Lead(is_ours=False), FakeJob("led")
    async with working(job, lead=lead) as (worker, told):
        await done(worker)
        assert (job.done, [each.state for each in told]) == (0, ["queued"])
        assert wakes_in_s(worker) == pytest.approx(FIRST_WAIT_S, abs=FIRST_WAIT_S / 2)
        lead.is_ours = True
        await done(worker)
        assert job.done == 1


async def test_a_lead_that_can_not_be_asked_for_is_a_failure_and_no_end() -> None:
    class Broken(Lead):
        async def acquire(self) -> bool:
            raise StoreBusy(path="orca.db")

    async with working(FakeJob("led"), lead=Broken()) as (worker, told):
        await done(worker)
        assert [each.state for each in told] == ["failed"]
        assert "another process holds the database" in worker.status[0].failure


async def test_what_happens_while_it_works_is_looked_at_in_the_same_waking() -> None:
    at_work, may_go = asyncio.Event(), asyncio.Event()

    async def waits() -> None:
        at_work.set()
        await may_go.wait()

    job = FakeJob("led", waits)
    async with working(job) as (worker, _told):
        worker.wake()
        await at_work.wait()
        worker.wake()
        worker.wake()
        may_go.set()
        await worker.drain(30)
        assert job.done == 2


async def test_a_model_that_takes_its_time_keeps_no_upkeep_from_its_work() -> None:
    async def hangs() -> None:
        await asyncio.Event().wait()

    own = FakeJob("own")
    own.needs_lead = False
    async with working(FakeJob("led", hangs), own) as (worker, _told):
        worker.wake()
        await worker.tidy(30)
        assert own.done >= 1


async def test_jobs_hear_which_session_goes_on_which_ended_and_what_a_person_wants() -> None:
    job = FakeJob()
    async with working(job) as (worker, _told):
        worker.round_done("a")
        worker.round_done("a")
        worker.round_done("b")
        await worker.finish(30)
        await worker.learn_now()
    assert job.heard == [
        RoundRecorded("a"), RoundRecorded("a"), SessionEnded("a"), RoundRecorded("b"), SessionEnded("b"),
        EverythingWanted(),
    ]  # fmt: skip


async def test_a_job_that_is_off_is_left_alone_and_no_lead_is_taken_for_it() -> None:
    class Off(FakeJob):
        is_on = False

    lead, job = Lead(), Off()
    async with working(job, lead=lead) as (worker, _told):
        await done(worker)
        assert (job.done, lead.taken) == (0, 0)


async def test_closing_cancels_what_is_under_way_frees_the_lead_and_leaves_no_task_and_no_timer() -> None:
    async def done_upkeep(worker: Worker) -> None:
        worker.wake()
        await worker.tidy(30)

    at_work = asyncio.Event()

    async def hangs() -> None:
        at_work.set()
        await asyncio.Event().wait()

    lead, soon = Lead(), FakeJob("own")
    soon.needs_lead, soon.wakes_at = False, StillClock().now() + timedelta(seconds=5)
    async with working(FakeJob("led", hangs), soon, lead=lead) as (worker, told):
        await done_upkeep(worker)
        await at_work.wait()
        timer = worker._upkeep._timer
        assert timer is not None
    assert asyncio.all_tasks() == {asyncio.current_task()}
    assert (lead.is_held, timer.cancelled(), told) == (False, True, [])
    worker.wake()
    assert asyncio.all_tasks() == {asyncio.current_task()}


def test_nothing_in_the_services_makes_a_task_that_nobody_owns() -> None:
    """Who makes one, by name; each of them awaits it or cancels it before it ends itself."""
    owners = {
        ("pipelines/pipeline.py", "ensure_future"),  # a claim: awaited, also where its caller is cancelled
        ("services/chat/asking.py", "create_task"),  # a call, and the wait for `stop`: cancelled with the answer
        ("services/chat/asking.py", "ensure_future"),  # the piece that is awaited, and the stream's end
    }
    made = set()
    for path in (
        each for room in ("services", "pipelines", "jobs") for each in (ROOT / "orca_core" / room).rglob("*.py")
    ):
        for node in nodes(path):
            name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
            if name in (
                "make_task",
                "create_task",
                "ensure_future",
                "create_future",
                "TaskGroup",
                "run_coroutine_threadsafe",
            ):
                made.add((str(path.relative_to(ROOT / "orca_core")), name))

    assert made == owners
