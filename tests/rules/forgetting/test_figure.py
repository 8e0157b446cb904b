"""The figure in docs/work.md is what the rule says."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from orca_core.model.tasks import Outcome, Trigger
from orca_core.model.views import EpisodeAge
from orca_core.rules.work.retention import course, first_day_below
from orca_core.settings import ForgetSettings

DOCUMENT = Path(__file__).parents[3] / "docs" / "work.md"
AT = datetime(2026, 11, 20, tzinfo=UTC)
EPISODES = {
    "A  an alert that was solved in five steps": (Outcome.SUCCESS, Trigger.ALERT, 5, 0),
    "S  a success": (Outcome.SUCCESS, Trigger.USER_REQUEST, 2, 0),
    "U  nobody said how it ended": (Outcome.UNKNOWN, Trigger.USER_REQUEST, 2, 0),
    "F  a failure": (Outcome.FAILED, Trigger.USER_REQUEST, 2, 0),
}
POINTS, STEP = 61, 0.05


def figure() -> str:
    """Importance upwards, days to the right; the threshold as a dotted line."""
    threshold = ForgetSettings().threshold
    rows = {level: [" "] * POINTS for level in range(round(0.9 / STEP), round(0.1 / STEP), -1)}
    rows[round(threshold / STEP)] = ["."] * POINTS
    ends = []
    for name, (outcome, trigger, steps, accesses) in EPISODES.items():
        age = EpisodeAge(1, AT, outcome, trigger, steps, accesses)
        for column, (_day, value) in enumerate(course(age, POINTS)):
            rows[round(value / STEP)][column] = name[0]
        day = first_day_below(age, threshold)
        ends.append(f"    {name}: {'never forgotten by age' if day is None else f'forgotten on day {day}'}")
    plot = [f"    {level * STEP:.2f} |{''.join(cells).rstrip()}" for level, cells in rows.items()]
    days = "".join(f"{day:<20}" for day in (0, 30, 60)) + "90 days"
    return "\n".join([*plot, f"         {'-' * POINTS}", f"         {days}", "", *ends])


def test_the_figure_is_what_the_rule_says() -> None:
    assert figure() in DOCUMENT.read_text("utf-8")
