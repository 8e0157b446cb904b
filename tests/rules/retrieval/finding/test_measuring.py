"""Candidates measured together: what neighbours lend, and what stands above the low floor."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from orca_core.model.recall import Neighbours, TokenStatistics
from orca_core.rules.retrieval.evidence import Embedding
from orca_core.rules.retrieval.fusion import Asked, Candidates, measure

WORDS = {"docker": 3, "helm": 9, "cluster": 20, "billing": 2, "user": 90}
ASKED = Asked({"docker": 1.0, "helm": 1.0, "cluster": 1.0}, TokenStatistics(100, WORDS), Embedding(0.25, 0.3))
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
    alone, together = measure(ASKED, found), measure(ASKED, found, beside((1, 2)))

    assert alone.relevance[2].total == 0
    assert together.nearest(2) == [1, 2]
    assert together.evidence[2].standing > 0.2
    assert together.evidence[2].mass == 0


def test_the_one_before_lends_more_than_the_one_after() -> None:
    found = Candidates({1: {"zebra"}, 2: {"docker", "helm"}, 3: {"zebra"}, **FAR})
    result = measure(ASKED, found, beside((2, 3)) | {1: Neighbours(after=2)})

    assert result.relevance[3].total > result.relevance[1].total > 0


def test_what_does_not_stand_out_lends_nothing() -> None:
    found = Candidates({1: {"docker", "helm"}, 2: {"user"}, 3: {"user"}, **FAR})

    assert measure(ASKED, found, beside((2, 3))).relevance == measure(ASKED, found).relevance


def test_where_nothing_is_near_nothing_stands_high() -> None:
    """The best of a bad lot is the best, and below the floor all the same."""
    asked = Asked({"quokka": 1.0, "user": 0.1}, TokenStatistics(100, {"quokka": 0, **WORDS}), Embedding())
    result = measure(asked, Candidates({1: {"user"}, 2: {"zebra"}}))

    assert result.nearest(1) == [1]
    assert result.relevance[1].total == 1
    assert result.evidence[1].standing == 0


@given(candidates, st.dictionaries(st.integers(1, 8), st.floats(-1, 1)), st.randoms(use_true_random=False))
def test_the_order_of_the_candidates_changes_no_figure(found, cosines, chance) -> None:
    neighbours = beside(*zip(sorted(found)[::2], sorted(found)[1::2], strict=False))
    shuffled = [chance.sample(list(each.items()), len(each)) for each in (found, cosines, neighbours)]
    one = measure(ASKED, Candidates(found, cosines), neighbours)
    other = measure(ASKED, Candidates(dict(shuffled[0]), dict(shuffled[1])), dict(shuffled[2]))

    assert one == other
    assert one.nearest(8) == other.nearest(8)


@given(candidates, st.dictionaries(st.text(max_size=9), st.floats(0, 2), max_size=9))
def test_no_word_breaks_a_measurement(found, weights: dict[str, float]) -> None:
    asked = Asked(weights, TokenStatistics(10, dict.fromkeys(weights, 1)), Embedding(1.0, 0.3))
    measured = measure(asked, Candidates({**found, 99: set(weights)}))

    assert all(0 <= each.total <= 1.000001 for each in measured.relevance.values())
    assert all(0 <= each.coverage <= 1.000001 for each in measured.evidence.values())
