"""What a ranking is worth: values counted by hand, and what holds of every ranking."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import astuple

from orca_core.evaluation.question_sets import SetQuestion
from orca_core.evaluation.ranking_scores import RankingScores, ScoredSearch, report_of, score

ELEVEN = [f"x{number}" for number in range(11)]


@pytest.mark.parametrize(
    ("ranked", "relevant", "expected"),
    [
        (["a"], ["a"], RankingScores(1, 1, 1, 1, 1, 1)),
        ([], ["a"], RankingScores(0, 0, 0, 0, 0, 0)),
        (["x", "a"], ["a"], RankingScores(0, 1, 1, 1, 1 / 2, 1 / math.log2(3))),
        (["x", "b", "y", "a"], ["a", "b"], RankingScores(0, 1, 1, 1, 1 / 2, (1 / math.log2(3) + 1 / math.log2(5)) / (1 + 1 / math.log2(3)))),
        (["a", "x"], ["a", "b", "c", "d"], RankingScores(1 / 4, 1 / 4, 1 / 4, 1, 1, 1 / (1 + 1 / math.log2(3) + 1 / 2 + 1 / math.log2(5)))),
        ([*ELEVEN[:5], "a"], ["a"], RankingScores(0, 0, 1, 0, 1 / 6, 1 / math.log2(7))),
        ([*ELEVEN[:10], "a"], ["a"], RankingScores(0, 0, 0, 0, 0, 0)),
        (ELEVEN, ELEVEN, RankingScores(1 / 11, 5 / 11, 10 / 11, 1, 1, 1)),
    ],
)  # fmt: skip
def test_a_ranking_is_worth_what_was_counted_by_hand(
    ranked: list[str], relevant: list[str], expected: RankingScores
) -> None:
    assert astuple(score(ranked, relevant)) == pytest.approx(astuple(expected), abs=1e-12)


IDS = st.lists(st.sampled_from("abcdefghijklmnopqrstuvwxyz"), unique=True)


@given(IDS, IDS.filter(bool))
def test_every_figure_is_a_share_and_recall_grows_with_depth(ranked: list[str], relevant: list[str]) -> None:
    worth = score(ranked, relevant)

    assert all(0 <= each <= 1 + 1e-12 for each in astuple(worth))
    assert worth.recall_at_1 <= worth.recall_at_5 <= worth.recall_at_10
    assert (worth.hit_at_5 > 0) == (worth.recall_at_5 > 0)
    assert (worth.mrr_at_10 > 0) == (worth.ndcg_at_10 > 0) == (worth.recall_at_10 > 0)


def asked(language: str, category: str, recall: float) -> ScoredSearch:
    return ScoredSearch(SetQuestion("q", "c", "?", ("a",), category, language), RankingScores(*[recall] * 6), 1.0)


def test_of_several_sets_each_counts_the_same_in_its_language_and_each_language_in_the_whole() -> None:
    sets = {
        "long": [asked("en", "a", 1.0)] * 9,
        "short": [asked("en", "a", 0.0)],
        "chinese": [asked("zh", "a", 1.0)],
    }

    whole = report_of("local", sets, {"adversarial": 4})

    assert whole.by_language["en"].scores.recall_at_5 == 0.5
    assert whole.by_language["zh"].scores.recall_at_5 == 1.0
    assert whole.whole.scores.recall_at_5 == 0.75
    assert whole.whole.questions == 11
    assert whole.by_category["a"].scores.recall_at_5 == pytest.approx(10 / 11)
    assert whole.sets["long"].whole.scores.recall_at_5 == 1.0
    assert whole.left_out == {"adversarial": 4}
