"""The worker: all that is done while nobody waits. A further job is a file beside this one and a line in compose.py."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from orca_core.domain.events import Extraction
from orca_core.domain.ports import Clock
from orca_core.domain.stores.learning import Leadership
from orca_core.flows.jobs.job import EverythingWanted, Job, JobEvent, JobStatus, News, RoundRecorded, SessionEnded
from orca_core.flows.jobs.lane import Lane
from orca_core.flows.shared.listeners import Listeners
from orca_core.flows.shared.spending import Spending

FINISH_S = 5.0
"""How long quitting waits for what is left of a session to be learnt."""


class Worker:
    """Two lanes: what is learnt, by the one Orca that leads, and the upkeep that each does for itself. A model that
    takes its time to learn keeps no vector from being made and no deleted text from being wiped."""

    def __init__(self, jobs: Sequence[Job], leadership: Leadership, spending: Spending, clock: Clock) -> None:
        """The jobs of a lane are done in the order of `jobs`."""
        self._jobs = jobs
        self._listeners: Listeners[JobEvent] = Listeners()
        self._current: str | None = None
        led = [job for job in jobs if job.needs_lead]
        own = [job for job in jobs if not job.needs_lead]
        self._learning = Lane(led, clock, self._tell, spending, leadership)
        self._upkeep = Lane(own, clock, self._tell, spending)

    @property
    def status(self) -> tuple[JobStatus, ...]:
        """How each job stands."""
        return (*self._learning.status, *self._upkeep.status)

    @property
    def rests_until(self) -> datetime | None:
        """When the tokens of the next day may be used, where today's are used up."""
        return max((each.rests_until for each in self.status if each.rests_until is not None), default=None)

    def subscribe(self, listener: Callable[[JobEvent], None]) -> Callable[[], None]:
        """Tell the listener of every run from now on; returns how to stop that."""
        return self._listeners.add(listener)

    def round_done(self, session_id: str) -> None:
        """A round was recorded. Where it is another session's than the last one, that one has ended."""
        if self._current not in (None, session_id):
            self._spread(SessionEnded(str(self._current)))
        self._current = session_id
        self._spread(RoundRecorded(session_id))
        self._learning.wake()

    def wake(self) -> None:
        """Look whether anything is due, soon, in the background."""
        self._learning.wake()
        self._upkeep.wake()

    def wake_upkeep(self) -> None:
        """Something was changed that may need a vector, or was deleted: nothing is learnt for it."""
        self._upkeep.wake()

    async def drain(self, timeout_s: float | None = None) -> None:
        """Wait for what is being learnt now, so long at most."""
        await self._learning.drain(timeout_s)

    async def tidy(self, timeout_s: float | None = None) -> None:
        """Do now what upkeep waits, for so long at most."""
        self._upkeep.wake()
        await self._upkeep.drain(timeout_s)

    async def finish(self, timeout_s: float = FINISH_S) -> None:
        """The session at hand has ended: learn what is left of it, as far as the time allows. The rest waits in the
        database for the next start."""
        if self._current is not None:
            self._spread(SessionEnded(self._current))
            self._learning.wake()
        await self.drain(timeout_s)

    async def learn_now(self) -> None:
        """Read everything that waits, also what failed a moment ago, and wait for the end of it."""
        self._spread(EverythingWanted())
        self._learning.wake()
        await self.drain()

    async def aclose(self) -> None:
        """Stop. Work that is cut short is taken up by whoever works next."""
        try:
            await self._learning.aclose()
        finally:
            await self._upkeep.aclose()

    def _spread(self, news: News) -> None:
        for job in self._jobs:
            job.hear(news)

    def _tell(self, event: JobEvent) -> None:
        self._listeners.tell(event)
        if isinstance(event, Extraction) and event.learnt.operation is not None:
            self._upkeep.wake()  # what was learnt has no vector yet
