"""Which of the injected memories an answer used: by citation, else by what it carries."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct

from orca_core.model.memories import MemoryType
from orca_core.model.recall import References, TokenStatistics
from orca_core.model.records import EPISODE, GUIDE, KNOWLEDGE, Ref
from orca_core.rules.retrieval.finding.evidence import rarity
from orca_core.rules.retrieval.use.meant import MEANT
from orca_core.rules.retrieval.use.signs import is_slight, signs_of, signs_of_memory

USED_SHARE = 0.1
"""The share of what a memory says, weighted by rarity, that an answer must carry to have used it.

`benchmarks/references.py` bounds it: up to 0.12 its figures are the same (precision 0.96, recall 0.86), at 0.14 recall
falls to 0.85, at 0.2 to 0.82."""
USED_WORDS = 2
"""So many signs tell together. The same benchmark tells 1, 2 and 3 not apart. Chosen by hand."""
RARE_WORD = 1.4
"""A sign that weighs as much is a name, a figure, a technical term or rare in this store: one alone may tell.

The same benchmark: from 1.2 to 1.5 its figures are the same, at 1.75 recall falls to 0.72."""
MIN_ANSWER_CHARS = 4
"""A shorter answer ("Yes.") can carry nothing: silence in it proves nothing. Chosen by hand."""
_SHORT_WORD_CHARS = 3
"""A Latin word of no more letters is seldom a name: it weighs half as much more. Chosen by hand."""
STATED_TYPES: frozenset[str] = frozenset(
    {MemoryType.FACT, MemoryType.PROJECT, MemoryType.EVENT, EPISODE.name, KNOWLEDGE.name, GUIDE.name}
)
"""What an answer names when it uses it. Preferences and instructions work without being named: only a citation tells
of their use, and nothing of their being unused."""


class Citable(Struct, frozen=True):
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
    rarities: Mapping[str, float] | None = None,
    nearness: Mapping[Ref, float] | None = None,
) -> References:
    """Used, unused and unknown, in the order of injection. `nearness` is how near each is to the answer, where an
    embedder of meaning was asked."""
    asked = signs_of(question)
    said = signs_of(answer)
    rarities = _relative(rarities or {})
    sorted_out: dict[str, list[Ref]] = {"used": [], "unused": [], "unknown": []}
    for memory in injected:
        telling = signs_of_memory(memory.content) - asked
        if memory.ref in cited:
            sorted_out["used"].append(memory.ref)
        elif memory.type not in STATED_TYPES:
            sorted_out["unknown"].append(memory.ref)
        elif carries(telling, said, rarities) or (nearness or {}).get(memory.ref, 0.0) >= MEANT:
            sorted_out["used"].append(memory.ref)
        elif len(answer.strip()) < MIN_ANSWER_CHARS:
            sorted_out["unknown"].append(memory.ref)
        elif memory.is_near and _is_unused(memory, said, cited, rarities):
            sorted_out["unused"].append(memory.ref)
        else:
            sorted_out["unknown"].append(memory.ref)
    return References(tuple(sorted_out["used"]), tuple(sorted_out["unused"]), tuple(sorted_out["unknown"]))


def rarities_of(statistics: TokenStatistics) -> dict[str, float]:
    """How rare signs are. Each stands in the memory that it is of, also where that spells it otherwise."""
    at_least_once = {sign: max(1, frequency) for sign, frequency in statistics.frequencies.items()}
    return rarity(TokenStatistics(statistics.documents, at_least_once))


def carries(telling: frozenset[str], said: frozenset[str], rarities: Mapping[str, float]) -> bool:
    """Whether an answer carries what a memory says: some of its signs, or a rare one, and enough of their weight."""
    found = telling & said
    if not found:
        return False
    whole = sum(_weight(word, rarities) for word in telling)
    share = sum(_weight(word, rarities) for word in found) / whole
    is_telling = len(found) >= USED_WORDS or any(_weight(word, rarities) >= RARE_WORD for word in found)
    return is_telling and share >= USED_SHARE


def _is_unused(
    memory: Citable,
    said: frozenset[str],
    cited: Collection[Ref],
    rarities: Mapping[str, float],
) -> bool:
    """Silence alone is no proof: another memory was cited instead, or this one's rare words are all absent."""
    if any(other != memory.ref for other in cited):
        return True
    telling = signs_of_memory(memory.content)
    rare = {word for word in telling if _weight(word, rarities) >= RARE_WORD} or telling
    return bool(rare) and not rare & said


def _weight(sign: str, rarities: Mapping[str, float]) -> float:
    """How much a sign tells: its rarity in this store, and more for figures and Latin words. A small number by itself,
    or a month, tells nothing alone, however rare it is in the store."""
    if is_slight(sign):
        return 1.0
    weight = 1.0 + rarities.get(sign, 0.0) / 2
    if any(character.isdigit() for character in sign):
        return weight + 1.0
    if sign.isascii() and sign.isalpha():
        weight += 1.0 if len(sign) > _SHORT_WORD_CHARS else 0.5
    return weight


def _relative(rarities: Mapping[str, float]) -> dict[str, float]:
    """Rarities between 0 and 1: in a young store even the rarest word is not rare by its number."""
    most = max(rarities.values(), default=0.0)
    return {word: value / most for word, value in rarities.items()} if most > 0 else {}
