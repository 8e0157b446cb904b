"""Scores are sums of four parts; the floor is absolute."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_core.domain.recall import TextHit, TokenStatistics, VectorHit
from orca_core.domain.refs import memory_ref
from orca_core.rules.recalling import evidence as found
from orca_core.rules.recalling import fusion
from orca_core.rules.recalling.evidence import Embedding, Evidence

share = st.floats(0, 1)
REAL = Embedding(trust=1.0, noise=0.5)
HASHED = Embedding(trust=0.25, noise=0.2)


def test_parts_add_up_and_stay_within_their_shares() -> None:
    parts = fusion.score(Evidence(1.0, 1.0, 1.0), REAL, weight=10, max_weight=10, age_days=0)

    assert parts.weight == pytest.approx(0.10)
    assert parts.recency == pytest.approx(0.05)
    assert parts.total == pytest.approx(1.0)


def test_without_vectors_words_carry_the_whole_relevance() -> None:
    parts = fusion.score(Evidence(1.0, 1.0, None), Embedding(), weight=0, max_weight=10, age_days=0)

    assert parts.vector == 0
    assert parts.text == pytest.approx(0.85)


def test_a_hashed_embedder_has_little_say() -> None:
    by_meaning = fusion.score(Evidence(cosine=1.0), HASHED, weight=0, max_weight=10, age_days=0)
    by_words = fusion.score(Evidence(1.0, 1.0), HASHED, weight=0, max_weight=10, age_days=0)

    assert by_words.text > 3 * by_meaning.vector > 0


def test_a_heavy_memory_never_outweighs_a_relevant_one() -> None:
    heavy = fusion.score(Evidence(), REAL, weight=10, max_weight=10, age_days=0)
    relevant = fusion.score(Evidence(0.5, 1.0), REAL, weight=0, max_weight=10, age_days=3650)

    assert relevant.total > heavy.total


@given(share, share, st.floats(-1, 1), share, share, st.floats(0, 10), st.floats(-10, 5000))
def test_scores_stay_between_zero_and_one(
    coverage: float, bm25: float, cosine: float, trust: float, noise: float, weight: float, age: float
) -> None:
    parts = fusion.score(
        Evidence(coverage, bm25, cosine), Embedding(trust, noise), weight=weight, max_weight=10, age_days=age
    )

    assert 0 <= parts.total <= 1.000001
    assert 0 <= parts.weight <= 0.1
    assert 0 <= parts.recency <= 0.05


def test_rare_words_count_more_than_common_ones() -> None:
    statistics = TokenStatistics(100, {"postgr": 1, "user": 90})
    rarities = found.rarity(statistics)
    weights = {"postgr": 1.0, "user": 1.0}

    assert found.coverage(frozenset({"postgr"}), weights, rarities) > 0.9
    assert found.coverage(frozenset({"user"}), weights, rarities) < 0.1


def test_words_that_no_memory_holds_lower_the_share_of_those_found() -> None:
    weights = {"docker": 1.0, "helm": 1.0}
    alone = found.rarity(TokenStatistics(100, {"docker": 2}))
    beside = found.rarity(TokenStatistics(100, {"docker": 2, "helm": 0}))

    assert found.coverage(frozenset({"docker"}), {"docker": 1.0}, alone) == pytest.approx(1.0)
    assert 0.5 < found.coverage(frozenset({"docker"}), weights, beside) < 0.9


@given(st.dictionaries(st.text(min_size=1, max_size=4), st.integers(0, 50), max_size=8), st.data())
def test_coverage_is_a_share_and_grows_with_what_is_found(frequencies: dict[str, int], data: st.DataObject) -> None:
    rarities = found.rarity(TokenStatistics(50, frequencies))
    weights = dict.fromkeys(frequencies, 1.0)
    fewer = data.draw(st.sets(st.sampled_from(sorted(frequencies)))) if frequencies else set()

    part = found.coverage(frozenset(fewer), weights, rarities)
    whole = found.coverage(frozenset(frequencies), weights, rarities)

    assert 0 <= part <= whole + 1e-9 <= 1.000001


def test_memories_found_by_either_search_are_collected_once() -> None:
    evidence = found.collect(
        [TextHit(memory_ref(1), 4.0, frozenset({"a"})), TextHit(memory_ref(2), 2.0, frozenset())],
        [VectorHit(memory_ref(2), 0.7), VectorHit(memory_ref(3), 0.6)],
        {"a": 1.0},
        TokenStatistics(10, {"a": 1}),
    )

    weight = found.FORM_WEIGHTS["letter"] * found.rarity(TokenStatistics(10, {"a": 1}))["a"]
    assert evidence[memory_ref(1)] == Evidence(1.0, 1.0, None, mass=weight, mass_over_best=1.0)
    assert evidence[memory_ref(2)] == Evidence(coverage=0.0, bm25_over_best=0.5, cosine=0.7)
    assert evidence[memory_ref(3)] == Evidence(cosine=0.6)


def test_a_long_question_lowers_the_share_but_not_the_mass() -> None:
    hits = [TextHit(memory_ref(1), 4.0, frozenset({"docker"})), TextHit(memory_ref(2), 1.0, frozenset({"helm"}))]
    short = found.collect(hits, [], {"docker": 1.0}, TokenStatistics(100, {"docker": 2}))
    weights = dict.fromkeys(("docker", "helm", "cluster"), 1.0)
    long = found.collect(hits, [], weights, TokenStatistics(100, {"docker": 2, "helm": 60, "cluster": 3}))

    one, other = memory_ref(1), memory_ref(2)
    assert long[one].coverage < short[one].coverage
    assert long[one].mass == short[one].mass > long[other].mass > 0
    assert (long[one].mass_over_best, long[other].mass_over_best) == (1.0, long[other].mass / long[one].mass)


def test_noise_is_the_99th_percentile_of_random_pairs() -> None:
    cosines = [index / 1000 for index in range(1000)]

    assert found.noise_of(cosines) == pytest.approx(0.99)


def test_noise_of_a_young_store_is_assumed() -> None:
    assert found.noise_of([0.9] * 10) == found.DEFAULT_NOISE
