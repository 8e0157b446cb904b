"""Whether a text is technical, by rules: the signs that make it so, as people are shown them.

Most technical words are everyday words too, so a word counts by itself, only beside certain others, or in pairs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from orca_core import words
from orca_core.rules.text.cleaning import one_line
from orca_core.rules.text.scripts import simplified

MAX_SIGNS = 5
MAX_SIGN_CHARS = 24
"""They bound a line of a receipt. Chosen by hand."""
EDGE_CHARS = 10_000
"""Of a long text only its beginning and its end are read: a question stands at one of them. It bounds the time."""

_Sign = tuple[int, str]
"""Where a sign stands in the text, and the sign."""

_LATIN_WORD = re.compile(r"(?<![A-Za-z0-9_])[A-Za-z][A-Za-z0-9]*(?:[-.][A-Za-z0-9]+)*(?![A-Za-z0-9_]|://)")
# One everyday word proves nothing. benchmarks/recall_on_technical_turns.py shows how many turns are seen as technical.
_LEANING_TOGETHER = 2


def technical_signs(text: str, extra: Sequence[str] = ()) -> tuple[str, ...]:
    """The signs that make a text technical, in the order found, at most `MAX_SIGNS`. A text without any is not
    technical."""
    written = _edges(text)
    signs: dict[str, str] = {}
    for start, sign in sorted(_signs(simplified(written), [simplified(each) for each in extra])):
        as_written = sign if sign.isascii() else written[start : start + len(sign)]
        shown = one_line(as_written.strip(), MAX_SIGN_CHARS)
        if shown:
            signs.setdefault(shown.lower(), shown)
        if len(signs) == MAX_SIGNS:
            break
    return tuple(signs.values())


def _edges(text: str) -> str:
    if len(text) <= 2 * EDGE_CHARS:
        return text
    return f"{text[:EDGE_CHARS]}\n{text[-EDGE_CHARS:]}"


def _signs(text: str, extra: Sequence[str]) -> Iterator[_Sign]:
    yield from _configured(text, extra)
    yield from _first_of_each(words.patterns("technical.shapes", flags=re.MULTILINE | re.ASCII), text)
    yield from _first_of_each(words.patterns("technical.names_in_use", flags=re.ASCII), text)
    yield from _words(text)


def _first_of_each(patterns: Iterable[re.Pattern[str]], text: str) -> Iterator[_Sign]:
    for pattern in patterns:
        if match := pattern.search(text):
            yield match.start(), match[0]


def _configured(text: str, keywords: Sequence[str]) -> Iterator[_Sign]:
    """Words of the configuration: Latin ones as whole words, others anywhere."""
    for keyword in filter(None, (each.strip() for each in keywords)):
        before = r"(?<![A-Za-z0-9_])" if keyword[0].isascii() and keyword[0].isalnum() else ""
        behind = r"(?![A-Za-z0-9_])" if keyword[-1].isascii() and keyword[-1].isalnum() else ""
        if match := re.search(f"{before}{re.escape(keyword)}{behind}", text, re.IGNORECASE):
            yield match.start(), keyword


def _words(text: str) -> Iterator[_Sign]:
    """Words that are technical by themselves, then those that only are in company."""
    lowered = text.lower()
    technical, leaning_words, names = _whole_words()
    leaning: dict[str, _Sign] = {}
    for match in _LATIN_WORD.finditer(text):
        word = match[0].lower()
        singular = word.removesuffix("s")
        if word in technical or singular in technical or _is_technical_here(word, lowered):
            yield match.start(), match[0]
        elif singular in leaning_words or match[0] in names:
            leaning.setdefault(singular, (match.start(), match[0]))
    for phrase in words.lines("technical.phrases"):
        if (position := lowered.find(phrase)) >= 0:
            yield position, phrase
    yield from _in_runs(text, "technical.words")
    leaning.update((sign, (position, sign)) for position, sign in _in_runs(text, "technical.leaning"))
    if len(leaning) >= _LEANING_TOGETHER:
        yield from leaning.values()


@cache
def _whole_words() -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """For languages with whole words: words that are technical by themselves, those that are so in company, names."""
    where = words.of_whole_words()
    names = words.word_set("technical.names") | words.word_set("technical.short_names")
    return words.word_set("technical.words", *where), words.word_set("technical.leaning", *where), names


def _in_runs(text: str, table: str) -> Iterator[_Sign]:
    """For languages without blanks between words: the words of a table that stand anywhere in the text."""
    if text.isascii():
        return
    for misreading in words.words("technical.misreadings"):
        text = text.replace(misreading, " " * len(misreading))
    for word in words.words(table, *words.of_runs()):
        if (position := text.find(word)) >= 0:
            yield position, word


def _is_technical_here(word: str, lowered: str) -> bool:
    otherwise = _otherwise()
    other_things = otherwise.get(word) or otherwise.get(word.removesuffix("s"))
    return other_things is not None and not other_things.search(lowered)


@cache
def _otherwise() -> Mapping[str, re.Pattern[str]]:
    """Technical words with another meaning, each with a pattern of what a text with that meaning speaks of."""
    of_words = words.keyed("technical.otherwise", *words.of_whole_words())
    of_runs = words.keyed("technical.otherwise", *words.of_runs())
    return {word: _speaks_of(things, of_runs.get(word, ())) for word, things in of_words.items()}


def _speaks_of(whole: Iterable[str], in_runs: Iterable[str]) -> re.Pattern[str]:
    whole_words = "|".join(" ".join(whole).split())
    return re.compile("|".join([rf"\b(?:{whole_words})s?\b", *" ".join(in_runs).split()]), re.ASCII)
