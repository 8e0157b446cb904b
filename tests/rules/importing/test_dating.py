"""Words that count from a day, in texts that are read long after it."""

from __future__ import annotations

from datetime import date

import pytest

from orca_core.rules.memory.import_statements import dated
from orca_core.rules.text.relative_dates import ageing_words

SAID_ON = date(2024, 3, 5)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Likes tea", "Likes tea"),
        ("Runs at the weekend", "Runs at the weekend"),
        ("Met Ann on 2024-01-02, yesterday", "Met Ann on 2024-01-02, yesterday"),
        ("Has an interview tomorrow", "Has an interview tomorrow (2024-03-06)"),
        ("Flies the day after tomorrow", "Flies the day after tomorrow (2024-03-07)"),
        ("Moved 3 days ago", "Moved 3 days ago (2024-03-02)"),
        ("Moved a few days ago.", "Moved a few days ago (said on 2024-03-05)"),
        ("Moved two weeks ago", "Moved two weeks ago (said on 2024-03-05)"),
        ("Starts next week, and sees Ann tomorrow", "Starts next week, and sees Ann tomorrow (said on 2024-03-05)"),
        ("Tomorrow is the exam. Tomorrow!", "Tomorrow (2024-03-06) is the exam. Tomorrow!"),
        ("明天面试", "明天（2024-03-06）面试"),
        ("大后天面试", "大后天（2024-03-08）面试"),
        ("上周搬到成都", "上周搬到成都（2024-03-05 说的）"),
        ("後天考試", "後天考試（2024-03-05 说的）"),
    ],
)
def test_the_days_are_written_out(text: str, read: str) -> None:
    assert dated(text, SAID_ON) == read
    assert not ageing_words(read)


def test_without_a_day_nobody_knows_which_is_meant() -> None:
    assert dated("Has an interview tomorrow", None) is None
    assert dated("Likes tea", None) == "Likes tea"
