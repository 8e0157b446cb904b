"""Which addresses a text names: links, hosts, mail addresses and paths. One is the same only where it is typed whole:
no word of it says where it leads."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection

_LETTER = r"[^\W\u3400-\u9fff\uf900-\ufaff]"  # no Han: nothing parts the words of "博客是b.example.org"
_REST = r"[^\s\ufffc\u3000-\u9fff\uf900-\uffef<>\"'“”‘’`)\]}|,;]"
_BEFORE = rf"(?<!{_LETTER})(?<![.@/:~\\-])"
_ADDRESS = re.compile(
    rf"{_BEFORE}[A-Za-z][A-Za-z0-9+.-]{{1,12}}://{_REST}+"
    rf"|{_BEFORE}(?:{_LETTER}|[.+-]){{1,64}}@(?:{_LETTER}|[.-]){{1,64}}"
    rf"|{_BEFORE}(?:(?:{_LETTER}|-){{1,63}}\.){{1,8}}(?:[a-z]{{2,24}}|[A-Z]{{2,24}})(?!{_LETTER})(?::\d+)?(?:/{_REST}*)?"
    rf"|{_BEFORE}(?:~|\.{{1,2}})?/(?:{_LETTER}|[.-])+/{_REST}+|{_BEFORE}~/{_REST}+"
    rf"|{_BEFORE}[A-Za-z]:\\{_REST}+"
    rf"|{_BEFORE}(?:{_LETTER}|-){{1,63}}(?:/(?:{_LETTER}|-){{1,63}}){{0,12}}/(?:{_LETTER}|-){{1,63}}\.[a-z]{{1,5}}(?![:/-]|\.?{_LETTER})"
)
_PATH = re.compile(r"(?:[~.]*/|[a-z]:\\|[^./@:]+/)(?:.*[/\\])?(?P<file>[^/\\]+)")
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*://(?:www\.(?=.+\.))?|www\.(?=.+\.)")
_PROGRAM = re.compile(r"[^/@]+\.js")
"""A name as "Node.js", which is typed "node": no host ends so."""


def addresses_in(text: str) -> frozenset[str]:
    """The addresses of a text in small letters, without their scheme; of a path the file that it ends in, too."""
    found = (match[0].casefold() for match in _ADDRESS.finditer(unicodedata.normalize("NFKC", text)))
    bare = [_SCHEME.sub("", each, count=1).rstrip(".:!?/\\") for each in found]
    named = [name for each in bare for name in (each, *_file_of(each))]
    return frozenset(each for each in named if each and not _PROGRAM.fullmatch(each))


def _file_of(address: str) -> list[str]:
    match = _PATH.fullmatch(address)
    return [match["file"]] if match and "." in match["file"] else []


def is_among(address: str, typed: Collection[str]) -> bool:
    """Whether an address is one of the typed ones, or such a one goes on from it."""
    return any(each == address or each.startswith(tuple(address + sign for sign in "/?#:\\")) for each in typed)
