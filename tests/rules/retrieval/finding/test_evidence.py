"""What the words of a question weigh, and which of them a memory holds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_core.model.recall import TokenStatistics
from orca_core.rules.retrieval import evidence
from orca_core.rules.retrieval.evidence import MAX_POSTINGS, MAX_TOKENS, telling


def test_rare_words_count_more_than_common_ones() -> None:
    statistics = TokenStatistics(100, {"postgr": 1, "user": 90})
    rarities = evidence.rarity(statistics)
    weights = {"postgr": 1.0, "user": 1.0}

    assert evidence.coverage(frozenset({"postgr"}), weights, rarities) > 0.9
    assert evidence.coverage(frozenset({"user"}), weights, rarities) < 0.1


def test_words_that_no_memory_holds_lower_the_share_of_those_found() -> None:
    weights = {"docker": 1.0, "helm": 1.0}
    alone = evidence.rarity(TokenStatistics(100, {"docker": 2}))
    beside = evidence.rarity(TokenStatistics(100, {"docker": 2, "helm": 0}))

    assert evidence.coverage(frozenset({"docker"}), {"docker": 1.0}, alone) == pytest.approx(1.0)
    assert 0.5 < evidence.coverage(frozenset({"docker"}), weights, beside) < 0.9


@given(st.dictionaries(st.text(min_size=1, max_size=4), st.integers(0, 50), max_size=8), st.data())
def test_coverage_is_a_share_and_grows_with_what_is_found(frequencies: dict[str, int], data: st.DataObject) -> None:
    rarities = evidence.rarity(TokenStatistics(50, frequencies))
    weights = dict.fromkeys(frequencies, 1.0)
    fewer = data.draw(st.sets(st.sampled_from(sorted(frequencies)))) if frequencies else set()

    part = evidence.coverage(frozenset(fewer), weights, rarities)
    whole = evidence.coverage(frozenset(frequencies), weights, rarities)

    assert 0 <= part <= whole + 1e-9 <= 1.000001


def test_every_candidate_is_measured_by_words_and_by_its_vector() -> None:
    measured = evidence.evidence_of(
        {1: {"docker", "helm"}, 2: {"helm"}, 3: {"zebra"}}, {2: 0.7, 3: 0.6}, {"docker": 1.0, "helm": 1.0},
        TokenStatistics(10, {"docker": 1, "helm": 2}),
    )  # fmt: skip

    assert measured[1].coverage == pytest.approx(1.0)
    assert measured[1].cosine is None
    assert 0 < measured[2].mass < measured[1].mass
    assert measured[3] == evidence.Evidence(cosine=0.6)


def test_a_long_question_lowers_the_share_but_not_the_mass() -> None:
    memories = {1: {"docker"}, 2: {"helm"}}
    short = evidence.evidence_of(memories, {}, {"docker": 1.0}, TokenStatistics(100, {"docker": 2}))
    weights = dict.fromkeys(("docker", "helm", "cluster"), 1.0)
    long = evidence.evidence_of(memories, {}, weights, TokenStatistics(100, {"docker": 2, "helm": 60, "cluster": 3}))

    assert long[1].coverage < short[1].coverage
    assert long[1].mass == short[1].mass > long[2].mass > 0


def test_noise_is_the_99th_percentile_of_random_pairs() -> None:
    cosines = [index / 1000 for index in range(1000)]

    assert evidence.noise_of(cosines) == pytest.approx(0.99)


def test_noise_of_a_young_store_is_assumed() -> None:
    assert evidence.noise_of([0.9] * 10) == evidence.DEFAULT_NOISE


def test_of_a_long_question_what_tells_most_is_looked_up() -> None:
    """Chatter is rarer than what is asked for, where each slip of the pen stands in one memory."""
    chatter = {f"hm{number}": 0.3 for number in range(MAX_TOKENS)}
    chosen = telling({**chatter, "docker": 2.0}, {**dict.fromkeys(chatter, 1), "docker": 40})

    assert chosen[0] == "docker"
    assert len(chosen) == MAX_TOKENS


def test_what_has_too_many_entries_is_passed_over_unless_it_is_the_best() -> None:
    counts = {"everywhere": MAX_POSTINGS, "often": MAX_POSTINGS, "rare": 3}

    assert telling({"everywhere": 3.0, "often": 2.0, "rare": 1.0}, counts) == ["everywhere"]
    assert telling({"everywhere": 1.0, "often": 2.0, "rare": 3.0}, counts) == ["rare"]
    assert telling({"nowhere": 9.0, "rare": 1.0}, counts) == ["rare"]


@given(st.dictionaries(st.text(max_size=4), st.floats(0, 10), max_size=60), st.data())
def test_what_is_looked_up_stays_within_its_bounds(important: dict[str, float], data: st.DataObject) -> None:
    counts = {token: data.draw(st.integers(0, 2 * MAX_POSTINGS)) for token in important}
    chosen = telling(important, counts)

    assert len(chosen) == len(set(chosen)) <= MAX_TOKENS
    assert all(counts[token] for token in chosen)
    assert len(chosen) <= 1 or sum(counts[token] for token in chosen) <= MAX_POSTINGS
    assert bool(chosen) == any(counts.values())
