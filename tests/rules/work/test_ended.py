"""What the episode of a task becomes that is ended once more."""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime, timedelta

import pytest

from orca_core.model.episodes import EPISODES, Episode
from orca_core.model.memories import Fields
from orca_core.model.tasks import Outcome
from orca_core.rules.work.task_changes import ended_anew

AT = datetime(2026, 11, 20, tzinfo=UTC)
LATER = AT + timedelta(days=3)
BEFORE = Episode(
    1, "u", "old", "mine", AT, AT, AT, target="orders", outcome=Outcome.SUCCESS, pinned=True, access_count=4
)
TOLD = Episode(0, "", "new", "the task", LATER, LATER, LATER, target="orders", outcome=Outcome.FAILED)


@pytest.mark.parametrize(
    ("by_hand", "says"),
    [
        ((), {"trigger_summary": "the task", "outcome": "failed"}),
        (("trigger_summary", "text"), {"trigger_summary": "mine", "outcome": "failed"}),
        (("outcome", "text"), {"trigger_summary": "the task", "outcome": "success"}),
    ],
)
def test_what_a_hand_wrote_stays(by_hand: Collection[str], says: Fields) -> None:
    after = EPISODES.changed(BEFORE, ended_anew(BEFORE, TOLD, by_hand))

    assert EPISODES.plain(after, tuple(says)) == says
    assert str(says["trigger_summary"]) in after.text
    assert "2026-11-23" in after.text  # it ended then
    assert (after.pinned, after.access_count) == (True, 4)
