"""Which known memory is meant by the words of an old one: named exactly, or nearly."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct

from orca_core import words
from orca_core.domain.memories import Memory, MemoryType, NewMemory
from orca_core.rules.learning.likeness.duplicates import Likeness, likeness
from orca_core.rules.learning.likeness.meanings import meaning_of
from orca_core.rules.text.lexicon import concepts_of
from orca_core.rules.text.numerals import counted, numbers_in, spelled_in_words
from orca_core.rules.text.same_words import in_one_spelling
from orca_core.rules.text.terms import content_words

NEAR = 0.6
"""How much (of 1) a name and a memory must share to mean the same."""
HINTED = 0.35
COVERED = 0.6
"""A name that shares less, but at least this, means a memory whose words it and the new fact have together."""
NEARLY_VERBATIM = 0.75
"""What shares so much is meant whatever its type."""
CLEAR = 0.1
"""The nearest memory must be so much nearer than the next; else nobody knows which is meant.

The names of `tests/data/trust/development/sequences.json`, all paraphrases, share 0.67 and more with what they mean and
at most 0.24 with anything else; the cases of `tests/rules/learning/test_naming.py` hold from 0.5 to 0.65."""

_TAKEN_FOR_ONE = (
    frozenset({MemoryType.INSTRUCTION, MemoryType.PREFERENCE}),
    frozenset({MemoryType.FACT, MemoryType.PROJECT}),
)
_UNIT = re.compile("[㐀-鿿]|[^\\W\\d_㐀-鿿](?:(?![㐀-鿿])[\\w.+#-])*")
_BETWEEN_WORDS = re.compile(r"[^\w+#.]|_|\.(?!\d)|(?<!\w)[+#]")


class Meant(Struct, frozen=True):
    """The memory that is meant; or, where it is none, those of which each could be."""

    memory: Memory | None = None
    unclear: tuple[Memory, ...] = ()


def meant_by(name: str, new: NewMemory, memories: Sequence[Memory]) -> Meant:
    """What a name of the old means, which stands beside a new fact.

    A memory that it names exactly, or alone nearly verbatim, is meant whatever its type; one that is only near must be
    of the fact's type or share a tag with it, and be the nearest by far."""
    exact = [memory for memory in memories if is_named_exactly(memory, name)]
    if exact:
        return Meant(exact[0])
    near = sorted(
        ((score, memory) for memory in memories if (score := nearness(name, new.content, memory)) > 0),
        key=lambda scored: -scored[0],
    )
    if near and near[0][0] >= NEARLY_VERBATIM and all(score <= near[0][0] - CLEAR for score, _ in near[1:]):
        return Meant(near[0][1])
    of_a_kind = [(score, memory) for score, memory in near if is_of_a_kind(new, memory)]
    if not of_a_kind:
        return Meant(unclear=tuple(memory for _, memory in near))
    best = of_a_kind[0][0]
    close = tuple(memory for score, memory in of_a_kind if score > best - CLEAR)
    return Meant(close[0]) if len(close) == 1 else Meant(unclear=close)


def is_named_exactly(memory: Memory, name: str) -> bool:
    """Whether the words are the memory's own, but for width, case, blanks, punctuation, numerals, spellings, and
    whom it says to speak of."""
    return _plain(name) == _plain(memory.content) or _says_the_same(name, memory)


def nearness(name: str, new: str, memory: Memory) -> float:
    """How near a name is to a memory, from 0 (it means another) to 1."""
    if _stand_apart(name, memory.content):
        return 0.0
    ours, theirs = _units(name), _units(memory.content)
    if not ours or not theirs:
        return 0.0
    shared = 2 * len(ours & theirs) / (len(ours) + len(theirs))
    if shared >= NEAR:
        return shared
    is_covered = len(theirs & (ours | _units(new))) >= COVERED * len(theirs)
    return shared if shared >= HINTED and is_covered else 0.0


def is_of_a_kind(new: NewMemory, old: Memory) -> bool:
    """Whether they share a type, or a tag. A wish is told as an instruction or as a preference, work as a fact or as a
    project: a model takes one for the other from run to run. A change is told as an event, whatever it changes."""
    are_taken_for_one = any({new.type, old.type} <= types for types in _TAKEN_FOR_ONE)
    tells_of_a_change = new.type is MemoryType.EVENT and old.type is not MemoryType.INSTRUCTION
    return are_taken_for_one or tells_of_a_change or new.type is old.type or not set(new.tags).isdisjoint(old.tags)


def _says_the_same(name: str, memory: Memory) -> bool:
    return likeness(name, memory.type, memory.content, memory.type) is Likeness.SAME


def _stand_apart(name: str, content: str) -> bool:
    """Whether numbers, days, names, a denial, an order or the person spoken of tell them apart. One may leave out what
    the other says."""
    ours, theirs = meaning_of(name), meaning_of(content)
    if ours.negations % 2 != theirs.negations % 2:
        return True
    if ours.compares and theirs.compares and ours.words != theirs.words and not _goes_the_same_way(name, content):
        return True
    return (
        _differ(ours.numbers, theirs.numbers)
        or _differ(ours.dates, theirs.dates)
        or _differ(_names(name), _names(content))
        or _persons(name) != _persons(content)
    )


def _goes_the_same_way(name: str, content: str) -> bool:
    """Whether the same words stand in another order alone, and behind each word of direction that both have the same:
    "uses a van to get home from work", "gets home from work in a van". What changes places stands behind another."""
    ours, theirs = meaning_of(name).words, meaning_of(content).words
    if not set(ours) <= set(theirs) and not set(theirs) <= set(ours):
        return False
    mine, other = _behind_directions(name), _behind_directions(content)
    shared = mine.keys() & other.keys()
    return bool(shared) and all(mine[each] == other[each] for each in shared)


def _behind_directions(text: str) -> dict[str, str]:
    """By each word that tells from where to where, or over what, the word behind it."""
    spelled = in_one_spelling(unicodedata.normalize("NFKC", text))
    directions = words.pattern("comparing.comparison").finditer(spelled)
    return {match[0].casefold(): "".join(meaning_of(spelled[match.end() :]).words[:1]) for match in directions}


def _differ(ours: Sequence[str], theirs: Sequence[str]) -> bool:
    """Whether each has what the other has not."""
    return not set(ours) <= set(theirs) and not set(theirs) <= set(ours)


def _names(text: str) -> list[str]:
    """The names in it; the first word of a text begins with a capital anyway."""
    first = text.split(maxsplit=1)[0].lower() if text.strip() else ""
    return [name for name in meaning_of(text).names if name != first]


def _persons(text: str) -> frozenset[str]:
    """Whom beside the user it speaks of."""
    return concepts_of(text) & words.word_set("comparing.persons")


@lru_cache(maxsize=1024)
def _plain(text: str) -> str:
    spelled = in_one_spelling(unicodedata.normalize("NFKC", text)).strip()
    opening = words.pattern("asserting.the_user_first").match(spelled)
    bare = spelled if opening is None else spelled[opening.end() :]
    numbers = " ".join(numbers_in(bare))
    return _BETWEEN_WORDS.sub("", spelled_in_words().sub("", counted().sub("", bare))).casefold() + f" {numbers}"


@lru_cache(maxsize=1024)
def _units(text: str) -> frozenset[str]:
    """What a text is made of: Latin words by their stems, Chinese characters, numbers."""
    spelled = in_one_spelling(unicodedata.normalize("NFKC", text))
    bare = spelled
    for table in ("referring", "phrasing"):
        bare = words.pattern(f"comparing.{table}").sub(" ", bare)
    found = {f"#{number}" for number in numbers_in(spelled)}
    for unit in _UNIT.findall(spelled_in_words().sub(" ", counted().sub(" ", bare))):
        found |= {unit} if unit >= "㐀" else content_words(unit)
    return frozenset(found)
