"""Concepts: "我用什么编辑器" and "uses neovim" share no word, but both speak of an editor.

Latin words count whole, Chinese ones anywhere; at each place the longest word that is known decides."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from orca_core import words
from orca_core.rules.text.spelling import simplified

_HAN = r"\u4e00-\u9fff"
_HAS_LATIN = re.compile(r"[A-Za-z]")
_VERSIONED = re.compile(r"([a-z]+)-?v?[0-9][0-9.]*")
_SENTENCE_START = re.compile(r"(?:^|[.!?。！？\n:：,，])[\s\"'“(（]*$")
_PORT = re.compile(r"(?:localhost|(?<![^\s(（,，、/@])):[0-9]{2,5}(?![0-9:])")
_BEFORE_ENGLISH = re.compile(r"\s+[a-z]")
_LONGEST_PHRASE_WORDS = 4  # a longer phrase of concepts.txt would not be found
# Stands between Latin words that something other than blanks keeps apart.
_BREAK = "\n"


def concepts_of(text: str) -> frozenset[str]:
    """The concepts that a text speaks of, by their categories ("database") or instances ("postgres")."""
    text = simplified(text)
    found: set[str] = set()
    lexicon = _lexicon()
    latin: list[str] = []
    end = 0
    for run in _run_pattern().finditer(text):
        if run.lastgroup == "han":
            found.update(_han_concepts(run[0], lexicon))
            latin.append(_BREAK)
        else:
            if text[end : run.start()].strip(" "):
                latin.append(_BREAK)
            latin.extend(_latin_words(run[0], lexicon))
            concept = _cased_concept(text, run)
            if concept is not None:
                found.add(concept)
        end = run.end()
    found.update(_latin_concepts(latin, lexicon))
    if _PORT.search(text):
        found.add("port")
    if _has_han_pattern().search(text):
        found.update(_mixed_concepts(text))
    return frozenset(found)


def _han_concepts(run: str, lexicon: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    start = 0
    longest = _longest_han_word()
    while start < len(run):
        for end in range(min(start + longest, len(run)), start, -1):
            concepts = lexicon.get(run[start:end])
            if concepts is not None:
                yield from concepts
                start = end
                break
        else:
            start += 1


def _latin_concepts(run: list[str], lexicon: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    start = 0
    first_words = _first_words()
    while start < len(run):
        longest = _LONGEST_PHRASE_WORDS if run[start] in first_words else 1
        for end in range(min(start + longest, len(run)), start, -1):
            concepts = lexicon.get(" ".join(run[start:end]))
            if concepts is not None:
                yield from concepts
                start = end
                break
        else:
            start += 1


def _latin_words(run: str, lexicon: Mapping[str, tuple[str, ...]]) -> list[str]:
    """The words of a run of Latin characters: `postgres/mysql` are two, `python3.11` is `python`, a path is none."""
    lowered = run.replace("’", "'").rstrip(".'/\\-").lower()
    if lowered in lexicon or lowered in _first_words():
        return [lowered]
    if lowered.count("/") > 1 or "\\" in lowered or "_" in lowered:
        return [_BREAK]
    return [_known_form(word, lexicon) for word in lowered.replace("/", f"/{_BREAK}/").split("/")]


def _known_form(word: str, lexicon: Mapping[str, tuple[str, ...]]) -> str:
    """A word as the lexicon spells it: without the possessive, the plural or the version."""
    bare = word.removesuffix("'s")
    if bare not in lexicon:
        if bare.removesuffix("s") in lexicon:
            return bare.removesuffix("s")
        versioned = _VERSIONED.fullmatch(bare)
        if versioned is not None and versioned[1] in lexicon:
            return versioned[1]
    return bare


def _cased_concept(text: str, run: re.Match[str]) -> str | None:
    """The concept of a name that is an everyday word when written small: it counts as it is written, and amid Chinese
    in any case."""
    name = run[0].rstrip(".'’/-")
    cased = _cased_names()
    concept = cased.get(name)
    if concept is not None:
        starts_sentence = _SENTENCE_START.search(text, max(0, run.start() - 10), run.start()) is not None
        return None if starts_sentence and _BEFORE_ENGLISH.match(text, run.end()) else concept
    concept = cased.get(name.capitalize())
    if concept is None:
        return None
    before = text[max(0, run.start() - 3) : run.start()].rstrip()[-1:]
    after = text[run.end() : run.end() + 3].lstrip()[:1]
    amid_chinese = all(not side or _has_han_pattern().match(side) or side in "，。？！、" for side in (before, after))
    return concept if amid_chinese and (before or after) else None


def _mixed_concepts(text: str) -> Iterator[str]:
    for match in _mixed_words().finditer(text):
        yield from _lexicon()[match[0].lower()]


@cache
def _lexicon() -> dict[str, tuple[str, ...]]:
    """Every word and phrase, with blanks for `_`, and its concepts: none for a word that is passed over."""
    concepts: dict[str, tuple[str, ...]] = dict.fromkeys(_phrases(words.words("concepts.passed_over")), ())
    for concept, written in words.keyed("concepts.words").items():
        for word in _phrases(" ".join(written).split()):
            concepts[word] = (*concepts.get(word, ()), concept)
    return concepts


@cache
def _cased_names() -> Mapping[str, str]:
    """Names that are everyday words when written small, and the concept of each."""
    return {
        name: concept for concept, names in words.keyed("concepts.cased").items() for name in " ".join(names).split()
    }


@cache
def _first_words() -> frozenset[str]:
    return frozenset(phrase.split(" ")[0] for phrase in _lexicon() if " " in phrase)


@cache
def _longest_han_word() -> int:
    return max(len(word) for word in _lexicon() if _has_han_pattern().match(word))


@cache
def _mixed_words() -> re.Pattern[str]:
    mixed = sorted(word for word in _lexicon() if _has_han_pattern().search(word) and _HAS_LATIN.search(word))
    return re.compile(rf"(?<![A-Za-z0-9])(?:{'|'.join(map(re.escape, mixed))})", re.IGNORECASE)


def _phrases(written: Iterable[str]) -> Iterable[str]:
    return (word.replace("_", " ").lower() for word in written)


@cache
def _run_pattern() -> re.Pattern[str]:
    return re.compile(rf"(?P<han>[{_HAN}]+)|(?P<latin>\.?[A-Za-z0-9][A-Za-z0-9_+#.'’/\\-]*)")


@cache
def _has_han_pattern() -> re.Pattern[str]:
    return re.compile(rf"[{_HAN}]")
