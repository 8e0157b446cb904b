"""What a search through messages looks for: every word of it, as it is written.

`docker` finds words that begin with it, `"docker"` that word alone, `"no space left"` these words behind each other.
Runs without blanks (数据库) are found wherever they stand. No sign has a meaning of its own but the quotation mark."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from orca_core.domain.errors import InvalidInput
from orca_core.domain.stores.messages import Phrase
from orca_core.rules.text.written import LONGEST_WORD, WORD, folded, pairs, pieces, places

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
_WORD_AT_START, _WORD_AT_END = re.compile(WORD), re.compile(rf"{WORD}\Z")


@dataclass(frozen=True, slots=True)
class Term:
    """One thing that must stand in a message, folded."""

    text: str
    anywhere: re.Pattern[str]
    """Where it stands, with whatever behind its last word where it was not in quotation marks."""
    whole: re.Pattern[str]
    """Where it stands as whole words."""
    phrase: Phrase | None
    """What an index knows it by; None where it is nothing but signs."""


@dataclass(frozen=True, slots=True)
class Sought:
    """All of it."""

    terms: tuple[Term, ...]

    @property
    def phrases(self) -> tuple[Phrase, ...]:
        """What an index is asked for: whatever holds the terms holds these."""
        return tuple(term.phrase for term in self.terms if term.phrase is not None)[:MOST_PHRASES]

    def judge(self, text: str) -> int | None:
        """How many of the terms stand in a message as whole words; None where one does not stand in it at all."""
        said = folded(text)
        if all(term.anywhere.search(said) for term in self.terms):
            return sum(term.whole.search(said) is not None for term in self.terms)
        return None

    def marks(self, text: str) -> list[list[tuple[int, int]]]:
        """Where in a text each of the terms stands, the first ones of each."""
        said, place_of = folded(text), places(text)
        most = max(2, MOST_MARKS // len(self.terms))
        return [
            [
                (place_of[found.start()], place_of[found.end() - 1] + 1)
                for found in islice(term.anywhere.finditer(said), most)
            ]
            for term in self.terms
        ]


def read_search(text: str) -> Sought:
    """What a person looks for. Raises InvalidInput where it is too long, or nothing that can be looked for."""
    if len(text) > MOST_CHARS:
        raise InvalidInput(
            template="a search has at most {most} characters, this one has {found}",
            hint="leave out what is not needed",
            most=MOST_CHARS,
            found=len(text),
        )
    terms = {(term.text, term.whole.pattern, term.anywhere.pattern): term for term in _terms(folded(text))}
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
    body = r"\s+".join(map(re.escape, text.split(" ")))
    start = rf"(?<!{WORD})" if _WORD_AT_START.match(text) else ""
    end = rf"(?!{WORD})" if _WORD_AT_END.search(text) else ""
    whole = re.compile(start + body + end)
    return Term(text, whole if is_quoted else re.compile(start + body), whole, _phrase(text, is_quoted=is_quoted))


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
