"""Words as they are written: what a message is found by where every word must stand in it.

Nothing is stemmed, left out or added: `rules.text.terms` finds what is meant, this what was said. What differs in
width, case, script, accents or invisible characters alone is the same."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from orca_core.rules.text.scripts import simplified
from orca_core.rules.text.terms import CJK

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
    for piece in _piece_pattern().finditer(folded(text)):
        if piece.lastgroup == "run":
            yield from pairs(piece[0])
        else:
            yield piece[0][:LONGEST_WORD]


def pairs(run: str) -> Iterator[str]:
    """Every character of a run with the one behind it, the last one alone."""
    for place in range(len(run)):
        yield run[place : place + 2]


def pieces(text: str) -> Iterator[re.Match[str]]:
    """The runs, words and signs of a folded text; `lastgroup` says which."""
    return _piece_pattern().finditer(text)


def is_of_word(character: str) -> bool:
    """Whether a folded character belongs to a word, not to a run without blanks or to signs."""
    return _of_word_pattern().match(character) is not None


def folded(text: str) -> str:
    """A text as it is compared: in one width, case and script, without accents and what is not seen."""
    if _PLAIN.fullmatch(text):
        return text.lower()
    if _JOINED.search(text):
        text = _JOINED.sub(lambda found: unicodedata.normalize("NFKC", found[0]), text)
    return text.translate(_folds())


def places(text: str) -> Sequence[int]:
    """Where in the text each character of the folded one stood."""
    folds = _folds()
    if not _JOINED.search(text) and all(len(folds[ord(character)]) == 1 for character in set(text)):
        return range(len(text))  # so it is with most texts
    found: list[int] = []
    end = 0
    for joined in _JOINED.finditer(text):
        found += _single_places(text, end, joined.start())
        found += [joined.start()] * len(folded(joined[0]))
        end = joined.end()
    return found + _single_places(text, end, len(text))


def made_by() -> str:
    """What the words of a text depend on beside the text: an index that was made by something else is to be made
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
