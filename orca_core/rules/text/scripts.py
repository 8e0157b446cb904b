"""Texts in one script: the tables of words are written in simplified characters, people write in either."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from orca_core import words


def simplified(text: str) -> str:
    """The text in the characters of the tables, letter by letter: places in it stay the same."""
    if text.isascii() or _others().isdisjoint(text):  # of most texts this is found out in a tenth of the time
        return text
    return text.translate(_characters())


@cache
def _others() -> frozenset[str]:
    return frozenset(map(chr, _characters()))


@cache
def _characters() -> Mapping[int, str]:
    return {ord(pair[0]): pair[1] for pair in words.words("language.simplified")}
