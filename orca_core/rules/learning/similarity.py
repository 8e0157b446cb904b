"""How near two memories are by their words alone. It nominates, and keeps apart what must never be merged: what two
texts mean is the verifier's to say."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from msgspec import Struct

from orca_core import words
from orca_core.model.memories import Memory, MemoryType, NewMemory, PairReason
from orca_core.rules.learning.fact_provenance import chinese_names, is_ordinary
from orca_core.rules.memory.same_statements import is_spelled_anew
from orca_core.rules.text.dates import take_dates
from orca_core.rules.text.numerals import counted_pattern, number_word_pattern, numbers_in
from orca_core.rules.text.search_terms import content_words
from orca_core.rules.text.spelling import in_one_spelling

NEAR_SHARE = 0.5
"""Two texts that share so much of the shorter one's words may be one statement in other words."""
CLOSE = 0.15
"""A distance by cosine. An embedder of meaning puts contradictions nearer than that: it nominates, and no more."""
SAME_SHARE = 0.75
"""Two that share so much of all their words are of the same words.

`benchmarks/duplicates.py` bounds it: a person is asked about 11 of its 34 duplicates and none of the 36 that are none;
at 0.6 about 15 and 1, but of 2,203 everyday sentences in Chinese about 938 pairs instead of 281."""


def are_same(one: str, other: str) -> bool:
    """Tell whether two texts are one statement in two spellings: no verifier is asked about these."""
    return is_spelled_anew(one, other)


def are_near(one: str, other: str) -> bool:
    """Tell whether two texts have much in common; a rule may act on it only beside other evidence."""
    ours, theirs = _terms_of(one).pairs, _terms_of(other).pairs
    shared = ours & theirs
    return bool(shared) and len(shared) >= NEAR_SHARE * min(len(ours), len(theirs))


def share(one: str, other: str) -> float:
    """Tell how much of all their words two texts share, from 0 to 1."""
    ours, theirs = _terms_of(one).words, _terms_of(other).words
    return len(ours & theirs) / len(ours | theirs) if ours | theirs else 0.0


def agree(one: str, other: str, quote: str | None = None) -> bool:
    """Tell whether numbers, dates, denials and names of two texts are the same, so that a verifier who calls them the
    same may merge them. Of two that stand on one `quote` only those count that stand in it: what else they say is their
    writer's wording. Tea and coffee are the verifier's to tell apart."""
    ours, theirs = _terms_of(one), _terms_of(other)
    said = None if quote is None else _terms_of(quote)
    if (said is None or said.denials) and ours.denials % 2 != theirs.denials % 2:
        return False
    if _figures(ours, said) != _figures(theirs, said):
        return False
    return _are_named_in(ours, theirs, said) and _are_named_in(theirs, ours, said)


def is_close(cosine: float | None) -> bool:
    """Tell whether two texts are so near by their vectors that a person is asked about them."""
    return cosine is not None and cosine > 1 - CLOSE


def why_a_pair(one: Memory | NewMemory, other: Memory, *, are_close: bool = False) -> str:
    """Tell why two memories are listed for a person: of the same words, or `are_close` by their vectors; empty where
    they are not. Two events that differ are two events, and two spellings of one statement are nothing to ask about."""
    is_near = are_close or share(one.content, other.content) >= SAME_SHARE
    if are_same(one.content, other.content) or not is_near:
        return ""
    if agree(one.content, other.content):
        return PairReason.UNDECIDED.value
    return "" if MemoryType.EVENT in (one.type, other.type) else PairReason.CONFLICT.value


class _Terms(Struct, frozen=True):
    """What two texts are compared by: words (Chinese ones as characters, and in `pairs` of these), names, figures in
    their order, how often something is denied. `letters` is all of the text, in small letters."""

    words: frozenset[str]
    pairs: frozenset[str]
    names: tuple[str, ...]
    figures: tuple[str, ...]
    denials: int
    letters: str


def _figures(ours: _Terms, said: _Terms | None) -> list[str]:
    """The numbers and dates of a text, in their order: all that were `said`, where that is given."""
    return [each for each in ours.figures if said is None or each in said.figures]


def _are_named_in(ours: _Terms, theirs: _Terms, said: _Terms | None) -> bool:
    """Tell whether all names of one stand in the other: all that were `said`, where that is given."""
    named = map(_as_a_name, ours.names)
    return all(name.search(theirs.letters) for name in named if said is None or name.search(said.letters))


@lru_cache(maxsize=4096)
def _terms_of(text: str) -> _Terms:
    plain = in_one_spelling(unicodedata.normalize("NFKC", text))
    rest, dates = take_dates(plain)
    weekdays, denial = words.pattern("comparing.weekdays"), words.pattern("comparing.negation")
    days = tuple(_weekday(match[0].casefold()) for match in weekdays.finditer(rest))
    rest = weekdays.sub(" ", rest)
    bare = denial.sub(" ", words.pattern("comparing.referring").sub(" ", rest))
    names = _names_in(bare)
    bare = words.pattern("comparing.phrasing").sub(" ", bare)
    runs = _RUN.findall(number_word_pattern().sub(" ", counted_pattern().sub(" ", bare)))
    return _Terms(
        words=frozenset(each for run in runs for each in (run if run[0] >= "㐀" else content_words(run))),
        pairs=frozenset(each for run in runs for each in (_pairs(run) if run[0] >= "㐀" else content_words(run))),
        names=tuple(names),
        figures=(*numbers_in(rest), *dates, *days),
        denials=len(denial.findall(rest)),
        letters=plain.casefold(),
    )


def _weekday(written: str) -> str:
    for spelling, becomes in words.spellings("comparing.weekday_spellings"):
        written = written.replace(spelling, becomes)
    return written


_HAN = re.compile("[㐀-鿿]")
_LATIN = r"[^\W㐀-鿿]"
_LATIN_WORD = re.compile(rf"(?<!{_LATIN})[^\W\d_㐀-鿿](?:{_LATIN}|[.+#-])*")
_RUN = re.compile(r"[㐀-鿿]+|[^\W\d_㐀-鿿](?:(?![㐀-鿿])[\w.+#-])*")


def _pairs(run: str) -> list[str]:
    return [run[start : start + 2] for start in range(len(run) - 1)] or [run]


def _names_in(bare: str) -> list[str]:
    """The names in a text, in small letters: Latin words with a capital behind the first word, or that are no ordinary
    ones; beside Chinese characters every Latin word; and Chinese names of places and people."""
    found = _LATIN_WORD.findall(bare)
    is_chinese = _HAN.search(bare) is not None
    named = [
        word
        for place, word in enumerate(found)
        if content_words(word) and (is_chinese or (place and not word.islower()) or not is_ordinary(word, "en"))
    ]
    return [name.rstrip(".").casefold() for name in (*named, *(chinese_names(bare) if is_chinese else ()))]


@lru_cache(maxsize=4096)
def _as_a_name(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!{_LATIN}){re.escape(name)}(?!{_LATIN})" if name.isascii() else re.escape(name))
