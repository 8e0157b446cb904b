"""The worker of background jobs. A further job is a file beside this one and a line in compose.py."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from orca_core.jobs.embedding import Embedding
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
from orca_core.jobs.lane import Lane
from orca_core.jobs.message_indexing import MessageIndexing
from orca_core.model.events import Consolidated, Extraction
from orca_core.model.llm import Clock
from orca_core.services.shared.listeners import Listeners
from orca_core.services.shared.spending import Spending
from orca_core.store.protocols.learning import Leadership

FINISH_S = 5.0
"""How long quitting waits for what is left of a session to be learnt. Chosen by hand."""


class Worker:
    """Two lanes: learning, done by the one Orca that leads, and upkeep, done by each. A slow model in the first
    delays neither vectors nor wiping in the second."""

    def __init__(
        self,
        jobs: Sequence[Job],
        leadership: Leadership,
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
        await self._upkeep.do(Embedding.name, timeout_s)

    async def index_messages(self) -> None:
        """Of upkeep that alone which indexes messages that wait: a piece of a second."""
        await self._upkeep.do(MessageIndexing.name)

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
