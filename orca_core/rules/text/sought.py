"""What a search through messages looks for: every word of it, as it is written.

`docker` finds words that begin with it, `"docker"` that word alone, `"no space left"` these words behind each other.
Runs without blanks (数据库) are found wherever they stand. No sign has a meaning of its own but the quotation mark."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from msgspec import Struct

from orca_core.model.errors import InvalidInput
from orca_core.model.sessions import Phrase
from orca_core.rules.text.written import LONGEST_WORD, folded, is_of_word, pairs, pieces, places

MOST_CHARS = 500
"""It bounds what a search costs. Chosen by hand."""
MOST_PHRASES, MOST_WORDS = 12, 24
"""So many phrases, each of so many words, are looked up; whether the rest stands in a message is seen when it is read.
Chosen by hand."""
MOST_MARKS = 60
"""In one message, of all terms together, but two of each. Chosen by hand."""

_GIVEN = re.compile(r'"([^"]*)"|([^\s"]+)')
_BEFORE, _BEHIND = "([{<'", ",.;:!?…)]}>'、。"
"""What stands at a word in a sentence and is not meant: (docker), 部署。"""


class Term(Struct, frozen=True):
    """One thing that must stand in a message, folded; where it `is_whole` no word may go on behind it."""

    text: str
    is_whole: bool
    phrase: Phrase | None
    """What an index knows it by; None where it is nothing but signs."""

    def places(self, said: str, *, is_whole: bool = False) -> Iterator[tuple[int, int]]:
        """Where it stands in a folded text: where a word begins and, where that is wanted, one ends."""
        ends_word = (is_whole or self.is_whole) and is_of_word(self.text[-1])
        begins_word = is_of_word(self.text[0])
        for start, end in _literal_places(self.text, said):
            is_inside = begins_word and start > 0 and is_of_word(said[start - 1])
            goes_on = ends_word and end < len(said) and is_of_word(said[end])
            if not is_inside and not goes_on:
                yield start, end

    def is_in(self, said: str, *, is_whole: bool = False) -> bool:
        return next(self.places(said, is_whole=is_whole), None) is not None


class Sought(Struct, frozen=True):
    """All of it."""

    terms: tuple[Term, ...]

    @property
    def phrases(self) -> tuple[Phrase, ...]:
        """What an index is asked for: whatever holds the terms holds these."""
        return tuple(term.phrase for term in self.terms if term.phrase is not None)[:MOST_PHRASES]

    def judge(self, text: str) -> int | None:
        """How many of the terms stand in a message as whole words; None where one does not stand in it at all."""
        said = folded(text)
        if all(term.is_in(said) for term in self.terms):
            return sum(term.is_in(said, is_whole=True) for term in self.terms)
        return None

    def marks(self, text: str) -> list[list[tuple[int, int]]]:
        """Where in a text each of the terms stands, the first ones of each."""
        said, place_of = folded(text), places(text)
        most = max(2, MOST_MARKS // len(self.terms))
        found = (islice(term.places(said), most) for term in self.terms)
        return [[(place_of[start], place_of[end - 1] + 1) for start, end in of_term] for of_term in found]


def read_search(text: str) -> Sought:
    """What a person looks for. Raises InvalidInput where it is too long, or nothing that can be looked for."""
    if len(text) > MOST_CHARS:
        raise InvalidInput(
            template="a search has at most {most} characters, this one has {found}",
            hint="leave out what is not needed",
            most=MOST_CHARS,
            found=len(text),
        )
    terms = {(term.text, term.is_whole): term for term in _terms(folded(text))}
    sought = Sought(tuple(terms.values()))
    if not sought.phrases:
        raise InvalidInput(
            template="there is nothing to look for", hint="a word, a figure, or a sign such as ✓ finds it"
        )
    return sought


def _terms(text: str) -> Iterator[Term]:
    for given in _GIVEN.finditer(text):
        if given[1] is not None and not given[1].isspace() and given[1]:
            yield _term(" ".join(given[1].split()), is_quoted=True)
        elif given[2] is not None:
            word = given[2].lstrip(_BEFORE).rstrip(_BEHIND)
            if any(pieces(word)):
                yield _term(word, is_quoted=False)


def _term(text: str, *, is_quoted: bool) -> Term:
    return Term(text, is_quoted, _phrase(text, is_quoted=is_quoted))


def _literal_places(text: str, said: str) -> Iterator[tuple[int, int]]:
    """Where a text stands, with any blanks for its own; places may lie in each other."""
    if " " in text:
        with_blanks = re.compile(r"\s+".join(map(re.escape, text.split(" "))))
        found = with_blanks.search(said)
        while found:
            yield found.span()
            found = with_blanks.search(said, found.start() + 1)
        return
    start = said.find(text)
    while start >= 0:
        yield start, start + len(text)
        start = said.find(text, start + 1)


def _phrase(text: str, *, is_quoted: bool) -> Phrase | None:
    """The words that stand behind each other in whatever holds the term."""
    found: list[str] = []
    is_open = False
    for piece in pieces(text):
        is_last = piece.end() == len(text)
        if piece.lastgroup == "run":
            in_pairs = list(pairs(piece[0]))
            is_open = is_last and len(in_pairs) == 1
            # Behind its end a run may go on: its last character alone says nothing.
            found += in_pairs[:-1] if is_last and len(in_pairs) > 1 else in_pairs
        else:
            is_open = is_last and piece.lastgroup == "word" and not is_quoted
            found.append(piece[0][:LONGEST_WORD])
    if not found:
        return None
    return Phrase(tuple(found[:MOST_WORDS]), is_open and len(found) <= MOST_WORDS)
