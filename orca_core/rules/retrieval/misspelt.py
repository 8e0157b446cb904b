"""Which known words a question means by one that no memory holds: `typsecript` is typescript, `mongod` MongoDB."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from heapq import nsmallest

from orca_core.rules.retrieval.evidence import technical_stems
from orca_core.rules.text.search_terms import QueryTerms

TRIED = 8
"""So many unknown words of a question are compared with known ones. Chosen by hand."""
MOST_COMPARED = 24
"""With so many known words each is compared letter by letter, those with the likest letters. Chosen by hand."""
RARE = 5
"""A word in more memories than this is known, whatever their state; of a rarer one it is asked whether any lives.
Chosen by hand."""
MEANT_SHARE = 0.8
"""What is meant counts so much beside what was written, which is looked for, too. Chosen by hand."""

SHORTEST = 5
"""A shorter word is as near to many others as to its own. Chosen by hand."""
SHORTEST_BEGINNING = 6
"""`mongod` and `postgre` are begun names, `java` and `graph` words of their own. Chosen by hand."""
MOST_LEFT_OUT = 4
"""So many letters may be missing at its end. Chosen by hand."""
SHORTEST_FOR_TWO = 8
"""In a word of so many letters two slips are one name still. Chosen by hand."""
SHORTEST_PLAIN = 7
"""Everyday words are near to each other: one is taken for a slip only where it is this long. Chosen by hand."""
MOST_SLIPS = 2
MOST_MEANT = 2
"""Chosen by hand."""


def may_be_misspelt(token: str) -> bool:
    """Tell whether it is worth looking for what is meant: letters, enough of them."""
    return token.isascii() and token.isalpha() and len(token) >= SHORTEST


def to_try(unknown: Iterable[str], weights: Mapping[str, float]) -> list[str]:
    """The unknown words that tell most: what is asked before what is stated, no known names, long ones first."""
    known_names = technical_stems()
    return sorted(unknown, key=lambda each: (-weights.get(each, 0.0), each in known_names, -len(each), each))[:TRIED]


def beginnings(token: str) -> tuple[str, ...]:
    """The letters that what is meant begins with: the first two, in either order."""
    return tuple(dict.fromkeys((token[:2], token[1::-1])))


def lengths(token: str) -> range:
    """Tell how long what is meant may be."""
    return range(len(token) - 2, len(token) + MOST_LEFT_OUT + 1)


def by_beginning(vocabulary: Iterable[str]) -> dict[str, list[str]]:
    """Known words by their first two letters."""
    found: dict[str, list[str]] = {}
    for word in vocabulary:
        found.setdefault(word[:2], []).append(word)
    return found


def meant(token: str, vocabulary: Mapping[str, Sequence[str]], names: Collection[str]) -> tuple[str, ...]:
    """The words that are meant by a token, nearest first, of known ones by their beginnings; `names` are those of
    products and tools: a slip is likelier in one of them than from one everyday word to another."""
    near: list[tuple[int, str]] = []
    for word in _alike(token, vocabulary):
        distance = _distance(token, word, name=word in names)
        if distance is not None:
            near.append((distance, word))
    return tuple(word for _, word in sorted(near))


def _alike(token: str, vocabulary: Mapping[str, Sequence[str]]) -> list[str]:
    """The known words with its beginnings, a fitting length and nearly its letters; at most `MOST_COMPARED`."""
    letters, fitting = set(token), lengths(token)
    alike: list[tuple[int, str]] = []
    for beginning in beginnings(token):
        for word in vocabulary.get(beginning, ()):
            if len(word) in fitting and word != token and word.isalpha():
                other = len(letters.symmetric_difference(word))
                if other <= 2 * MOST_SLIPS or word.startswith(token):
                    alike.append((other, word))
    return [word for _, word in nsmallest(MOST_COMPARED, alike)]


def _distance(token: str, word: str, *, name: bool) -> int | None:
    """Tell how far the word is from the token; None where it is too far to be meant."""
    if word.startswith(token):
        is_begun = len(token) >= SHORTEST_BEGINNING and len(word) - len(token) <= MOST_LEFT_OUT
        return 1 if is_begun else None
    if min(len(token), len(word)) < (SHORTEST if name else SHORTEST_PLAIN):
        return None
    allowed = MOST_SLIPS if name and len(token) >= SHORTEST_FOR_TWO else 1
    distance = slips(token, word, allowed)
    return distance if distance <= allowed else None


def with_meant(terms: QueryTerms, meanings: Mapping[str, Sequence[str]]) -> QueryTerms:
    """The question, with what is meant beside what was written."""
    weights = dict(terms.weights)
    for token, meant_words in meanings.items():
        for word in meant_words[:MOST_MEANT]:
            weights[word] = max(weights.get(word, 0.0), MEANT_SHARE * terms.weights[token])
    return QueryTerms(tuple(weights), weights)


def slips(written: str, word: str, most: int) -> int:
    """Tell how many letters were left out, added, changed or swapped with their neighbour; `most` + 1 where it is
    more."""
    from rapidfuzz.distance import OSA  # only a word that no memory holds pays for it

    return OSA.distance(written, word, score_cutoff=most)
