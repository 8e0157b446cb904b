"""Which of the injected memories an answer used: by citation, else by what it carries."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from orca_core import words
from orca_core.domain.memories import MemoryType
from orca_core.domain.recall import References
from orca_core.domain.refs import Ref
from orca_core.rules.text.scripts import simplified
from orca_core.rules.text.terms import content_words

USED_SHARE = 0.14
"""The share of what a memory says, weighted by rarity, that an answer must carry to have used it.

`benchmarks/references.py` bounds it: from 0.08 to 0.14 its figures are the same (precision 0.96, recall 0.61), at 0.16
recall falls to 0.57."""
USED_WORDS = 2
"""So many words tell together. The same benchmark: with 3 recall falls to 0.57, with 1 it rises to 0.64."""
RARE_WORD = 1.5
"""A word that weighs as much is a name, a number, a technical term or rare in this store: one alone may tell.

The same benchmark: at 1.75 recall falls to 0.54, at 1.25 it rises to 0.64."""
MIN_ANSWER_CHARS = 4
"""A shorter answer ("Yes.") can carry nothing: silence in it proves nothing. Chosen by hand."""
_SHORT_WORD_CHARS = 3
"""A Latin word of no more letters is seldom a name: it weighs half as much more. Chosen by hand."""
STATED_TYPES: frozenset[str] = frozenset({MemoryType.FACT, MemoryType.PROJECT, MemoryType.EVENT})
"""What an answer names when it uses it. Preferences and instructions work without being named: only a citation tells
of their use, and nothing of their being unused."""


@dataclass(frozen=True, slots=True)
class Citable:
    """What the judgement needs of an injected record."""

    ref: Ref
    content: str
    type: str
    is_near: bool = True
    """Whether it was clearly what the turn is about: what was a guess is never unused."""


def judge(
    injected: Sequence[Citable],
    answer: str,
    question: str,
    cited: Collection[Ref],
    rarity: Mapping[str, float] | None = None,
) -> References:
    """Used, unused and unknown, in the order of injection."""
    asked = content_words(question)
    said = content_words(answer)
    rarities = _relative(rarity or {})
    sorted_out: dict[str, list[Ref]] = {"used": [], "unused": [], "unknown": []}
    for memory in injected:
        telling = _telling_words(memory.content, asked)
        if memory.ref in cited:
            sorted_out["used"].append(memory.ref)
        elif memory.type not in STATED_TYPES:
            sorted_out["unknown"].append(memory.ref)
        elif carries(telling, said, rarities):
            sorted_out["used"].append(memory.ref)
        elif len(answer.strip()) < MIN_ANSWER_CHARS:
            sorted_out["unknown"].append(memory.ref)
        elif memory.is_near and _is_unused(memory, said, cited, rarities):
            sorted_out["unused"].append(memory.ref)
        else:
            sorted_out["unknown"].append(memory.ref)
    return References(tuple(sorted_out["used"]), tuple(sorted_out["unused"]), tuple(sorted_out["unknown"]))


def carries(telling: frozenset[str], said: frozenset[str], rarity: Mapping[str, float]) -> bool:
    """Whether an answer carries what a memory says: some telling words, or a rare one, and enough of their weight."""
    found = telling & said
    if not found:
        return False
    whole = sum(_weight(word, rarity) for word in telling)
    share = sum(_weight(word, rarity) for word in found) / whole
    is_telling = len(found) >= USED_WORDS or any(_weight(word, rarity) >= RARE_WORD for word in found)
    return is_telling and share >= USED_SHARE


def _is_unused(
    memory: Citable,
    said: frozenset[str],
    cited: Collection[Ref],
    rarity: Mapping[str, float],
) -> bool:
    """Silence alone is no proof: another memory was cited instead, or this one's rare words are all absent."""
    if any(other != memory.ref for other in cited):
        return True
    telling = _telling_words(memory.content, frozenset())
    rare = {word for word in telling if _weight(word, rarity) >= RARE_WORD} or telling
    return bool(rare) and not rare & said


def _telling_words(content: str, asked: frozenset[str]) -> frozenset[str]:
    """The words of a memory that the question does not say already."""
    return content_words(_the_user_first().sub("", simplified(content))) - words.word_set("asserting.generic") - asked


@cache
def _the_user_first() -> re.Pattern[str]:
    return re.compile(rf"^\s*(?:{words.choices('asserting.the_user_first')})\s*", re.IGNORECASE)


def _weight(word: str, rarity: Mapping[str, float]) -> float:
    """How much a word tells: its rarity in this store, and more for numbers and Latin words."""
    weight = 1.0 + rarity.get(word, 0.0) / 2
    if any(character.isdigit() for character in word):
        weight += 1.0
    if word.isascii() and word.isalpha():
        weight += 1.0 if len(word) > _SHORT_WORD_CHARS else 0.5
    return weight


def _relative(rarity: Mapping[str, float]) -> dict[str, float]:
    """Rarities between 0 and 1: in a young store even the rarest word is not rare by its number."""
    most = max(rarity.values(), default=0.0)
    return {word: value / most for word, value in rarity.items()} if most > 0 else {}
