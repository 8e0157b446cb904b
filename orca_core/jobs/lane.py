"""Does jobs one after the other: one task, woken from outside and by its own timer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import aclosing
from datetime import datetime, timedelta

from msgspec.structs import replace

from orca_core.jobs.job import Job, JobEvent, JobStatus, News
from orca_core.model.events import Resting
from orca_core.model.llm import Clock
from orca_core.rules.learning.queue import backlog
from orca_core.services.shared.failures import cause
from orca_core.services.shared.owned_task import OwnedTask
from orca_core.services.shared.spending import Spending
from orca_core.store.protocols.learning import Leadership

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
        leadership: Leadership | None = None,
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
        """Tell every job what happened. The caller records a round: no job may break that."""
        for job in self._jobs:
            try:
                job.hear(news)
            except Exception as error:  # noqa: BLE001  # the other jobs hear it too; the failure is an event
                self._broke(job, error)

    @property
    def has_more(self) -> bool:
        """Whether a further piece of a job that did not fail can be done at once."""
        return any(job.has_more and not self._states[job.name].failure for job in self._jobs)

    async def do(self, name: str, timeout_s: float | None = None) -> None:
        """Do one job of it, and wait for it at most `timeout_s`; the other jobs are left alone."""
        job = next(each for each in self._jobs if each.name == name)

        async def work() -> None:
            if self._is_on(job):
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
        jobs = [job for job in self._jobs if self._is_on(job)]
        if not jobs:
            return []
        if self._leadership is None:
            return [wait_s for job in jobs for wait_s in await self._do(job)]
        try:
            leads = await self._leadership.acquire()
        except Exception as error:  # noqa: BLE001  # the worker goes on; the failure is an event
            return [wait_s for job in jobs for wait_s in self._broke(job, error)]
        if not leads:
            return [wait_s for job in jobs for wait_s in await self._leave(job)]
        try:
            return [wait_s for job in jobs for wait_s in await self._do(job)]
        finally:
            await self._leadership.resign()

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
            return [backlog.FIRST_WAIT_S, *await self._waits(job, None)]
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
        return [wait_s if wait_s > 0 else backlog.FIRST_WAIT_S]  # due, but it could not be started here

    def _is_on(self, job: Job) -> bool:
        try:
            return job.is_on
        except Exception as error:  # noqa: BLE001  # the other jobs go on; the failure is an event
            self._broke(job, error)
            return False

    def _broke(self, job: Job, error: Exception) -> list[float]:
        """Retry later; the same failure, in whichever job of the lane, is reported once."""
        self._failures[job.name] += 1
        wait_s = backlog.look_again_s(self._failures[job.name])
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
