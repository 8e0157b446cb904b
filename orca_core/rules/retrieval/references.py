"""Judge which of the injected memories an answer used: by citation, else by the signs that it carries (its words in one
spelling, days, figures with what they count), else by meaning."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from operator import mul

from msgspec import Struct

from orca_core import words
from orca_core.model.llm import Vector
from orca_core.model.memories import MemoryType
from orca_core.model.recall import References, TokenStatistics
from orca_core.model.records import EPISODE, GUIDE, KNOWLEDGE, Ref
from orca_core.rules.retrieval.evidence import rarity
from orca_core.rules.text.dates import take_dates
from orca_core.rules.text.numerals import counted, numbers_in, spelled_in_words
from orca_core.rules.text.search_terms import content_words
from orca_core.rules.text.spelling import in_plain_words

LARGE = 100
"""A figure from here on tells by itself; a smaller one with what it counts. Chosen by hand, as in what was typed."""
_DAY, _MONTH = re.compile(r"d_\d{1,2}_\d{1,2}"), re.compile(r"d_\d{1,2}")
_COUNTS_ANYTHING = "个"
_LETTER = re.compile(r"[A-Za-z_]")
_JOINED_BEFORE, _JOINED_BEHIND = re.compile(r"[A-Za-z0-9_][-./:@\\+#_]"), re.compile(r"[-./:@\\+#_][A-Za-z0-9_]")


def signs_of(text: str) -> frozenset[str]:
    """All signs in a text."""
    return _signs(in_plain_words(text), frozenset())


def signs_of_memory(content: str) -> frozenset[str]:
    """Those that tell of one memory: not the user whom it is about, nor the words of which all facts are made."""
    plain = in_plain_words(_without_the_outcome(without_the_user(content)))
    return _signs(plain, words.word_set("asserting.generic"), words.pattern("asserting.stock"))


def without_the_user(content: str) -> str:
    """What a memory says of the user."""
    return _the_user_first().sub("", content)


def _without_the_outcome(content: str) -> str:
    """What the line of an episode tells, without how it ended: an answer that speaks of success may mean anything."""
    return _the_outcome_first().sub("", content)


def is_slight(sign: str) -> bool:
    """Whether it is a month without a day, or a small number of nobody knows what."""
    return _MONTH.fullmatch(sign) is not None or (sign.isdigit() and int(sign) < LARGE)


def _signs(plain: str, generic: frozenset[str], stock: re.Pattern[str] | None = None) -> frozenset[str]:
    rest, dates = take_dates(plain)
    figures: set[str] = set()

    def take(match: re.Match[str]) -> str:
        sign = _figure(match)
        figures.update([sign] if sign else [])
        return " " if sign else match[0]

    rest = spelled_in_words().sub(" ", counted().sub(take, rest))
    if stock is not None:
        rest = stock.sub(lambda match: match[0] if _is_cut_out(match) else " ", rest)
    return (content_words(rest) - generic) | figures | frozenset(_days(dates))


def _figure(match: re.Match[str]) -> str:
    """A figure as a sign; empty where it is none, or too small to tell anything."""
    text, figure = match.string, match[0]
    if any(_LETTER.match(text[at : at + 1]) for at in (match.start() - 1, match.end()) if at >= 0):
        return ""  # part of a name, such as RTX4090
    values = numbers_in(figure)
    if len(values) != 1 or not values[0].isdigit() or values[0] == "1":
        return ""
    if int(values[0]) >= LARGE:
        return f"n_{values[0]}"
    unit = "" if figure[-1].isdigit() or numbers_in(figure[-1]) else figure[-1]
    if unit == _COUNTS_ANYTHING:
        unit += text[match.end() : match.end() + 1].strip()
    return f"n_{values[0]}{unit}" if unit.strip(f".,{_COUNTS_ANYTHING}") else ""


def _is_cut_out(match: re.Match[str]) -> bool:
    """Whether a word is part of a name, such as `use-case.md`."""
    text = match.string
    before = _JOINED_BEFORE.match(text, max(0, match.start() - 2), match.start())
    return before is not None or _JOINED_BEHIND.match(text, match.end()) is not None


def _days(dates: tuple[str, ...]) -> Iterator[str]:
    """The days of a text, and the months of which it names no day; years are figures."""
    days = {date for date in dates if _DAY.fullmatch(date)}
    yield from days
    yield from (
        date for date in dates if _MONTH.fullmatch(date) and not any(day.startswith(f"{date}_") for day in days)
    )


@cache
def _the_outcome_first() -> re.Pattern[str]:
    labels = (line.format("") for lines in words.keyed("work.told").values() for line in lines)
    return re.compile("|".join(rf"^{re.escape(label)}" for label in labels))


@cache
def _the_user_first() -> re.Pattern[str]:
    return re.compile(rf"^\s*(?:{words.choices('asserting.the_user_first')})\s*", re.IGNORECASE)


MODEL = "meaning/use-multilingual-3@512"
"""The threshold is this model's: in others the cosines of what is unrelated are higher."""
MEANT = 0.3
"""From this nearness on an answer means what a memory says.

`benchmarks/references.py --meaning --curve`, development rows: at 0.25 precision is 0.954 and recall 0.889, from 0.28
to 0.36 they are 0.963 and 0.875, at 0.4 as without it. Of 22 answers to a question that the memory is about
(`on_topic`) and that make no use of it, none comes so near."""
_LEAST_REST = 1e-6
"""What says less beyond the question says nothing."""


def can_tell(model: str) -> bool:
    """Whether vectors of this model tell it."""
    return model == MODEL


def nearness(memory: Vector, answer: Vector, question: Vector) -> float:
    """The cosine between what a memory and an answer say beyond the question: what that says already proves nothing.
    All three are of unit length."""
    of_memory, of_answer = _dot(memory, question), _dot(answer, question)
    rest = (1 - of_memory**2) * (1 - of_answer**2)
    return (_dot(memory, answer) - of_memory * of_answer) / math.sqrt(rest) if rest > _LEAST_REST else 0.0


def _dot(one: Vector, other: Vector) -> float:
    return float(sum(map(mul, one, other)))


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
