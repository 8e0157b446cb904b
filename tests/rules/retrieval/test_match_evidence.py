"""What the words of a question weigh, and which of them a memory holds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_core.model.recall import TokenStatistics
from orca_core.rules.retrieval import match_evidence
from orca_core.rules.retrieval.match_evidence import (
    MAX_POSTINGS,
    MAX_TOKENS,
    ONLY_ONE,
    Circuit,
    after_failure,
    is_closed,
    most_telling_words,
    most_telling_words_of_record,
)


def test_rare_words_count_more_than_common_ones() -> None:
    statistics = TokenStatistics(100, {"postgr": 1, "user": 90})
    rarities = match_evidence.rarity(statistics)
    weights = {"postgr": 1.0, "user": 1.0}

    assert match_evidence.coverage(frozenset({"postgr"}), weights, rarities) > 0.9
    assert match_evidence.coverage(frozenset({"user"}), weights, rarities) < 0.1


@given(st.dictionaries(st.text(min_size=1, max_size=4), st.integers(0, 50), max_size=8), st.data())
def test_coverage_is_a_share_and_grows_with_what_is_found(frequencies: dict[str, int], data: st.DataObject) -> None:
    rarities = match_evidence.rarity(TokenStatistics(50, frequencies))
    weights = dict.fromkeys(frequencies, 1.0)
    fewer = data.draw(st.sets(st.sampled_from(sorted(frequencies)))) if frequencies else set()

    part = match_evidence.coverage(frozenset(fewer), weights, rarities)
    whole = match_evidence.coverage(frozenset(frequencies), weights, rarities)

    assert 0 <= part <= whole + 1e-9 <= 1.000001


def test_noise_is_the_99th_percentile_of_random_pairs() -> None:
    cosines = [index / 1000 for index in range(1000)]

    assert match_evidence.noise_of(cosines) == pytest.approx(0.99)


def test_of_a_long_question_what_tells_most_is_looked_up() -> None:
    """Chatter is rarer than what is asked for, where each slip of the pen stands in one memory."""
    chatter = {f"hm{number}": 0.3 for number in range(MAX_TOKENS)}
    chosen = most_telling_words({**chatter, "docker": 2.0}, {**dict.fromkeys(chatter, 1), "docker": 40})

    assert chosen[0] == "docker"
    assert len(chosen) == MAX_TOKENS


@given(st.dictionaries(st.text(max_size=4), st.floats(0, 10), max_size=60), st.data())
def test_what_is_looked_up_stays_within_its_bounds(important: dict[str, float], data: st.DataObject) -> None:
    counts = {token: data.draw(st.integers(0, 2 * MAX_POSTINGS)) for token in important}
    chosen = most_telling_words(important, counts)

    assert len(chosen) == len(set(chosen)) <= MAX_TOKENS
    assert all(counts[token] for token in chosen)
    assert len(chosen) <= 1 or sum(counts[token] for token in chosen) <= MAX_POSTINGS
    assert bool(chosen) == any(counts.values())


def test_where_every_word_has_too_many_the_rarest_is_looked_up_as_far_as_that_can_be_bounded() -> None:
    many = {"common": MAX_POSTINGS + 2, "rarer": MAX_POSTINGS + 1, "unknown": 0}
    assert most_telling_words(dict.fromkeys(many, 1.0), many) == ["rarer"]
    assert most_telling_words({"all": 1.0}, {"all": ONLY_ONE * MAX_POSTINGS + 1}) == []


def test_a_record_that_shares_nothing_is_near_to_nothing() -> None:
    assert most_telling_words_of_record({"alone": 1}) == []


def failed(times: int, now: float = 100.0) -> Circuit:
    circuit = Circuit()
    for _ in range(times):
        circuit = after_failure(circuit, now)
    return circuit


def test_three_in_a_row_open_it_for_a_while() -> None:
    assert not is_closed(failed(3), 100.0)
    assert not is_closed(failed(3), 159.9)
    assert is_closed(failed(3), 160.0)
