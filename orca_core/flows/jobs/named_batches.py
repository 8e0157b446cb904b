"""Jobs whose runs are about one name each, a target or a tool: claimed once due, and written while this Orca leads."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from typing import ClassVar, Generic, TypeVar

from msgspec.structs import replace

from orca_core.domain.events import Consolidated, GuideMade
from orca_core.domain.growth.tools import DueGuides, GuideBatch
from orca_core.domain.ports import Clock
from orca_core.domain.stores.learning import Leadership, LearningQueue
from orca_core.domain.work.consolidating import DueTargets, KnowledgeBatch
from orca_core.flows.jobs.job import EverythingWanted, Job, JobEvent, News
from orca_core.flows.jobs.passes import led
from orca_core.flows.jobs.tries import Attempt, each_tried

D = TypeVar("D", DueGuides, DueTargets)
B = TypeVar("B", GuideBatch, KnowledgeBatch)
E = TypeVar("E", GuideMade, Consolidated)

LOOK_AGAIN = timedelta(minutes=10)
"""What they are written of comes without a round, also from another process. Chosen by hand."""


class NamedBatches(Job, Generic[D, B, E]):
    """`claim` gives what is due, batch by batch, and `write` carries one out. A subclass says what is due now, and what
    another Orca that leads will carry out."""

    needs_lead: ClassVar[bool] = True
    asks_agent: ClassVar[bool] = True

    def __init__(
        self,
        claim: Callable[[D], Awaitable[B | None]],
        write: Callable[[Attempt, B], AsyncGenerator[E, None]],
        learning: LearningQueue,
        leadership: Leadership,
        clock: Clock,
    ) -> None:
        self._claim: Callable[[D], Awaitable[B | None]] = claim
        self._write: Callable[[Attempt, B], AsyncGenerator[E, None]] = write
        self._learning = learning
        self._leadership = leadership
        self._clock = clock
        self._everything = False

    def hear(self, news: News) -> None:
        if isinstance(news, EverythingWanted):
            self._everything = True

    def work(self) -> AsyncGenerator[JobEvent, None]:
        due: D = replace(self._due(), everything=self._everything)
        self._everything = False
        return self._batches(due)

    @abstractmethod
    def _due(self) -> D:
        """What is written unasked by now."""

    def _asked_for(self, due: D, queued: Callable[[], Awaitable[Sequence[E]]]) -> AsyncGenerator[E, None]:
        """What a person asked for: done while this Orca leads, else told to be `queued`. Raises StorageError."""
        everything: D = replace(due, everything=True)
        return led(self._leadership, lambda: self._batches(everything), queued)

    def _batches(self, due: D) -> AsyncGenerator[E, None]:
        """Every batch that is due."""

        def claim(_last: B | None, tried: tuple[int, ...]) -> Awaitable[B | None]:
            left: D = replace(due, besides=tried)
            return self._claim(left)

        return each_tried(self._learning, self._clock, claim, self._write)

    def _looks_again_at(self) -> datetime:
        return self._clock.now() + LOOK_AGAIN
