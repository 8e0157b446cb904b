"""The worker of background jobs, in two lanes. A further job is a class beside it and a line where it is made."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import aclosing
from datetime import datetime, timedelta

from msgspec.structs import replace

from orca_core.jobs.indexing import EmbeddingJob
from orca_core.jobs.job import (
    EverythingWanted,
    InboxOpened,
    Job,
    JobEvent,
    JobStatus,
    News,
    RoundRecorded,
    SessionEnded,
)
from orca_core.model.events import Consolidated, Extraction, Resting
from orca_core.model.llm import Clock
from orca_core.owned_tasks import OwnedTask
from orca_core.rules.learning import run_schedule
from orca_core.services.shared.degradation import cause
from orca_core.services.shared.event_stream import Listeners
from orca_core.services.shared.spending import Spending
from orca_core.store.ports import Upkeep

LEAST_WAIT_S = 1.0
"""The shortest timer. Chosen by hand."""


class Lane:
    """Goes through its jobs whenever it is woken. It never raises: an exception in a job goes into its status, the
    job is retried later, and the other jobs go on."""

    def __init__(
        self,
        jobs: Sequence[Job],
        clock: Clock,
        tell: Callable[[JobEvent], None],
        spending: Spending,
        leadership: Upkeep | None = None,
    ) -> None:
        """With a `leadership` the jobs are done only while this Orca leads."""
        self._jobs = jobs
        self._clock = clock
        self._tell = tell
        self._spending = spending
        self._leadership = leadership
        self._rested_until: datetime | None = None
        self._states = {job.name: JobStatus(job.name) for job in jobs}
        self._failures = dict.fromkeys(self._states, 0)
        self._task = OwnedTask()
        self._timer: asyncio.TimerHandle | None = None
        self._again = False
        self._is_closed = False

    @property
    def status(self) -> tuple[JobStatus, ...]:
        return tuple(self._states.values())

    def wake(self) -> None:
        """Check soon, in the background, whether anything is due."""
        if not self._is_closed:
            self._again = True
            self._task.start(self._work)

    def hear(self, news: News) -> None:
        """Tell every job what happened."""
        for job in self._jobs:
            job.hear(news)

    @property
    def has_more(self) -> bool:
        """Whether a further piece of a job that did not fail can be done at once."""
        return any(job.has_more and not self._states[job.name].failure for job in self._jobs)

    async def do(self, name: str, timeout_s: float | None = None) -> None:
        """Do one job of it, and wait for it at most `timeout_s`; the other jobs are left alone."""
        job = next(each for each in self._jobs if each.name == name)

        async def work() -> None:
            if job.is_on:
                await self._do(job)

        self._task.start(work)
        await self._task.wait(timeout_s)

    async def drain(self, timeout_s: float | None = None) -> None:
        """Wait for the current pass, at most `timeout_s`."""
        await self._task.wait(timeout_s)

    async def aclose(self) -> None:
        """Stop. What was not done waits in the database for the next start."""
        self._is_closed = True
        if self._timer is not None:
            self._timer.cancel()
        await self._task.aclose()

    async def _work(self) -> None:
        while self._again:
            self._again = False
            waits_s = await self._once()
            self._wake_in(min(waits_s, default=None))

    async def _once(self) -> list[float]:
        """Do every job once; returns in how many seconds each wants to be woken again."""
        jobs = [job for job in self._jobs if job.is_on]
        if not jobs:
            return []
        if self._leadership is None:
            return [wait_s for job in jobs for wait_s in await self._do(job)]
        try:
            leads = await self._leadership.acquire_lead()
        except Exception as error:  # noqa: BLE001  # the worker goes on; the failure is an event
            return [wait_s for job in jobs for wait_s in self._broke(job, error)]
        if not leads:
            return [wait_s for job in jobs for wait_s in await self._leave(job)]
        try:
            return [wait_s for job in jobs for wait_s in await self._do(job)]
        finally:
            await self._leadership.resign_lead()

    async def _do(self, job: Job) -> list[float]:
        self._states[job.name] = replace(self._states[job.name], is_running=True)
        try:
            rests_until = await self._rest(job)
            if rests_until is None:
                async with aclosing(job.work()) as events:
                    async for event in events:
                        self._tell(event)
                        if rests_until := await self._rest(job):
                            break
            return await self._waits(job, rests_until)
        except Exception as error:  # noqa: BLE001  # a mistake in one job must not stop the others
            return self._broke(job, error)
        finally:
            self._states[job.name] = replace(self._states[job.name], is_running=False)

    async def _leave(self, job: Job) -> list[float]:
        """Another Orca leads: check later whether it still does."""
        try:
            for event in await job.left_to_another():
                self._tell(event)
            return [run_schedule.FIRST_WAIT_S, *await self._waits(job, None)]
        except Exception as error:  # noqa: BLE001  # as above
            return self._broke(job, error)

    async def _rest(self, job: Job) -> datetime | None:
        """Until when the job rests, because today's tokens are used up; the event is sent once a day."""
        if not job.asks_agent:
            return None
        today = await self._spending.today()
        if today.rests_until is not None and today.rests_until != self._rested_until:
            self._rested_until = today.rests_until
            self._tell(Resting(today.used, today.limit, today.rests_until))
        return today.rests_until

    async def _waits(self, job: Job, rests_until: datetime | None) -> list[float]:
        """When to wake the job after work that ended well, or that has to rest."""
        next_at = rests_until or await job.next_at()
        self._failures[job.name] = 0
        self._states[job.name] = replace(self._states[job.name], failure="", next_at=next_at, rests_until=rests_until)
        if next_at is None:
            return []
        wait_s = (next_at - self._clock.now()).total_seconds()
        return [wait_s if wait_s > 0 else run_schedule.FIRST_WAIT_S]  # due, but it could not be started here

    def _broke(self, job: Job, error: Exception) -> list[float]:
        """Retry later; the same failure, in whichever job of the lane, is reported once."""
        self._failures[job.name] += 1
        wait_s = run_schedule.retry_wait_s(self._failures[job.name])
        next_at, reason = self._clock.now() + timedelta(seconds=wait_s), cause(error)
        is_known = any(state.failure == reason for state in self._states.values())
        self._states[job.name] = replace(self._states[job.name], failure=reason, next_at=next_at)
        event = job.broke(reason, next_at)
        if event is not None and not is_known:
            self._tell(event)
        return [wait_s]

    def _wake_in(self, wait_s: float | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if wait_s is not None and not self._is_closed:
            self._timer = asyncio.get_running_loop().call_later(max(LEAST_WAIT_S, wait_s), self.wake)


INDEXING = "indexing"
"""The chore that indexes messages."""
FINISH_S = 5.0
"""How long quitting waits for what is left of a session to be learnt. Chosen by hand."""


class Worker:
    """Two lanes: learning, done by the one Orca that leads, and upkeep, done by each. A slow model in the first
    delays neither vectors nor wiping in the second."""

    def __init__(
        self,
        jobs: Sequence[Job],
        leadership: Upkeep,
        spending: Spending,
        clock: Clock,
        *,
        keeps_up: bool = True,
    ) -> None:
        """The jobs of a lane are done in the order of `jobs`. Where it does not `keep up`, nothing that happens wakes
        the upkeep lane: it is run when `tidy`, `embed` and the like are called."""
        self._keeps_up = keeps_up
        self._listeners: Listeners[JobEvent] = Listeners()
        self._current: str | None = None
        led = [job for job in jobs if job.needs_lead]
        own = [job for job in jobs if not job.needs_lead]
        self._learning = Lane(led, clock, self._tell, spending, leadership)
        self._upkeep = Lane(own, clock, self._tell, spending)

    @property
    def status(self) -> tuple[JobStatus, ...]:
        """The status of each job."""
        return (*self._learning.status, *self._upkeep.status)

    @property
    def rests_until(self) -> datetime | None:
        """When the tokens of the next day may be used, where today's are used up."""
        return max((each.rests_until for each in self.status if each.rests_until is not None), default=None)

    def subscribe(self, listener: Callable[[JobEvent], None]) -> Callable[[], None]:
        """Call the listener for every run from now on; returns a function that unsubscribes it."""
        return self._listeners.add(listener)

    def round_done(self, session_id: str) -> None:
        """Note that a round was recorded. The previous session, if it is another one, has ended."""
        if self._current not in (None, session_id):
            self._spread(SessionEnded(str(self._current)))
        self._current = session_id
        self._spread(RoundRecorded(session_id))
        self._learning.wake()

    def inbox_opened(self) -> None:
        """Note that a person looks at what waits for them."""
        self._learning.hear(InboxOpened())
        self._learning.wake()

    def wake(self) -> None:
        """Check soon, in the background, whether anything is due."""
        self._learning.wake()
        self.wake_upkeep()

    def wake_upkeep(self) -> None:
        """Wake the upkeep lane alone: a change may need a vector, a delete needs wiping."""
        if self._keeps_up:
            self._upkeep.wake()

    async def drain(self, timeout_s: float | None = None) -> None:
        """Wait until the learning lane is idle, at most `timeout_s`."""
        await self._learning.drain(timeout_s)

    async def tidy(self, timeout_s: float | None = None) -> None:
        """Wake the upkeep lane and wait for it, at most `timeout_s`."""
        self._upkeep.wake()
        await self._upkeep.drain(timeout_s)

    async def tidy_all(self) -> tuple[JobStatus, ...]:
        """Do all that the upkeep lane has, also what is done once a day, and wait for the last piece of it."""
        self._upkeep.hear(EverythingWanted())
        await self.tidy()
        while self._upkeep.has_more:
            await self.tidy()
        return self._upkeep.status

    async def embed(self, timeout_s: float | None = None) -> None:
        """Of upkeep that alone which makes vectors; waits for it at most `timeout_s`."""
        await self._upkeep.do(EmbeddingJob.name, timeout_s)

    async def index_messages(self) -> None:
        """Of upkeep that alone which indexes messages that wait: a piece of a second."""
        await self._upkeep.do(INDEXING)

    async def finish(self, timeout_s: float = FINISH_S) -> None:
        """The current session has ended: learn what is left of it, until the timeout. The rest waits in the database
        for the next start."""
        if self._current is not None:
            self._spread(SessionEnded(self._current))
            self._learning.wake()
        await self.drain(timeout_s)

    async def learn_now(self) -> None:
        """Learn everything that waits, also what failed a moment ago, and wait for the end of it."""
        self._learning.hear(EverythingWanted())
        self._learning.wake()
        await self.drain()

    async def aclose(self) -> None:
        """Stop. Work that is cut short is resumed by the next worker."""
        try:
            await self._learning.aclose()
        finally:
            await self._upkeep.aclose()

    def _spread(self, news: News) -> None:
        self._learning.hear(news)
        self._upkeep.hear(news)

    def _tell(self, event: JobEvent) -> None:
        self._listeners.tell(event)
        if (isinstance(event, Extraction) and event.learnt.operation is not None) or isinstance(event, Consolidated):
            self.wake_upkeep()  # new memories have no vector yet
