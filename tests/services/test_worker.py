"""The worker: whose turn it is, what breaks, upkeep, vectors."""

from __future__ import annotations

import ast
import asyncio
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import apsw
import pytest
from fakes.clocks import StillClock
from fakes.embedders import FailingEmbedder, SilentEmbedder
from fakes.jobs import FakeJob, Lead, done, job_status, wakes_in_s, working
from fakes.sources import nodes
from fakes.turns import turn

from orca_core.jobs.indexing import index_messages
from orca_core.jobs.job import REST, EverythingWanted, PiecewiseChore, RoundRecorded, SessionEnded
from orca_core.jobs.worker import Worker
from orca_core.llm.local_embedder import LocalEmbedder
from orca_core.model.errors import EmbeddingError, StoreBusy
from orca_core.model.events import Done, Injected
from orca_core.model.llm import Vector
from orca_core.model.memories import State
from orca_core.model.operations import StageProgress
from orca_core.model.recall import Level
from orca_core.orca import Orca
from orca_core.rules.learning.run_schedule import FIRST_WAIT_S, retry_wait_s
from orca_core.services.upkeep import RECORDS, VECTORS
from orca_core.settings import EmbeddingSettings, Settings
from orca_core.store.sqlite.engine import database
from orca_core.store.sqlite.index import vector_index

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
            assert wakes_in_s(worker) == pytest.approx(retry_wait_s(failures), abs=FIRST_WAIT_S / 2)
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
        async def acquire_lead(self) -> bool:
            raise StoreBusy(path="orca.db")

    async with working(FakeJob("led"), lead=Broken()) as (worker, told):
        await done(worker)
        assert [each.state for each in told] == ["failed"]
        assert "another process holds the database" in worker.status[0].failure


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
        ("pipelines/attempt.py", "ensure_future"),  # a claim: awaited, also where its caller is cancelled
        ("services/chat/asking.py", "create_task"),  # the wait for `stop`: cancelled with the answer
        ("services/chat/look_ups.py", "create_task"),  # a call, and the wait for `stop`: cancelled with it
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


class Waiting:
    """A store in which so many messages wait, and are indexed ten at a time."""

    def __init__(self, waiting: int, at_once: int = 10) -> None:
        self.waiting = waiting
        self.at_once = at_once
        self.looks = 0

    async def backlog(self) -> int:
        return self.waiting

    async def catch_up(self, patience_s: float | None = None) -> int:
        assert patience_s is not None
        self.looks += 1
        self.waiting = max(0, self.waiting - self.at_once)
        return self.waiting


def chore(store: Waiting) -> PiecewiseChore:
    return PiecewiseChore("indexing", StillClock(), lambda: index_messages(store))  # type: ignore[arg-type]


async def more_waits(job: PiecewiseChore) -> bool:
    """Whether more waits behind a pass."""
    async for _ in job.work():
        pass
    assert job.has_more == (await job.next_at() == StillClock().now() + REST)
    return job.has_more


async def test_what_is_left_is_done_a_moment_later() -> None:
    store = Waiting(25)
    job = chore(store)
    assert [await more_waits(job) for _ in range(3)] == [True, True, False]
    assert store.waiting == 0


DAY_S = 86_400.0


PATIENCE_S = 30.0


async def test_a_change_wakes_nothing_where_upkeep_waits_to_be_asked(open_orca) -> None:
    async with open_orca(keeps_up=False) as orca:
        await orca.memories.add("a light one")
        await orca.memories.edit(1, weight=0.1)
        orca.worker.wake()
        await orca.worker.drain()
        assert not orca.worker._upkeep._task.is_busy
        assert (await orca.memories.counts())["active"] == 1


async def test_it_is_done_once_a_day_whichever_orca_does_it(open_orca, clock) -> None:
    async def left_after_a_light_one() -> bool:
        """Add a memory that sank, by an Orca of its own, and ask for upkeep; whether it was left alone."""
        async with open_orca(keeps_up=False) as orca:
            added = await orca.memories.add(f"seen at {clock.now()}")
            await orca.memories.edit(added.memory.id, weight=0.1)
            await orca.upkeep.once_a_day(PATIENCE_S)
            [memory] = await orca.memories.get([added.memory.id])
            return memory.state is State.LIVE

    assert not await left_after_a_light_one()
    clock.advance(DAY_S - 1)
    assert await left_after_a_light_one()
    clock.advance(2)
    assert not await left_after_a_light_one()


async def test_what_fails_is_named_and_the_rest_is_done(open_orca) -> None:
    async with open_orca(keeps_up=False, embedder=FailingEmbedder()) as orca:
        await orca.memories.add("a wren in the hedge")
        done = await orca.upkeep.run()
        assert done.failed
        assert [each.name for each in done.jobs if each.failure] == ["embedding"]
        assert "cleaning" in [each.name for each in done.jobs]


class PickyEmbedder(LocalEmbedder):
    """Takes no text that holds a certain word; counts its calls."""

    def __init__(self, refused: str) -> None:
        self.refused = refused
        self.calls = 0

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        self.calls += 1
        if any(self.refused in text for text in texts):
            raise EmbeddingError(retryable=False, provider="picky", detail="not this one")
        return await super().embed(texts)


def vectors(database: Path) -> int:
    return int(apsw.Connection(str(database)).execute("SELECT count(*) FROM vectors").get or 0)


async def test_every_memory_gets_its_vector(open_orca, database: Path) -> None:
    async with open_orca() as orca:
        for number in range(40):
            await orca.memories.add(f"memory number {number}")
        await orca.worker.tidy()
        assert (vectors(database), job_status(orca, "embedding").failure) == (40, "")


async def test_a_text_that_can_not_be_embedded_does_not_keep_the_others_from_it(open_orca, database: Path) -> None:
    embedder = PickyEmbedder("number 7")
    async with open_orca(embedder=embedder) as orca:
        for number in range(10):
            await orca.memories.add(f"memory number {number}")
        await orca.worker.tidy()
        assert vectors(database) == 9
        calls = embedder.calls
        await orca.worker.tidy()
        assert embedder.calls == calls


async def test_vectors_that_fail_in_the_background_lower_the_level_until_they_work(open_orca) -> None:
    embedder = FailingEmbedder()
    async with open_orca(embedder=embedder) as orca:
        await orca.memories.add("memory number one")
        await orca.worker.tidy()
        level, cause = await orca.levels.current()
        assert (level, "the server is down" in cause.sentence) == (Level.TEXT_ONLY, True)
        embedder.fails = False
        await orca.worker.tidy()
        assert await orca.levels.current() == (Level.FULL, None)


async def test_a_question_whose_vector_does_not_come_in_time_lowers_the_level(open_orca) -> None:
    settings = Settings(embedding=EmbeddingSettings(query_timeout=0.01))
    async with open_orca(embedder=SilentEmbedder(), settings=settings) as orca:
        found = await orca.search.find("which database", 5)
        assert (found.level, "0.01 s" in found.cause.sentence) == (Level.TEXT_ONLY, True)


TEXTS = [f"用户在第 {number} 台服务器上用 postgres" for number in range(30)]


class CutError(Exception):
    pass


class CutAt:
    """Breaks off when it is told for the second time of a stage."""

    def __init__(self, stage: str) -> None:
        self._stage = stage
        self._told = 0

    def __call__(self, reached: StageProgress) -> None:
        self._told += reached.stage == self._stage
        if self._told == 2:
            raise CutError


async def filled(orca: Orca) -> None:
    for text in TEXTS:
        await orca.memories.add(text)
    await orca.worker.tidy()


async def found(orca: Orca, text: str) -> list[str]:
    return [hit.memory.content for hit in (await orca.search.find(text, 50)).hits]


@pytest.mark.parametrize("stage", [RECORDS, VECTORS])
async def test_another_orca_goes_on_while_one_indexes_anew(
    open_orca, monkeypatch: pytest.MonkeyPatch, stage: str
) -> None:
    monkeypatch.setattr(vector_index, "A_SLICE", 10)
    monkeypatch.setattr(database, "FIRST", 5)
    monkeypatch.setattr(database, "next_slice_size", lambda size, _worked_s: size)
    async with open_orca() as theirs, open_orca() as mine:
        await filled(theirs)
        with pytest.raises(CutError):
            await theirs.doctor.reindex(CutAt(stage))

        hits = await found(mine, "postgres 服务器")
        assert hits if stage == RECORDS else set(hits) == set(TEXTS)
        await mine.memories.add("用户养了一只猫，名叫 Postgres")
        events = await turn(mine, "我的 postgres 在哪台服务器上？")
        assert [type(each) for each in events if isinstance(each, Injected | Done)] == [Injected, Done]
        assert await found(mine, "猫") == ["用户养了一只猫，名叫 Postgres"]

        await mine.worker.tidy()
        assert set(TEXTS) < set(await found(mine, "postgres 服务器"))
        assert [each.state for each in (await mine.doctor.examine()).checks if each.name == "search index"] == ["ok"]
