"""Both searches score every candidate; scores are sums of four parts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_core.model.recall import Neighbours, TokenStatistics
from orca_core.rules.retrieval import score_fusion
from orca_core.rules.retrieval.match_evidence import EmbedderWorth, MatchEvidence
from orca_core.rules.retrieval.score_fusion import Candidates, QueryWeights, Relevance, measure_candidates

REAL = EmbedderWorth(trust=1.0, noise=0.5)
HASHED = EmbedderWorth(trust=0.25, noise=0.2)
BEST = Relevance(vector=0.4, text=0.6)

evidences = st.lists(
    st.builds(MatchEvidence, cosine=st.none() | st.floats(-1, 1), words=st.floats(0, 100)), min_size=1, max_size=12
)


def relevant(embedding: EmbedderWorth, *found: MatchEvidence) -> list[Relevance]:
    return list(score_fusion.over_best(score_fusion.relevances(dict(enumerate(found)), embedding)).values())


def test_parts_add_up_and_stay_within_their_shares() -> None:
    parts = score_fusion.score_parts(BEST, weight=10, max_weight=10, age_days=0)

    assert parts.vector + parts.text == pytest.approx(0.85)
    assert (parts.weight, parts.recency) == (0.10, 0.05)
    assert parts.total == pytest.approx(1.0)


def test_an_embedder_counts_as_much_as_it_is_worth() -> None:
    by_words, by_meaning = MatchEvidence(words=5.0, cosine=0.1), MatchEvidence(words=0.0, cosine=0.9)

    hashed = relevant(HASHED, by_words, by_meaning)
    real = relevant(REAL, by_words, by_meaning)

    assert hashed[0].total > 2 * hashed[1].total
    assert real[0].total == pytest.approx(real[1].total)


@given(evidences, st.floats(0, 1), st.floats(0, 1), st.floats(0, 10), st.floats(-10, 5000))
def test_scores_stay_between_zero_and_one(
    found: list[MatchEvidence], trust: float, noise: float, weight: float, age: float
) -> None:
    for each in relevant(EmbedderWorth(trust, noise), *found):
        parts = score_fusion.score_parts(each, weight=weight, max_weight=10, age_days=age)

        assert min(parts.vector, parts.text, parts.recency) >= 0
        assert 0 <= parts.weight <= 0.1
        assert parts.recency <= 0.05
        assert parts.total == pytest.approx(parts.vector + parts.text + parts.weight + parts.recency)
        assert parts.total <= 1.00001


@given(evidences, st.floats(0.1, 1))
def test_what_is_better_in_both_searches_stands_higher(found: list[MatchEvidence], trust: float) -> None:
    result = score_fusion.relevances(
        dict(enumerate([*found, MatchEvidence(words=101.0, cosine=1.0)])), EmbedderWorth(trust, 0.3)
    )

    assert max(result, key=lambda key: result[key].total) == len(found)


WORDS = {"docker": 3, "helm": 9, "cluster": 20, "billing": 2, "user": 90}
ASKED = QueryWeights(
    {"docker": 1.0, "helm": 1.0, "cluster": 1.0}, TokenStatistics(100, WORDS), EmbedderWorth(0.25, 0.3)
)
FAR = {number: {"zebra"} for number in range(10, 16)}

words_of = st.frozensets(st.sampled_from(sorted(WORDS)), max_size=4)
candidates = st.dictionaries(st.integers(1, 8), words_of, min_size=1, max_size=8)


def beside(*pairs: tuple[int, int]) -> dict[int, Neighbours]:
    """Each second memory stands right behind the first."""
    result = {first: Neighbours(after=second) for first, second in pairs}
    return result | {second: Neighbours(before=first) for first, second in pairs}


def test_an_answer_stands_beside_its_question() -> None:
    """What holds no word of the question is found beside what holds them, and before what is as far away."""
    found = Candidates({1: {"docker", "helm", "cluster"}, 2: {"zebra"}, **FAR})
    alone, together = measure_candidates(ASKED, found), measure_candidates(ASKED, found, beside((1, 2)))

    assert alone.relevance[2].total == 0
    assert together.nearest(2) == [1, 2]
    assert together.evidence[2].standing > 0.2
    assert together.evidence[2].mass == 0


@given(candidates, st.dictionaries(st.integers(1, 8), st.floats(-1, 1)), st.randoms(use_true_random=False))
def test_the_order_of_the_candidates_changes_no_figure(found, cosines, chance) -> None:
    neighbours = beside(*zip(sorted(found)[::2], sorted(found)[1::2], strict=False))
    shuffled = [chance.sample(list(each.items()), len(each)) for each in (found, cosines, neighbours)]
    one = measure_candidates(ASKED, Candidates(found, cosines), neighbours)
    other = measure_candidates(ASKED, Candidates(dict(shuffled[0]), dict(shuffled[1])), dict(shuffled[2]))

    assert one == other
    assert one.nearest(8) == other.nearest(8)
