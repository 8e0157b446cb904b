"""Latin words, names and identifiers as search tokens: kept whole, and split into what they are made of."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from orca_core import words

if TYPE_CHECKING:
    from snowballstemmer.english_stemmer import EnglishStemmer

_ALPHANUMERIC = re.compile(r"[A-Za-z]+|[0-9]+")
_HUMP = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_VERSION = re.compile(r"v?([0-9]+(?:\.[0-9]+)+)")
_SEPARATORS = re.compile(r"[^A-Za-z0-9_+#]+")
_PATH_SEPARATORS = re.compile(r"[/\\:@]+")
# They bound what a key or an encoded blob adds to the index. Chosen by hand.
_LONGEST_TOKEN = 64
_LONGEST_STEMMED_WORD = 40


@lru_cache(maxsize=20_000)
def identifier_tokens(identifier: str) -> tuple[str, ...]:
    """The tokens of a run of ASCII letters, digits and the marks that join them: `src/getUser.ts`, `C++`, `v3.11`."""
    if identifier.isalpha() and (identifier.islower() or identifier.istitle() or len(identifier) < 3):
        return _word_tokens(identifier.lower())
    version = _VERSION.fullmatch(identifier)
    if version is not None:
        return _version_tokens(version[1])
    tokens: list[str] = []
    segments = [segment for segment in _PATH_SEPARATORS.split(identifier) if segment]
    if len(segments) > 1:
        tokens.append(_whole(identifier))
    for segment in segments:
        tokens.extend(_segment_tokens(segment))
    return tuple(dict.fromkeys(token for token in tokens if token and len(token) <= _LONGEST_TOKEN))


def _segment_tokens(segment: str) -> list[str]:
    whole = _whole(segment)
    parts = [part for part in _SEPARATORS.sub("_", segment).replace("+", "").replace("#", "").split("_") if part]
    if len(parts) == 1 and parts[0].lower() == whole:
        return _part_tokens(parts[0])
    tokens = [whole, *(stem(name) for name in _with_alias(whole)[1:])]
    # C++ and C# are not the letter C.
    if len(parts) == 1 and len(parts[0]) == 1:
        return tokens
    for part in parts:
        tokens.extend(_part_tokens(part))
    return tokens


def _part_tokens(part: str) -> list[str]:
    """A word without separators: whole, then its humps and its letters apart from its digits."""
    lowered = part.lower()
    tokens = list(_word_tokens(lowered))
    if lowered in words.word_set("search.with_humps"):
        return tokens
    for letters_or_digits in _ALPHANUMERIC.findall(part):
        humps = [letters_or_digits] if letters_or_digits.isdigit() else _HUMP.findall(letters_or_digits)
        if humps != [part]:
            for hump in humps:
                if len(hump) > 1:
                    tokens.extend(_word_tokens(hump.lower()))
    return tokens


def _version_tokens(version: str) -> tuple[str, ...]:
    """`3.11.4` is found by `3.11` too, but not by a bare 3 or 11."""
    numbers = version.split(".")
    return tuple("_".join(numbers[:count]) for count in range(len(numbers), 1, -1))


def _whole(identifier: str) -> str:
    spelled = identifier.replace("+", "_plus").replace("#", "_sharp")
    if spelled.startswith("."):
        spelled = f"dot_{spelled[1:]}"
    return _SEPARATORS.sub("_", spelled).strip("_").lower()


def _word_tokens(lowered: str) -> tuple[str, ...]:
    return tuple(stem(token) for token in _with_alias(lowered))


def _with_alias(lowered: str) -> tuple[str, ...]:
    alias = _aliases().get(lowered)
    return (lowered,) if alias is None else (lowered, alias)


@cache
def _aliases() -> Mapping[str, str]:
    return dict(words.spellings("search.aliases"))


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """The stem of a lower-case English word; anything else as it is."""
    if len(word) < 3 or len(word) > _LONGEST_STEMMED_WORD or not (word.isascii() and word.isalpha()):
        return word
    return str(_english_stemmer().stemWord(word))


@cache
def _english_stemmer() -> EnglishStemmer:
    # Costs 14 ms, and most commands never search.
    from snowballstemmer.english_stemmer import EnglishStemmer

    return EnglishStemmer()
