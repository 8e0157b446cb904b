"""Plans that stay open, and what came about once and lasts."""

from __future__ import annotations

import pytest

from orca_core.rules.clauses.clause import Mood, Time
from orca_core.rules.clauses.reading import read_clauses


@pytest.mark.parametrize(
    "text",
    [
        "going back to work in February is the idea but we'll see",
        "we move in June, fingers crossed",
        "adding Bruges, undecided",
        "he starts in May, nothing signed yet",
        "明年搬去大理，看情况",
        "下个月换车，还没定",
        "换成电动的 我考虑考虑吧",
    ],
)
def test_what_leaves_a_plan_open_makes_its_sentence_doubtful(text: str) -> None:
    assert read_clauses(text)[0].mood is Mood.DOUBTED


@pytest.mark.parametrize(
    ("text", "mood"),
    [
        ("I'd give anything for a garden", Mood.WISHED),
        ("I would trade my job for a desk by the window", Mood.WISHED),
        ("I'd trade with anyone on the night shift", Mood.STATED),
        ("换电车的话得装充电桩", Mood.SUPPOSED),
        ("工作的话我在银行", Mood.STATED),
        ("前年查出高血压", Mood.STATED),
    ],
)
def test_what_is_wished_or_supposed_in_other_words(text: str, mood: Mood) -> None:
    assert read_clauses(text)[-1].mood is mood


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("I was diagnosed with asthma last year", Time.NOW),
        ("last year they found I have celiac", Time.NOW),
        ("three years ago I developed a nut allergy", Time.NOW),
        ("我以前体检查出糖尿病", Time.NOW),
        ("三年前确诊了红斑狼疮", Time.NOW),
        ("three years ago I smoked", Time.PAST),
        ("小时候得过哮喘", Time.PAST),
    ],
)
def test_what_came_about_once_and_lasts_holds_now(text: str, time: Time) -> None:
    assert read_clauses(text)[-1].time is time
