"""Which of many patterns may fit in a text: a reader with many asks once, and searches only for those.

Each pattern is looked up by the literals of which a text must hold one for it to fit. Some of the patterns are a number
with a bit for each: the first has the lowest."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache, reduce
from itertools import chain
from operator import add, or_

from orca_core.domain.patterns import pattern_of
from orca_core.words import literals

LATIN_GRAM = 4
"""So many characters of a literal are looked up; of one that is not all ASCII, two."""
LONGEST_WORD = 24
"""A longer word is not remembered: no text has it often."""
MAX_PAIRS = 20_000
"""So many pairs of characters are remembered."""

_WORD = pattern_of(r"\w")
_LATIN_WORD = pattern_of("[\u3400-\u9fff]?[^\\W\u3400-\u9fff]+[\u3400-\u9fff]?")
"""With the Chinese beside it: no word begins or ends there."""


class _Pairs(dict[str, int]):
    """The patterns for two characters side by side, Chinese or signs: by both, or by the first of them. Which those are
    is remembered of pairs that were asked for."""

    def __init__(self) -> None:
        super().__init__()
        self._literals: dict[str, int] = {}

    def add(self, literal: str, pattern: int) -> None:
        self._literals[literal] = self._literals.get(literal, 0) | pattern

    def __missing__(self, pair: str) -> int:
        if len(self) >= MAX_PAIRS:
            self.clear()
        self[pair] = found = self._literals.get(pair[0], 0) | self._literals.get(pair, 0)
        return found


class Sieve:
    """Made of patterns."""

    def __init__(self, patterns: Iterable[str]) -> None:
        self._always = 0
        self._in_words: dict[str, int] = {}
        self._anywhere = _Pairs()
        for number, pattern in enumerate(patterns):
            needed = literals.needed(pattern)
            if needed is None:
                self._always |= 1 << number
            for literal in needed or ():
                self._add(literal, 1 << number)
        self._in_a_short_word = lru_cache(maxsize=8192)(self._in_a_word)

    def _add(self, literal: str, pattern: int) -> None:
        if literal.isascii() and _WORD.search(literal):
            literal = literal[:LATIN_GRAM]
            self._in_words[literal] = self._in_words.get(literal, 0) | pattern
            return
        bare = literal.strip()  # to look for the edges of Chinese words is not worth it
        self._anywhere.add(bare[:2] or literal[:1], pattern)

    def may_fit(self, text: str) -> int:
        """The patterns that may fit in the text: all others don't."""
        pairs = map(add, text, f"{text[1:]} ")  # all of it without a loop in Python: it is the inmost one
        found = reduce(or_, filter(None, map(self._anywhere.__getitem__, pairs)), self._always)
        for word in _LATIN_WORD.findall(text):
            found |= self._in_a_short_word(word) if len(word) <= LONGEST_WORD else self._in_a_word(word)
        return found

    def _in_a_word(self, word: str) -> int:
        edged = f" {word} "
        twos = list(map(add, edged, edged[1:]))
        threes = list(map(add, twos, edged[2:]))
        grams = chain(word, twos, threes, map(add, threes, edged[3:]))
        return reduce(or_, (self._in_words.get(each, 0) for each in set(grams)), 0)
