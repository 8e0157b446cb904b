"""Which known words a question means by one that no memory holds: `typsecript` is typescript, `mongod` MongoDB."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from orca_core.rules.text.terms import QueryTerms

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
MOST_MEANT = 2
"""Chosen by hand."""


def may_be_misspelt(token: str) -> bool:
    """Whether it is worth looking for what is meant: letters, enough of them."""
    return token.isascii() and token.isalpha() and len(token) >= SHORTEST


def beginnings(token: str) -> tuple[str, ...]:
    """The letters that what is meant begins with: the first two, in either order."""
    return tuple(dict.fromkeys((token[:2], token[1::-1])))


def meant(token: str, vocabulary: Collection[str], names: Collection[str]) -> tuple[str, ...]:
    """The words of the vocabulary that are meant by a token, nearest first; `names` are those of products and tools:
    a slip is likelier in one of them than from one everyday word to another."""
    near: list[tuple[int, str]] = []
    for word in vocabulary:
        if not word.isalpha():
            continue
        distance = _distance(token, word, name=word in names)
        if distance is not None:
            near.append((distance, word))
    return tuple(word for _, word in sorted(near)[:MOST_MEANT])


def _distance(token: str, word: str, *, name: bool) -> int | None:
    """How far the word is from the token; None where it is too far to be meant."""
    if word.startswith(token):
        is_begun = len(token) >= SHORTEST_BEGINNING and len(word) - len(token) <= MOST_LEFT_OUT
        return 1 if is_begun else None
    if min(len(token), len(word)) < (SHORTEST if name else SHORTEST_PLAIN):
        return None
    allowed = 2 if name and len(token) >= SHORTEST_FOR_TWO else 1
    distance = slips(token, word, allowed)
    return distance if distance <= allowed else None


def with_meant(terms: QueryTerms, meanings: Mapping[str, Sequence[str]]) -> QueryTerms:
    """The question, with what is meant in the place of what no memory holds."""
    weights: dict[str, float] = {}
    for token, weight in terms.weights.items():
        for word in meanings.get(token) or (token,):
            weights[word] = max(weights.get(word, 0.0), weight)
    return QueryTerms(tuple(weights), weights)


def slips(written: str, word: str, most: int) -> int:
    """How many letters were left out, added, changed or swapped with their neighbour; `most` + 1 where it is more."""
    if abs(len(written) - len(word)) > most:
        return most + 1
    before, row = [0] * (len(word) + 1), list(range(len(word) + 1))
    for at, letter in enumerate(written, start=1):
        two_before, before, row = before, row, [at]
        for place, other in enumerate(word, start=1):
            best = min(before[place] + 1, row[-1] + 1, before[place - 1] + (letter != other))
            if at > 1 and place > 1 and letter == word[place - 2] and written[at - 2] == other:
                best = min(best, two_before[place - 2] + 1)
            row.append(best)
        if min(row) > most:
            return most + 1
    return min(row[-1], most + 1)
