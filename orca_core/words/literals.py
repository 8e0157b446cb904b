"""What a text must hold for a pattern to fit in it, read off the pattern. What can't be told is left open.

Knows the syntax of `re` and nothing of tables."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import product

from orca_core.domain.dataclass import dataclass
from orca_core.domain.patterns import pattern_of

ENOUGH = 4
"""Characters of a literal: longer ones leave hardly fewer patterns to be searched."""
MAX_CHOICES = 400
"""More ways to write a part are not spelt out."""

_EDGE = "\b"
"""A word boundary in a literal, until it is known what stands beside it."""
_NEVER = "(?!)"
"""A pattern that nothing fits."""
_AHEAD = "(?="
_ZERO_WIDTH = pattern_of(r"\(\?(?:!|<[=!])")
_PLAIN = pattern_of(r"[^\\()\[\].^$|*+?{]+(?![*+?{])")
"""Characters that stand for themselves, each of them once."""
_GROUP = pattern_of(r"\((?:\?:|\?P<\w+>|(?!\?))")
_REPEAT = pattern_of(r"(?:[*+?]|\{(\d*)(?:,\d*)?\})[?+]?")
_ESCAPE = pattern_of(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(\W))")
_BLANKS = {"t": "\t", "n": "\n"}
_NO_WORD = pattern_of(r"\W")
_WORD = pattern_of(r"\w+")


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a pattern. `spelt` are all texts that it fits, `needed` are literals of which a text that it fits holds
    one; None where that can't be told. What only stands behind a part is needed, and not spelt."""

    spelt: frozenset[str] | None
    needed: frozenset[str] | None


_ANYTHING = _Part(None, None)
_NOTHING = _Part(frozenset({""}), None)


class _NotReadableError(Exception):
    """A pattern has something that this reader doesn't know."""


def needed(pattern: str) -> frozenset[str] | None:
    """Of these a text holds at least one where the pattern, its case kept, fits anywhere in it; None where nothing can
    be said. Each is a sign, or a part of a word: with a blank where the word begins or ends."""
    try:
        whole, end = _alternatives(pattern, 0)
    except _NotReadableError:
        return None
    return _least(whole) if end == len(pattern) else None


def _alternatives(pattern: str, at: int) -> tuple[_Part, int]:
    """Reads up to the bracket that closes, or the end."""
    parts = []
    while True:
        part, at = _sequence(pattern, at)
        parts.append(part)
        if at == len(pattern) or pattern[at] == ")":
            return _either(parts), at
        at += 1


def _either(parts: list[_Part]) -> _Part:
    spelt = _union(part.spelt for part in parts)
    if spelt is not None and len(spelt) <= MAX_CHOICES:
        return _Part(spelt, None)
    return _Part(None, _union(map(_least, parts)))


def _union(each: Iterable[frozenset[str] | None]) -> frozenset[str] | None:
    found: set[str] = set()
    for some in each:
        if some is None:
            return None
        found |= some
    return frozenset(found)


def _sequence(pattern: str, at: int) -> tuple[_Part, int]:
    spelt: frozenset[str] | None = _NOTHING.spelt
    is_whole = True
    candidates: list[frozenset[str] | None] = []
    while at < len(pattern) and pattern[at] not in "|)":
        if pattern.startswith(_AHEAD, at):
            part, at = _alternatives(pattern, at + len(_AHEAD))
            candidates.append(_least(part))
            at += 1
            continue
        part, at = _repeated(pattern, *_atom(pattern, at))
        longer = _joined(spelt, part.spelt)
        if longer is None:
            is_whole = False
            candidates += [_as_literals(spelt), _least(part)]
            longer = part.spelt or _NOTHING.spelt
        spelt = longer
    if is_whole and not candidates:
        return _Part(spelt, None), at
    known = [each for each in (_as_literals(spelt), *candidates) if each is not None]
    needed = max(known, key=_weight, default=None)
    return _Part(spelt if is_whole and needed == _as_literals(spelt) else None, needed), at


def _weight(literals: frozenset[str]) -> tuple[int, int]:
    """How few texts have one of the literals."""
    return min([ENOUGH, *map(len, literals)]), -len(literals)


def _repeated(pattern: str, part: _Part, at: int) -> tuple[_Part, int]:
    repeat = _REPEAT.match(pattern, at)
    if repeat is None:
        return part, at
    if repeat[0][0] == "?":
        part = _Part(None if part.spelt is None else part.spelt | {""}, None)
    elif repeat[0][0] == "+" or int(repeat[1] or 0):
        part = _Part(None, _least(part))
    else:
        part = _ANYTHING
    return part, repeat.end()


def _atom(pattern: str, at: int) -> tuple[_Part, int]:
    if pattern.startswith(_NEVER, at):
        return _Part(frozenset(), None), at + len(_NEVER)
    if _ZERO_WIDTH.match(pattern, at):
        return _NOTHING, _closed(pattern, at)
    if pattern.startswith("(?P=", at):
        return _ANYTHING, _closed(pattern, at)
    if group := _GROUP.match(pattern, at):
        part, end = _alternatives(pattern, group.end())
        return part, end + 1
    if plain := _PLAIN.match(pattern, at):
        return _literal(plain[0]), plain.end()
    if pattern[at] == "(":
        raise _NotReadableError
    if pattern[at] == "[":
        return _one_of(pattern, at)
    if pattern[at] == "\\":
        return _escaped(pattern, at)
    if pattern[at] in "^$":
        return _NOTHING, at + 1
    return (_ANYTHING if pattern[at] == "." else _literal(pattern[at])), at + 1


def _closed(pattern: str, at: int) -> int:
    """Behind the group that opens here."""
    opening = re.compile(r"\((?:\?(?:[:=!]|<[=!]|P<\w+>|P=\w+))?").match(pattern, at)
    assert opening is not None
    return _alternatives(pattern, opening.end())[1] + 1


def _one_of(pattern: str, at: int) -> tuple[_Part, int]:
    """A set of characters; one with a range or a class in it is not spelt out."""
    chosen: set[str] = set()
    is_spelt = True
    start = at = at + 1
    while pattern[at] != "]" or at == start:
        if pattern[at] == "\\":
            part, at = _escaped(pattern, at)
            is_spelt = is_spelt and part.spelt is not None
            chosen |= part.spelt or set()
        else:
            is_spelt = is_spelt and not (pattern[at] == "^" and at == start)
            is_spelt = is_spelt and not (pattern[at] == "-" and at > start and pattern[at + 1] != "]")
            chosen.add(pattern[at])
            at += 1
    return (_Part(frozenset(chosen), None) if is_spelt else _ANYTHING), at + 1


def _escaped(pattern: str, at: int) -> tuple[_Part, int]:
    if pattern[at + 1] == "b":
        return _literal(_EDGE), at + 2
    if pattern[at + 1] in "BAZ":
        return _NOTHING, at + 2
    if pattern[at + 1] in _BLANKS:
        return _literal(_BLANKS[pattern[at + 1]]), at + 2
    escape = _ESCAPE.match(pattern, at)
    if escape is None:
        return _ANYTHING, at + 2
    return _literal(escape[3] or chr(int(escape[1] or escape[2], 16))), escape.end()


def _literal(text: str) -> _Part:
    return _Part(frozenset({text}), None)


def _joined(before: frozenset[str] | None, behind: frozenset[str] | None) -> frozenset[str] | None:
    if before is None or behind is None or len(before) * len(behind) > MAX_CHOICES:
        return None
    return frozenset(one + other for one, other in product(before, behind))


def _least(part: _Part) -> frozenset[str] | None:
    """Literals of which one is held, however the part is written."""
    return part.needed if part.spelt is None else _as_literals(part.spelt)


def _as_literals(spelt: frozenset[str] | None) -> frozenset[str] | None:
    if spelt is None:
        return None
    literals = frozenset(map(_with_edges, spelt))
    return None if "" in literals else literals


def _with_edges(spelt: str) -> str:
    """The longest part of a word in what a pattern spells; its first sign where it has none."""
    if spelt.isalnum():
        return spelt
    bare = spelt.strip(_EDGE)
    if not bare:
        return ""
    before = " " if spelt[0] == _EDGE and not _NO_WORD.match(bare[0]) else ""
    behind = " " if spelt[-1] == _EDGE and not _NO_WORD.match(bare[-1]) else ""
    plain = before + _NO_WORD.sub(" ", bare.replace(_EDGE, "")) + behind
    parts = [plain[max(0, word.start() - 1) : word.end() + 1] for word in _WORD.finditer(plain)]
    return max(parts, key=len, default=bare[0])
