"""Search messages by the words that stand in them: every word as it is written, in any width, case, script or accent.

`docker` finds words that begin with it, `"docker"` that word alone, `"no space left"` these words behind each other.
Runs without blanks (数据库) are found wherever they stand. Nothing is stemmed or added: `rules.text.search_terms` finds
what is meant, this what was said."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import islice

from msgspec import Struct

from orca_core.model.errors import InvalidInput
from orca_core.model.sessions import Phrase, Snippet
from orca_core.rules.text.cleaning import ELLIPSIS, for_terminal, is_inside_character
from orca_core.rules.text.search_terms import CJK
from orca_core.rules.text.spelling import simplified

LONGEST_WORD = 64
"""A longer one is found by so much of its beginning: what is longer is no word, but a key, a hash or a picture."""
RULE = "1"
"""Raised where other words would be made of the same text, also by another table of scripts (a test says when):
indexes that were made before are made anew."""

# Written without blanks: Thai, Lao, Burmese, Khmer beside Chinese, Japanese and Korean.
UNBLANKED = rf"{CJK}\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
_WORD = rf"[^\W_{UNBLANKED}]"  # of a word, which blanks and signs end, `_` among them
# They join the letter before them: accents, Japanese sound marks, vowels and finals of Korean.
_JOINED = re.compile(
    "[^\u0300-\u036f\u1160-\u11ff\u3099\u309a\uff9e\uff9f][\u0300-\u036f\u1160-\u11ff\u3099\u309a\uff9e\uff9f]+"
)
_ACCENTED = re.compile("[\u00c0-\u024f\u1e00-\u1eff]")
_PLAIN = re.compile(r"[\t\n\r -~]*")
_DROPPED = frozenset({"Cf", "Cc", "Cs"})
_BLANKS = "\t\n\r\v\f\x85"
_QUOTES = {"’": "'", "‘": "'", "“": '"', "”": '"'}


def written_words(text: str) -> Iterator[str]:
    """The words of a text in their order: a run without blanks in pairs, of which the last is a single character."""
    for piece in _piece_pattern().finditer(fold_for_search(text)):
        if piece.lastgroup == "run":
            yield from character_pairs(piece[0])
        else:
            yield piece[0][:LONGEST_WORD]


def character_pairs(run: str) -> Iterator[str]:
    """Every character of a run with the one behind it, the last one alone."""
    for place in range(len(run)):
        yield run[place : place + 2]


def search_pieces(text: str) -> Iterator[re.Match[str]]:
    """The runs, words and signs of a folded text; `lastgroup` says which."""
    return _piece_pattern().finditer(text)


def is_of_word(character: str) -> bool:
    """Tell whether a folded character belongs to a word, not to a run without blanks or to signs."""
    return _of_word_pattern().match(character) is not None


def fold_for_search(text: str) -> str:
    """A text as it is compared: in one width, case and script, without accents and what is not seen."""
    if _PLAIN.fullmatch(text):
        return text.lower()
    if _JOINED.search(text):
        text = _JOINED.sub(lambda found: unicodedata.normalize("NFKC", found[0]), text)
    return text.translate(_folds())


def folded_places(text: str) -> Sequence[int]:
    """Where in the text each character of the folded one stood."""
    folds = _folds()
    if not _JOINED.search(text) and all(len(folds[ord(character)]) == 1 for character in set(text)):
        return range(len(text))  # so it is with most texts
    found: list[int] = []
    end = 0
    for joined in _JOINED.finditer(text):
        found += _single_places(text, end, joined.start())
        found += [joined.start()] * len(fold_for_search(joined[0]))
        end = joined.end()
    return found + _single_places(text, end, len(text))


def folding_version() -> str:
    """Return what the words of a text depend on beside the text: an index that was made by something else is to be made
    anew."""
    return f"{RULE}-{unicodedata.unidata_version}"


def _single_places(text: str, start: int, end: int) -> list[int]:
    folds = _folds()
    return [place for place in range(start, end) for _ in folds[ord(text[place])]]


@cache
def _folds() -> Mapping[int, str]:
    return _Folds()


class _Folds(dict[int, str]):
    """What each character is folded to, found out when it is first met."""

    def __missing__(self, code: int) -> str:
        self[code] = made = "".join(map(_fold, unicodedata.normalize("NFKC", chr(code))))
        return made


def _fold(character: str) -> str:
    if unicodedata.category(character) in _DROPPED and character not in _BLANKS:
        return ""
    if "\u0300" <= character <= "\u036f" or "\ufe00" <= character <= "\ufe0f":
        return ""
    if _ACCENTED.match(character):
        character = unicodedata.normalize("NFKD", character)[0]
    return simplified(_QUOTES.get(character, character)).casefold()


@cache
def _of_word_pattern() -> re.Pattern[str]:
    return re.compile(_WORD)


@cache
def _piece_pattern() -> re.Pattern[str]:
    sign = r"[^\x00-\x7f\w\s\u2000-\u206f\u3000-\u303f]"
    return re.compile(rf"(?P<run>[{UNBLANKED}]+)|(?P<word>{_WORD}+)|(?P<sign>{sign})")


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


class SearchTerm(Struct, frozen=True):
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


class LiteralSearch(Struct, frozen=True):
    """All of it."""

    terms: tuple[SearchTerm, ...]

    @property
    def phrases(self) -> tuple[Phrase, ...]:
        """What an index is asked for: whatever holds the terms holds these."""
        return tuple(term.phrase for term in self.terms if term.phrase is not None)[:MOST_PHRASES]

    def judge(self, text: str) -> int | None:
        """Tell how many of the terms stand in a message as whole words; None where one does not stand in it at all."""
        said = fold_for_search(text)
        if all(term.is_in(said) for term in self.terms):
            return sum(term.is_in(said, is_whole=True) for term in self.terms)
        return None

    def marks(self, text: str) -> list[list[tuple[int, int]]]:
        """Where in a text each of the terms stands, the first ones of each."""
        said, place_of = fold_for_search(text), folded_places(text)
        most = max(2, MOST_MARKS // len(self.terms))
        found = (islice(term.places(said), most) for term in self.terms)
        return [[(place_of[start], place_of[end - 1] + 1) for start, end in of_term] for of_term in found]


def read_search(text: str) -> LiteralSearch:
    """Return what a person looks for. Raises InvalidInput where it is too long, or nothing that can be looked for."""
    if len(text) > MOST_CHARS:
        raise InvalidInput(
            template="a search has at most {most} characters, this one has {found}",
            hint="leave out what is not needed",
            most=MOST_CHARS,
            found=len(text),
        )
    terms = {(term.text, term.is_whole): term for term in _terms(fold_for_search(text))}
    sought = LiteralSearch(tuple(terms.values()))
    if not sought.phrases:
        raise InvalidInput(
            template="there is nothing to look for", hint="a word, a figure, or a sign such as ✓ finds it"
        )
    return sought


def _terms(text: str) -> Iterator[SearchTerm]:
    for given in _GIVEN.finditer(text):
        if given[1] is not None and not given[1].isspace() and given[1]:
            yield _term(" ".join(given[1].split()), is_quoted=True)
        elif given[2] is not None:
            word = given[2].lstrip(_BEFORE).rstrip(_BEHIND)
            if any(search_pieces(word)):
                yield _term(word, is_quoted=False)


def _term(text: str, *, is_quoted: bool) -> SearchTerm:
    return SearchTerm(text, is_quoted, _phrase(text, is_quoted=is_quoted))


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
    for piece in search_pieces(text):
        is_last = piece.end() == len(text)
        if piece.lastgroup == "run":
            in_pairs = list(character_pairs(piece[0]))
            is_open = is_last and len(in_pairs) == 1
            # Behind its end a run may go on: its last character alone says nothing.
            found += in_pairs[:-1] if is_last and len(in_pairs) > 1 else in_pairs
        else:
            is_open = is_last and piece.lastgroup == "word" and not is_quoted
            found.append(piece[0][:LONGEST_WORD])
    if not found:
        return None
    return Phrase(tuple(found[:MOST_WORDS]), is_open and len(found) <= MOST_WORDS)


SNIPPET_CHARS = 100
"""Chosen by hand."""
LEAD_CHARS = 24
"""So much of what stands before the first mark is shown. Chosen by hand."""
LONGEST_CHARACTER = 40
"""Of how many code points something may be that people see as one character. Chosen by hand."""
MOST_CLEANED = 400_000
"""So much of a message is looked through for a snippet. Chosen by hand."""

Mark = tuple[int, int]


def snippet_of(text: str, sought: LiteralSearch, width_chars: int = SNIPPET_CHARS) -> Snippet:
    """The place where most of the terms stand together, with the marks; nothing is cut inside a character."""
    line = " ".join(for_terminal(text[:MOST_CLEANED]).split())
    found = sought.marks(line)
    begin = _begin(found, width_chars - LEAD_CHARS)
    start = _outside(line, max(0, min(begin - LEAD_CHARS, len(line) - width_chars)), -1)
    end = _outside(line, min(len(line), start + width_chars), -1)
    if end <= start:
        end = min(len(line), start + width_chars)
    before, behind = (ELLIPSIS if start > 0 else ""), (ELLIPSIS if end < len(line) else "")
    shown = sorted((_outside(line, first, -1), _outside(line, last, 1)) for marks in found for first, last in marks)
    kept = _joined((max(first, start), min(last, end)) for first, last in shown if first < end and last > start)
    moved = len(before) - start
    return Snippet(before + line[start:end] + behind, tuple((first + moved, last + moved) for first, last in kept))


def _begin(found: Sequence[Sequence[Mark]], room: int) -> int:
    """The mark from which on most terms stand within the room; the first of such."""
    starts = sorted(first for marks in found for first, _last in marks)

    def held(start: int) -> int:
        return sum(any(start <= first and last <= start + room for first, last in marks) for marks in found)

    return max(starts, key=lambda start: (held(start), -start), default=0)


def _outside(line: str, place: int, step: int) -> int:
    """The next place that splits nothing that people see as one character; a longer one is split all the same."""
    for at in range(place, place + step * LONGEST_CHARACTER, step):
        if not is_inside_character(line, at):
            return at
    return place


def _joined(marks: Iterator[Mark]) -> list[Mark]:
    """Marks that touch or lie in each other, as one."""
    joined: list[Mark] = []
    for first, last in marks:
        if joined and first <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], last))
        else:
            joined.append((first, last))
    return joined


MAX_WORDS = 8

Pieces = tuple[str, ...]
"""What of a word must stand in a text, in this order."""


def wanted_pieces(typed: str) -> list[Pieces]:
    """Word by word; a short word, and one that is not plain ASCII, is one piece, of others each character is."""
    return [
        tuple(word) if word.isascii() and len(word) > 2 else (word,) for word in typed.casefold().split()[:MAX_WORDS]
    ]


def holds_pieces(folded: str, wanted: Sequence[Pieces]) -> bool:
    """Tell whether a text, which is casefolded, holds every word."""
    return all(_holds_in_order(folded, pieces) for pieces in wanted)


def _holds_in_order(folded: str, pieces: Pieces) -> bool:
    at = 0
    for piece in pieces:
        at = folded.find(piece, at)
        if at < 0:
            return False
        at += len(piece)
    return True
