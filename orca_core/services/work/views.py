"""Makes of episodes what people see: their importance, and when they will be forgotten."""

from __future__ import annotations

from collections.abc import Sequence

from orca_core.model.episodes import Episode
from orca_core.model.llm import Clock
from orca_core.model.memories import State
from orca_core.model.records import EPISODE
from orca_core.model.views import EpisodeView, RecordQuery
from orca_core.rules.forgetting import gate
from orca_core.rules.forgetting.importance import age_of, course, days_old, importance
from orca_core.rules.memory.status import status_of_work
from orca_core.settings.work import ForgetSettings
from orca_core.store.protocols import Stores

POINTS = 31
"""A course has a point every three days."""


class EpisodeViews:
    """Reads the ages of all episodes only where the cap is reached."""

    def __init__(self, stores: Stores, clock: Clock, forget: ForgetSettings) -> None:
        self._fading = stores.fading
        self._records = stores.records
        self._clock = clock
        self._forget = forget

    async def of(self, episodes: Sequence[Episode]) -> list[EpisodeView]:
        now = self._clock.now()
        places = await self._places() if any(each.state is State.LIVE for each in episodes) else {}
        return [
            EpisodeView(
                episode=each,
                status=status_of_work(each.state),
                importance=importance(age_of(each), now),
                forecast=(
                    gate.forecast(age_of(each), self._forget, place=places.get(each.id))
                    if each.state is State.LIVE
                    else None
                ),
                deleted_at=gate.deleted_at(each, self._forget),
                course=tuple(course(age_of(each), POINTS)),
                days_old=days_old(age_of(each), now),
                threshold=self._forget.threshold,
            )
            for each in episodes
        ]

    async def _places(self) -> dict[int, int]:
        """By number, its place among those that go where there are too many; empty while the next one has room."""
        live = RecordQuery({"state": (State.LIVE.value,)}, limit=0)
        if (await self._records[EPISODE].page(live)).total < self._forget.max_episodes:
            return {}
        going = gate.first_to_go(await self._fading.ages(), self._clock.now())
        return {each.id: place for place, each in enumerate(going, start=1)}
