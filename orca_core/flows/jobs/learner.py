"""The worker that learns while nobody waits: woken by rounds, by ended sessions and by the time of the next try."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import aclosing
from datetime import timedelta

from orca_core.domain.events import Extraction, Folded
from orca_core.domain.learning import Queue, Wanted
from orca_core.domain.ports import Clock
from orca_core.domain.stores.learning import LearningQueue
from orca_core.flows.jobs.background import Background
from orca_core.flows.jobs.extraction import ExtractionFlow
from orca_core.flows.jobs.summaries import Summaries
from orca_core.flows.shared.failures import cause
from orca_core.flows.shared.listeners import Listeners
from orca_core.settings import Settings
from orca_core.tasks import log_failure

FINISH_S = 5.0
"""How long quitting waits for what is left of a session to be learnt."""
BUSY_S = 30.0
"""How soon to look again where what is due could not be begun: another Orca leads, or something broke."""


class Learner:
    """One task at a time. It never raises: `failure` holds what broke last, and its listeners are told."""

    def __init__(
        self,
        extraction: ExtractionFlow,
        summaries: Summaries,
        learning: LearningQueue,
        background: Background,
        clock: Clock,
        settings: Settings,
    ) -> None:
        self._extraction = extraction
        self._summaries = summaries
        self._learning = learning
        self._background = background
        self._clock = clock
        self._idle_s = settings.memory.session_idle
        self._listeners: Listeners[Extraction | Folded] = Listeners()
        self._task: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._again = False
        self._current: str | None = None
        self._ended: set[str] = set()
        self._asked_for: set[str] = set()
        self._to_fold: set[str] = set()
        self._is_closed = False
        self._everything = False
        self.failure: str = ""

    def subscribe(self, listener: Callable[[Extraction | Folded], None]) -> Callable[[], None]:
        """Tell the listener of every run from now on; returns how to stop that."""
        return self._listeners.add(listener)

    def round_done(self, session_id: str) -> None:
        """A round was recorded. Where it is another session's than the last one, that one has ended."""
        if self._current not in (None, session_id):
            self._ended.add(str(self._current))
        self._current = session_id
        for ended in (self._ended, self._asked_for):
            ended.discard(session_id)
        self._to_fold.add(session_id)
        self.wake()

    def wake(self) -> None:
        """Look whether anything is due, soon, in the background."""
        if self._is_closed:
            return
        if self._task is not None and not self._task.done():
            self._again = True
            return
        self._task = asyncio.get_running_loop().create_task(self._work())

    async def drain(self, timeout_s: float | None = None) -> None:
        """Wait for what is being done now, so long at most."""
        if self._task is not None:
            await asyncio.wait({self._task}, timeout=timeout_s)

    async def finish(self, timeout_s: float = FINISH_S) -> None:
        """The session at hand has ended: learn what is left of it, as far as the time allows. The rest waits in the
        database for the next start."""
        if self._current is not None:
            self._ended.add(self._current)
            self.wake()
        await self.drain(timeout_s)

    async def learn_now(self) -> None:
        """Read everything that waits, also what failed a moment ago, and wait for the end of it."""
        self._everything = True
        self.wake()
        await self.drain()

    async def aclose(self) -> None:
        """Stop. A run that is cut short is taken up by whoever learns next."""
        self._is_closed = True
        if self._timer is not None:
            self._timer.cancel()
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})
            log_failure(self._task)

    async def queue(self) -> Queue:
        """What waits, fails or is parked. Raises StorageError."""
        return await self._learning.queue()

    async def _work(self) -> None:
        self._again = True
        while self._again:
            self._again = False
            try:
                led = await self._learn()
                await self._schedule(led)
            except Exception as error:  # noqa: BLE001  # the worker goes on; what broke is told
                self._fail(cause(error))
            else:
                self.failure = ""

    def _fail(self, reason: str) -> None:
        """Look again in a while; said once, however often it fails in the same way."""
        self._wake_in(BUSY_S)
        if reason != self.failure:
            self.failure = reason
            self._listeners.tell(
                Extraction("failed", 0, error=reason, next_at=self._clock.now() + timedelta(seconds=BUSY_S))
            )

    async def _learn(self) -> bool:
        """Everything that is due; False where another Orca leads."""
        led = await self._extract() if self._extraction.is_on else True
        if self._summaries.is_on:
            self._to_fold.update(await self._summaries.due())
        while self._summaries.is_on and self._to_fold:
            session_id = self._to_fold.pop()
            try:
                async with aclosing(self._summaries.fold_due(session_id)) as folds:
                    async for folded in folds:
                        self._listeners.tell(folded)
            except BaseException:
                self._to_fold.add(session_id)
                raise
        return led

    async def _extract(self) -> bool:
        # What ends while this runs is the next run's: it must not be forgotten with what was asked for here.
        self._asked_for, self._ended = self._ended, set()
        wanted = Wanted(ended=tuple(sorted(self._asked_for)), everything=self._everything)
        self._everything = False
        state = "failed"
        try:
            async with aclosing(self._extraction.run(wanted)) as events:
                state = "none"
                async for event in events:
                    state = event.state
                    self._listeners.tell(event)
                    if event.learnt.operation is not None:
                        self._background.wake()
        finally:
            if state in ("queued", "failed", "running"):
                self._ended |= self._asked_for
        return state != "queued"

    async def _schedule(self, led: bool) -> None:
        """Wake again when a failed run may be tried, when the session at hand has idled, or when the other is done."""
        queue = await self._learning.queue()
        waits = [] if led else [BUSY_S]
        if queue.next_at is not None:
            wait_s = (queue.next_at - self._clock.now()).total_seconds()
            waits.append(wait_s if wait_s > 0 else BUSY_S)  # due, and yet it was nobody's here to begin
        if queue.waiting:
            waits.append(self._idle_s + 1.0)
        if waits:
            self._wake_in(max(1.0, min(waits)))

    def _wake_in(self, delay_s: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if not self._is_closed:
            self._timer = asyncio.get_running_loop().call_later(delay_s, self.wake)
