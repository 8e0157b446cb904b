"""Both searches score every candidate; scores are sums of four parts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_core.rules.retrieval import fusion
from orca_core.rules.retrieval.evidence import Embedding, Evidence
from orca_core.rules.retrieval.fusion import Relevance

REAL = Embedding(trust=1.0, noise=0.5)
HASHED = Embedding(trust=0.25, noise=0.2)
BEST = Relevance(vector=0.4, text=0.6)

evidences = st.lists(
    st.builds(Evidence, cosine=st.none() | st.floats(-1, 1), words=st.floats(0, 100)), min_size=1, max_size=12
)


def relevant(embedding: Embedding, *found: Evidence) -> list[Relevance]:
    return list(fusion.over_best(fusion.relevances(dict(enumerate(found)), embedding)).values())


def test_parts_add_up_and_stay_within_their_shares() -> None:
    parts = fusion.score(BEST, weight=10, max_weight=10, age_days=0)

    assert parts.vector + parts.text == pytest.approx(0.85)
    assert (parts.weight, parts.recency) == (0.10, 0.05)
    assert parts.total == pytest.approx(1.0)


def test_without_vectors_words_carry_the_whole_relevance() -> None:
    [best, other] = relevant(Embedding(), Evidence(words=4.0), Evidence(words=1.0))

    assert (best.vector, best.text) == (0, 1)
    assert 0 < other.text < 1


def test_the_nearest_of_a_few_has_the_whole_relevance() -> None:
    """One alone has no spread to be measured by, and two alike have none either."""
    assert [each.total for each in relevant(HASHED, Evidence(words=3.0, cosine=0.1))] == [1]
    assert [each.total for each in relevant(HASHED, Evidence(words=3.0), Evidence(words=3.0))] == [1, 1]
    assert [each.total for each in relevant(REAL, Evidence(cosine=0.9))] == [1]
    assert [each.total for each in relevant(HASHED, Evidence(), Evidence())] == [0, 0]


def test_an_embedder_counts_as_much_as_it_is_worth() -> None:
    by_words, by_meaning = Evidence(words=5.0, cosine=0.1), Evidence(words=0.0, cosine=0.9)

    hashed = relevant(HASHED, by_words, by_meaning)
    real = relevant(REAL, by_words, by_meaning)

    assert hashed[0].total > 2 * hashed[1].total
    assert real[0].total == pytest.approx(real[1].total)


def test_a_word_hit_far_by_meaning_stands_below_one_that_is_near() -> None:
    near, far = relevant(REAL, Evidence(words=2.0, cosine=0.8), Evidence(words=2.0, cosine=0.3))

    assert near.text == far.text
    assert near.total > far.total


def test_a_heavy_memory_never_outweighs_a_relevant_one() -> None:
    heavy = fusion.score(Relevance(), weight=10, max_weight=10, age_days=0)
    near = fusion.score(Relevance(text=0.5), weight=0, max_weight=10, age_days=3650)

    assert near.total > heavy.total


def test_of_two_as_near_the_newer_stands_higher() -> None:
    older, newer = (fusion.score(BEST, weight=1, max_weight=10, age_days=age) for age in (300, 30))

    assert newer.total > older.total


@given(evidences, st.floats(0, 1), st.floats(0, 1), st.floats(0, 10), st.floats(-10, 5000))
def test_scores_stay_between_zero_and_one(
    found: list[Evidence], trust: float, noise: float, weight: float, age: float
) -> None:
    for each in relevant(Embedding(trust, noise), *found):
        parts = fusion.score(each, weight=weight, max_weight=10, age_days=age)

        assert min(parts.vector, parts.text, parts.recency) >= 0
        assert 0 <= parts.weight <= 0.1
        assert parts.recency <= 0.05
        assert parts.total == pytest.approx(parts.vector + parts.text + parts.weight + parts.recency)
        assert parts.total <= 1.00001


@given(evidences, st.floats(0, 1), st.randoms(use_true_random=False))
def test_the_order_of_the_candidates_changes_nothing(found: list[Evidence], trust: float, chance) -> None:
    candidates = dict(enumerate(found))
    shuffled = dict(chance.sample(list(candidates.items()), len(candidates)))
    embedding = Embedding(trust, 0.3)

    assert fusion.relevances(candidates, embedding) == fusion.relevances(shuffled, embedding)
    assert fusion.above_average(candidates, embedding) == fusion.above_average(shuffled, embedding)


@given(evidences, st.floats(0.1, 1))
def test_what_is_better_in_both_searches_stands_higher(found: list[Evidence], trust: float) -> None:
    result = fusion.relevances(dict(enumerate([*found, Evidence(words=101.0, cosine=1.0)])), Embedding(trust, 0.3))

    assert max(result, key=lambda key: result[key].total) == len(found)
