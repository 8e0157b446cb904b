"""What front ends are given of memories follows the settings of the core."""

from __future__ import annotations

import pytest
from fakes.memories import memory

from orca_core.model.learning import Learnt, StoredFact
from orca_core.model.memories import State, Status
from orca_core.model.views import Forecast
from orca_core.services.shared.views import Views
from orca_core.settings import LongTermSettings, MemorySettings


@pytest.mark.parametrize(
    ("weight", "status", "fullness"),
    [(0.0, Status.ACTIVE, 0.0), (5.0, Status.ACTIVE, 0.5), (5.1, Status.CORE, 0.51), (12.0, Status.CORE, 1.0)],
)
def test_a_view_says_how_a_memory_stands(weight: float, status: Status, fullness: float) -> None:
    view = Views(MemorySettings())(memory(weight=weight))

    assert (view.status, view.fullness) == (status, pytest.approx(fullness))


def test_thresholds_of_the_configuration_count() -> None:
    views = Views(MemorySettings(long_term=LongTermSettings(core_threshold=2.0, max_weight=4.0)))

    view = views(memory(weight=3.0))

    assert (view.status, view.fullness) == (Status.CORE, 0.75)


def test_memories_of_one_weight_are_told_apart_by_pin_and_state() -> None:
    views = Views(MemorySettings())

    forecasts = [
        views(each).forecast
        for each in (memory(weight=1.0), memory(weight=1.0, pinned=True), memory(weight=1.0, state=State.ARCHIVED))
    ]

    assert forecasts == [Forecast(3, 9), Forecast(None, 9), Forecast(None, None)]


def test_what_was_learnt_is_told_with_its_status() -> None:
    learnt = Learnt(
        stored=(StoredFact(memory(weight=9.0), ()),),
        candidates=(StoredFact(memory(state=State.CANDIDATE), ()),),
        confirmed=(7,),
    )

    told = Views(MemorySettings()).told(learnt)

    assert [fact.status for fact in (*told.stored, *told.candidates)] == [Status.CORE, Status.CANDIDATE]
    assert told.confirmed == (7,)
