""""""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_core.rules.retrieval import misspelt
from orca_core.rules.retrieval.misspelt import (
    MOST_COMPARED,
    TRIED,
    beginnings,
    by_beginning,
    may_be_misspelt,
    meant,
    slips,
    to_try,
    with_meant,
)
from orca_core.rules.text.search_terms import QueryTerms

NAMES = {
    "typescript",
    "mongodb",
    "postgresql",
    "kubernet",
    "java",
    "graphql",
    "docker",
    "ansibl",
    "redis",
    "javascript",
}
VOCABULARY = [*sorted(NAMES), "house", "because", "breakfast", "5433", "c_plus_plus"]


@pytest.mark.parametrize(
    ("written", "is_meant"),
    [
        ("typsecript", ("typescript",)),
        ("typescrip", ("typescript",)),
        ("postgre", ("postgresql",)),
        ("kuberent", ("kubernet",)),
        ("dokcer", ("docker",)),
        ("redsi", ("redis",)),
        ("becuase", ("because",)),
        ("graph", ()),
        ("horse", ()),
        ("mouse", ()),
        ("doctor", ()),
        ("reddish", ()),
    ],
)
def test_what_is_meant(written: str, is_meant: tuple[str, ...]) -> None:
    assert meant(written, by_beginning(VOCABULARY), NAMES) == is_meant


@pytest.mark.parametrize("token", ["", "c", "java", "数据库", "d_9_4", "k_database", "v2beta", "café"])
def test_what_is_not_looked_for(token: str) -> None:
    assert not may_be_misspelt(token)


words = st.text("abcde", min_size=1, max_size=9)


@given(words, words, st.integers(0, 3))
def test_slips_are_the_same_either_way_and_bounded(one: str, other: str, most: int) -> None:
    assert slips(one, other, most) == slips(other, one, most) <= most + 1
    assert (slips(one, other, most) == 0) == (one == other)


@given(words, st.integers(0, 8), st.sampled_from("xyz"))
def test_one_slip_is_one(word: str, at: int, letter: str) -> None:
    place = at % len(word)
    assert slips(word[:place] + letter + word[place:], word, 2) == 1
    assert slips(word[:place] + letter + word[place + 1 :], word, 2) == 1


@given(st.text("abcdefgh", min_size=5, max_size=12), st.integers(1, 10))
def test_a_swap_is_found_wherever_it_is(word: str, at: int) -> None:
    place = at % (len(word) - 1)
    swapped = word[:place] + word[place + 1] + word[place] + word[place + 2 :]
    assert word.startswith(beginnings(swapped)) or place == 1
    assert slips(swapped, word, 1) <= 1


def test_a_long_text_of_unknown_words_is_compared_with_few(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[tuple[str, str]] = []

    def counted(written: str, word: str, most: int) -> int:
        compared.append((written, word))
        return slips(written, word, most)

    monkeypatch.setattr(misspelt, "slips", counted)
    letters = [first + second + third for first in "abcdef" for second in "ghijkl" for third in "mnopqr"]
    vocabulary = by_beginning(f"re{each}{other}" for each in letters for other in letters[:20])
    unknown = [f"er{each}mnop" for each in letters]

    tried = to_try(unknown, dict.fromkeys(unknown, 1.0))
    for token in tried:
        meant(token, vocabulary, NAMES)

    assert 0 < len(compared) <= TRIED * MOST_COMPARED
    assert {written for written, _ in compared} <= set(tried)


def test_what_is_written_is_looked_for_beside_what_is_meant() -> None:
    terms = with_meant(QueryTerms(("clutter", "desk"), {"clutter": 1.0, "desk": 0.5}), {"clutter": ["cluster", "desk"]})

    assert terms.weights["clutter"] == 1.0 > terms.weights["cluster"] > 0.5
    assert terms.weights["desk"] == 0.8
