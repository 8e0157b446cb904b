"""Episodes out of conversations, as a port: which rounds are read for them, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from orca_core.model.episodes import JudgedEpisode, SettleEpisodes, SettleUnverified, Told
from orca_core.model.learning import Batch, Choose, DroppedFact, Due, RunEnd, UnverifiedBatch, WaitS
from orca_core.model.sessions import Round
from orca_core.model.tasks import Task

Untold = Callable[[Sequence[Round], Sequence[Task]], Sequence[Round]]
"""The rounds that no task tells of (`rules.working.telling.untold`)."""


class EpisodeStore(Protocol):
    """Runs fail, wait and are given back as those of the learning queue. A round is read once."""

    async def claim(self, due: Due, choose: Choose, untold: Untold) -> Batch | None:
        """Rounds of one ended session that nobody has read for episodes: of a run that was cut short or failed, else
        of a new one. The try counts from here on, and a run that was begun as often as it may be is parked. Rounds
        that a task tells of are passed over for good."""
        ...

    async def finish(
        self, batch: Batch, judged: Sequence[JudgedEpisode], dropped: Sequence[DroppedFact], settle: SettleEpisodes,
        ended: RunEnd, model: str
    ) -> Told | None:  # fmt: skip
        """The episodes, their history and the end of the run, in one transaction. None where the batch is void, because
        one of its rounds was replaced or deleted meanwhile: what is left of it waits again."""
        ...

    async def claim_unverified(
        self, now: datetime, besides: Sequence[str], wait_s: WaitS, *, is_wanted: bool
    ) -> UnverifiedBatch | None:
        """Episodes of a session, none of `besides`, about which the verifier has not answered, to be asked about once
        more as memories are (`LearningQueue.claim_unverified`)."""
        ...

    async def finish_unverified(
        self, batch: UnverifiedBatch, judged: Mapping[int, JudgedEpisode], settle: SettleUnverified, ended: RunEnd
    ) -> Told | None:
        """What became of these by their numbers, as far as they still wait, and the end of the run, in one transaction.
        None where the batch is void."""
        ...
