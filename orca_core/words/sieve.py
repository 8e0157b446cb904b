"""Which of many patterns may fit in a text: a reader with many asks once, and searches only for those.

Each pattern is looked up by the literals of which a text must hold one for it to fit."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import chain
from operator import add

from orca_core.words import literals

LATIN_GRAM = 4
HAN_GRAM = 2
"""So many characters of a literal are looked up, and so many of one that is not all ASCII."""
LONGEST_WORD = 24
"""A longer word is not remembered: no text has it often."""

_WORD = re.compile(r"\w+")
_LATIN = re.compile("[a-z]")


class Sieve:
    """Made of patterns, each with a name; patterns with one name are alternatives."""

    def __init__(self, patterns: Iterable[tuple[str, str]]) -> None:
        self._always: frozenset[str] = frozenset()
        self._by_literal: dict[str, frozenset[str]] = {}
        for name, pattern in patterns:
            needed = literals.needed(pattern)
            if needed is None:
                self._always |= {name}
            for literal in needed or ():
                key = literal[: LATIN_GRAM if literal.isascii() else HAN_GRAM]
                self._by_literal[key] = self._by_literal.get(key, frozenset()) | {name}
        self._literals = frozenset(self._by_literal)
        self._signs = frozenset(each for each in self._literals if not _WORD.search(each))
        self._in_a_short_word = lru_cache(maxsize=8192)(self._in_a_word)

    def may_fit(self, text: str) -> frozenset[str]:
        """The names of the patterns that may fit in the text: all others don't."""
        found = [self._by_literal[each] for each in self._signs.intersection(text)]
        for word in _WORD.findall(text):
            if word.isascii() and len(word) <= LONGEST_WORD:
                found.append(self._in_a_short_word(word))
            else:
                found += self._each_in_a_word(word)
        return self._always.union(*found)

    def _in_a_word(self, word: str) -> frozenset[str]:
        return frozenset().union(*self._each_in_a_word(word))

    def _each_in_a_word(self, word: str) -> list[frozenset[str]]:
        edged = f" {word} "
        twos = list(map(add, edged, edged[1:]))
        grams = chain(word, twos)
        if _LATIN.search(word):
            threes = list(map(add, twos, edged[2:]))
            grams = chain(grams, threes, map(add, threes, edged[3:]))
        return [self._by_literal[each] for each in self._literals.intersection(grams)]
