"""The year of a fact is typed, or follows from what was typed and when: nothing else lives."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from orca_core.model.learning import ProposedFact
from orca_core.model.llm import Span
from orca_core.model.memories import MemoryType
from orca_core.model.sessions import Round, RoundState
from orca_core.rules.learning import fact_extraction
from orca_core.rules.learning.fact_provenance import judge


def held(content: str, said: str, known: tuple[str, ...] = ()) -> str | None:
    at = datetime(2026, 11, 20, 12, tzinfo=UTC)
    round_ = Round(1, "s", 1, 1, said, (Span(said),), "ok", RoundState.DONE, at)
    fact = ProposedFact(content, MemoryType.EVENT, (), 0.9, said)
    verdict = judge(fact, fact_extraction.testimony([round_]), known)
    return None if verdict.held is None else verdict.held.value


HONEST = [
    ("User flies to Rome on 2026-11-21", "I fly to Rome tomorrow"),
    ("User moves to Rome on 2026-12-03", "I move to Rome on 3 December"),
    ("User moved to Rome on 2025-12-03", "I moved to Rome on 3 December"),
    ("User moved to Rome on 2021-12-03", "I moved to Rome on 2021-12-03"),
    ("User moved to Rome on 3 December 2021", "I moved to Rome on Dec 3rd, 2021"),
    ("User moved to Rome in March 2026", "I moved to Rome in March"),
    ("User moved to Rome in March 2021", "I moved to Rome on 2021-03-09"),
    ("User moved to Rome in 2025", "I moved to Rome last year"),
    ("User moved to Rome in March 2024", "I moved to Rome two years ago in March"),
    ("用户2026年12月3日搬到罗马", "我12月3日搬到罗马"),
    ("用户2025年3月搬到罗马", "我去年3月搬到罗马"),
    ("用户2019年12月3日搬到罗马", "我19年12月3号搬到罗马"),
    ("用户2025年搬到罗马", "我去年搬到罗马"),
    ("用户2026年9月14日入职", "9月14入的职"),
    ("用户的合唱团2026年12月26日汇演", "我的合唱团12月26汇演"),
    ("用户2026年12月28日在罗马", "我12月26到28号在罗马"),
    ("User is in Rome on 2026-12-13", "I am in Rome dec 12-13"),
    ("User is in Rome on 13 December", "I am in Rome dec 12-13"),
    ("User is in Rome on Wednesdays and Saturdays", "I am in Rome weds + sats"),
    ("用户73岁", "我七十有三了"),
]
INVENTED = [
    ("User flies to Rome on 2019-11-21", "I fly to Rome tomorrow"),
    ("User moves to Rome on 2031-12-03", "I move to Rome on 3 December"),
    ("User moved to Rome on 2019-12-03", "I moved to Rome on 2021-12-03"),
    ("User moved to Rome in March 2019", "I moved to Rome in March"),
    ("User moved to Rome in March 2019", "I moved to Rome in March 2021"),
    ("User moved to Rome on 2026-03-05", "I moved to Rome in March"),
    ("User moved to Rome in 2019", "I moved to Rome last year"),
    ("用户2019年12月3日搬到罗马", "我12月3日搬到罗马"),
    ("用户2019年3月搬到罗马", "我去年3月搬到罗马"),
    ("用户2019年搬到罗马", "我去年搬到罗马"),
    ("用户9月14日招人", "我9月招14个人"),
    ("用户2026年9月14日招人", "9月14个人入职"),
    ("User is in Rome on 2026-12-14", "I am in Rome dec 12-13"),
    ("User is in Rome on 2026-12-30", "I am in Rome dec 12-13:30"),
    ("User is in Rome on Wednesdays and Sundays", "I am in Rome weds + sats"),
    ("用户74岁", "我七十有三了"),
]


@pytest.mark.parametrize(("content", "said"), HONEST)
def test_a_year_that_follows_lives(content: str, said: str) -> None:
    assert held(content, said) is None


@pytest.mark.parametrize(("content", "said"), INVENTED)
def test_another_year_waits(content: str, said: str) -> None:
    assert held(content, said) == "not_typed"


def test_a_year_that_is_known_lives() -> None:
    known = ("User's wedding is on 2031-12-03",)
    assert held("User moves to Rome on 2031-12-03", "I move to Rome on 3 December", known) is None


def test_a_date_that_the_text_quotes_of_others_gives_no_year() -> None:
    said = 'I moved to Rome in 2021, he wrote "see you then on the 3 December, my friend"'
    assert held("User moved to Rome on 2026-12-03", said) is not None
