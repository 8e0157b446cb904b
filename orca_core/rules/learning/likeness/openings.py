"""Whether a newer memory says what is now true of the thing that an older one begins with ("reports run on ClickHouse",
"reports run on Doris"), in words of which no rule reads a slot. Such a pair is listed for a person; nothing
is archived or hidden by it.

A memory is known by the words of its first clause that name no value. One such word in common is a subject, of which
much can be true at once: two are asked for, near the beginning of both, or one with which both begin; and no other
memory may have as much in common with either of the two. Each must name a value of its own, or the newer one tell of a
change. Figures are no names: which figures are two values of one thing, slots say."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from datetime import datetime
from functools import cache, lru_cache

from msgspec import Struct

from orca_core import words
from orca_core.domain.memories import Memory, MemoryType
from orca_core.rules.clauses import tense
from orca_core.rules.learning.likeness.alternatives import people_in
from orca_core.rules.learning.likeness.meanings import meaning_of
from orca_core.rules.text.dates import take_dates
from orca_core.rules.text.scripts import simplified
from orca_core.rules.text.terms import content_words

LEAST_SHARED = 1.2
PAIR = 0.6
"""What two openings must have in common, counted in words, of which two neighbouring characters are so much. With
an earlier form of the rule 30 of sixty changes were seen, and 19 at 2, for as many pairs that are none."""
LATEST_BEGINNING = 1
"""The first word in common is the first or second of both: what comes later is said of another thing. The same
benchmark draws the curve, docs/recall.md has it."""


class Opening(Struct, frozen=True):
    """The first clause of a memory: the words in their order, without names, and the names; `all_names` are those of
    the whole memory."""

    words: tuple[str, ...]
    names: frozenset[str]
    all_names: frozenset[str]
    people: frozenset[str]
    is_of_now: bool
    tells_of_a_change: bool


def may_take_the_place(newer: Memory, older: Memory, latest: int = LATEST_BEGINNING) -> bool:
    """Whether two memories alone look like two states of one thing."""
    if older.type is not MemoryType.FACT or newer.type not in (MemoryType.FACT, MemoryType.EVENT):
        return False
    if newer.origin.session_id is not None and newer.origin.session_id == older.origin.session_id:
        return False  # one conversation tells several things of a subject
    ours, theirs = opening_of(newer.content), opening_of(older.content)
    shared = _shared(ours, theirs)
    if not shared or not ours.is_of_now or ours.people != theirs.people:
        return False
    each_names_its_own = not (ours.names <= theirs.all_names or theirs.names <= ours.all_names)
    begins_at = max(_first(ours, shared), _first(theirs, shared))
    if _counted(shared) >= LEAST_SHARED and begins_at <= latest:
        return each_names_its_own or ours.tells_of_a_change
    return begins_at == 0 and each_names_its_own


def takes_the_place(newer: Memory, older: Memory, others: Sequence[Memory], latest: int = LATEST_BEGINNING) -> bool:
    """Whether they are two states of one thing, and none of the `others` has as much in common with the older one among
    what came later, or with the newer one among what was there before."""
    if not may_take_the_place(newer, older, latest):
        return False
    found = in_common(newer, older)
    rivals = [in_common(other, older) for other in others if _age(other) > _age(older) and other.id != newer.id]
    rivals += [in_common(newer, other) for other in others if _age(other) < _age(newer) and other.id != older.id]
    return max(rivals, default=0.0) < found


def in_common(one: Memory, other: Memory) -> float:
    """How many words two openings share."""
    return _counted(_shared(opening_of(one.content), opening_of(other.content)))


@lru_cache(maxsize=4096)
def opening_of(text: str) -> Opening:
    plain = simplified(unicodedata.normalize("NFKC", text))
    rest = take_dates(plain)[0]
    clause = next((each for each in _CLAUSE_END.split(rest) if each.strip()), rest)
    names, all_names = _names_in(clause), _names_in(rest)
    spelled = {part for name in names for part in (name, *content_words(name), *meaning_of(name).words)}
    return Opening(
        words=tuple(word for word in meaning_of(clause).words if word not in spelled),
        names=names,
        all_names=all_names,
        people=people_in(clause),
        is_of_now=not tense.is_of_another_time(plain) and not words.pattern("slots.additive").search(plain),
        tells_of_a_change=tense.says_so_now(plain),
    )


_CLAUSE_END = re.compile(r"[;。]|[,:](?!\d)|\.(?=\s|$)")
_HAN = re.compile(r"[㐀-鿿]")
_HAS_LETTER = re.compile(r"[A-Za-z]")
_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9+#/_.-]*[A-Za-z0-9+#])?")


def _names_in(text: str) -> frozenset[str]:
    """What names a value: tools, capitals within a sentence, letters with figures; amid Chinese all that is Latin."""
    is_chinese = _HAN.search(text) is not None
    return frozenset(
        match[0].lower()
        for match in _NAME.finditer(text)
        if _HAS_LETTER.search(match[0]) and (is_chinese or _is_a_name(match[0], text[: match.start()]))
    )


def _is_a_name(word: str, before: str) -> bool:
    begins = before.strip()[-1:] in ("", ".", "!", "?")
    return (
        (word[0].isupper() and not begins)
        or word[1:] != word[1:].lower()
        or not word.isalpha()
        or word.lower() in _tools()
    )


@cache
def _tools() -> frozenset[str]:
    tables = ("technical.names", "technical.short_names")
    return frozenset(word.lower() for table in tables for word in words.words(table, *words.of_whole_words()))


def _first(opening: Opening, shared: frozenset[str]) -> int:
    return min(opening.words.index(word) for word in shared)


def _shared(ours: Opening, theirs: Opening) -> frozenset[str]:
    """Words and pairs, no single characters."""
    return frozenset(word for word in ours.words if len(word) > 1 and word in theirs.words)


def _counted(shared: frozenset[str]) -> float:
    return sum(1.0 if word.isascii() else PAIR for word in shared)


def _age(memory: Memory) -> tuple[datetime, int]:
    return memory.created_at, memory.id
