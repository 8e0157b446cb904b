"""Take citations such as `[m7]` out of an answer while it streams, and judge which of the injected memories it used: by
citation, else by the signs that it carries (its words, days, figures with what they count), else by meaning."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from operator import mul

from msgspec import Struct

from orca_core import words
from orca_core.model.llm import Vector
from orca_core.model.memories import MemoryType
from orca_core.model.recall import Citation, References, TokenStatistics
from orca_core.model.record_types import BUILT_IN_KINDS, EPISODE, GUIDE, KNOWLEDGE, Ref
from orca_core.rules.retrieval.match_evidence import rarity
from orca_core.rules.text.dates import days_of_tokens, is_month_token, take_dates
from orca_core.rules.text.numerals import counted_pattern, number_word_pattern, numbers_in
from orca_core.rules.text.search_terms import content_words
from orca_core.rules.text.spelling import in_plain_words

LARGE = 100
"""A figure from here on tells by itself; a smaller one with what it counts. Chosen by hand, as in what was typed."""
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
    """Return what a memory says of the user."""
    return _the_user_first().sub("", content)


def _without_the_outcome(content: str) -> str:
    """Return what the line of an episode tells, without how it ended: an answer that speaks of success may mean
    anything."""
    return _the_outcome_first().sub("", content)


def is_slight(sign: str) -> bool:
    """Tell whether it is a month without a day, or a small number of nobody knows what."""
    return is_month_token(sign) or (sign.isdigit() and int(sign) < LARGE)


def _signs(plain: str, generic: frozenset[str], stock: re.Pattern[str] | None = None) -> frozenset[str]:
    rest, dates = take_dates(plain)
    figures: set[str] = set()

    def take(match: re.Match[str]) -> str:
        sign = _figure(match)
        figures.update([sign] if sign else [])
        return " " if sign else match[0]

    rest = number_word_pattern().sub(" ", counted_pattern().sub(take, rest))
    if stock is not None:
        rest = stock.sub(lambda match: match[0] if _is_cut_out(match) else " ", rest)
    return (content_words(rest) - generic) | figures | frozenset(days_of_tokens(dates))


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
    """Tell whether a word is part of a name, such as `use-case.md`."""
    text = match.string
    before = _JOINED_BEFORE.match(text, max(0, match.start() - 2), match.start())
    return before is not None or _JOINED_BEHIND.match(text, match.end()) is not None


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


def can_tell_meaning(model: str) -> bool:
    """Tell whether vectors of this model tell it."""
    return model == MODEL


def answer_nearness(memory: Vector, answer: Vector, question: Vector) -> float:
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


class CitableRecord(Struct, frozen=True):
    """What the judgement needs of an injected record."""

    ref: Ref
    content: str
    type: str
    is_near: bool = True
    """Whether it was clearly what the turn is about: what was a guess is never unused."""


def judge_references(
    injected: Sequence[CitableRecord],
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
        elif carries_memory(telling, said, rarities) or (nearness or {}).get(memory.ref, 0.0) >= MEANT:
            sorted_out["used"].append(memory.ref)
        elif len(answer.strip()) < MIN_ANSWER_CHARS:
            sorted_out["unknown"].append(memory.ref)
        elif memory.is_near and _is_unused(memory, said, cited, rarities):
            sorted_out["unused"].append(memory.ref)
        else:
            sorted_out["unknown"].append(memory.ref)
    return References(tuple(sorted_out["used"]), tuple(sorted_out["unused"]), tuple(sorted_out["unknown"]))


def rarities_of(statistics: TokenStatistics) -> dict[str, float]:
    """Tell how rare signs are. Each stands in the memory that it is of, also where that spells it otherwise."""
    at_least_once = {sign: max(1, frequency) for sign, frequency in statistics.frequencies.items()}
    return rarity(TokenStatistics(statistics.documents, at_least_once))


def carries_memory(telling: frozenset[str], said: frozenset[str], rarities: Mapping[str, float]) -> bool:
    """Tell whether an answer carries what a memory says: some of its signs, or a rare one, and enough of their
    weight."""
    found = telling & said
    if not found:
        return False
    whole = sum(_weight(word, rarities) for word in telling)
    share = sum(_weight(word, rarities) for word in found) / whole
    is_telling = len(found) >= USED_WORDS or any(_weight(word, rarities) >= RARE_WORD for word in found)
    return is_telling and share >= USED_SHARE


def _is_unused(
    memory: CitableRecord,
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
    """Tell how much a sign tells: its rarity in this store, and more for figures and Latin words. A small number by
    itself, or a month, tells nothing alone, however rare it is in the store."""
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


# Words with single blanks between them: nothing in them can begin a citation, a fence or code.
_PLAIN = re.compile(r"[^`~\[【\n ]+(?: [^`~\[【\n ]+)*")
# No more of an answer is held back for what may become a mark: twenty references of ten characters. Chosen by hand.
_LONGEST_MARK = 200
_OPENING = "[【"


class _Marks(Struct, frozen=True):
    """What a citation looks like, for the letters of some kinds."""

    reference: re.Pattern[str]
    whole: re.Pattern[str]
    unfinished: re.Pattern[str]
    """What may yet become a mark: an opening bracket and nothing but references, separators and blanks behind it."""


@cache
def _marks(letters: str) -> _Marks:
    letter = f"[{re.escape(letters.lower() + letters.upper())}]"
    ref = rf"{letter}\d{{1,9}}"
    return _Marks(
        re.compile(ref),
        re.compile(rf"[\[【]\s*({ref}(?:\s*[,，、;；]\s*{ref})*)\s*[\]】](?!\()"),
        re.compile(rf"[\[【]\s*(?:{ref}\s*[,，、;；]\s*)*(?:{letter}\d{{0,9}}\s*)?$"),
    )


class CitationFilter:
    """Feed it an answer in pieces of any size; what it gives back is the answer without its citations.

    It holds back no more than what may yet become a citation, a fence or a run of backticks. `shown` is what the model
    was shown, `letters` are those that any reference may begin with: what was not shown is taken out, too.
    """

    def __init__(self, shown: Collection[Ref], letters: str = BUILT_IN_KINDS.letters) -> None:
        self._letters = letters
        self._shown_length = 0
        self._citations: list[Citation] = []
        self.go_on(shown)

    def go_on(self, shown: Iterable[Ref]) -> None:
        """Return what follows is another answer, to a model that was shown this: no code is open any more."""
        self._shown = {str(ref): ref for ref in shown}
        self._marks = _marks("".join(sorted({*self._letters, *(ref.kind.letter for ref in self._shown.values())})))
        self._begin()

    def take_back(self, length: int) -> None:
        """Return what came behind so many shown characters was no answer."""
        self._shown_length = length
        self._citations = [each for each in self._citations if each.at <= length]
        self._begin()

    def _begin(self) -> None:
        self._held = self._line = self._fence = self._inline = ""
        self._last = "\n"

    @property
    def citations(self) -> tuple[Citation, ...]:
        """The records cited so far, each place once, with offsets into the shown text."""
        return tuple(self._citations)

    def feed(self, piece: str) -> str:
        """More of the answer; what can be shown of it by now."""
        self._held += piece
        return self._take(is_end=False)

    def finish(self) -> str:
        """The rest, at the end of the answer."""
        return self._take(is_end=True)

    def _take(self, *, is_end: bool) -> str:
        shown: list[str] = []
        position = 0
        while position < len(self._held):
            step = self._step(position, is_end=is_end)
            if step is None:
                break
            text, position = step
            if text:
                shown.append(text)
                self._note(text)
        self._held = self._held[position:]
        return "".join(shown)

    def _step(self, position: int, *, is_end: bool) -> tuple[str, int] | None:
        """Return what is shown next and where to go on; None where more must come first."""
        character = self._held[position]
        if character in "`~":
            return self._ticks(position, is_end=is_end)
        if character in _OPENING and not self._fence and not self._inline:
            return self._bracket(position, before=self._last, is_end=is_end)
        if character == " " and not self._fence and not self._inline:
            return self._blank(position, is_end=is_end)
        if character == "\n":
            self._inline = "" if self._last == "\n" else self._inline
        if plain := _PLAIN.match(self._held, position):
            return plain[0], plain.end()
        return character, position + 1

    def _ticks(self, position: int, *, is_end: bool) -> tuple[str, int] | None:
        """A run of backticks or tildes: it opens or closes code, or is just text."""
        character = self._held[position]
        end = position
        while end < len(self._held) and self._held[end] == character:
            end += 1
        if end == len(self._held) and not is_end:
            return None
        run = self._held[position:end]
        at_line_start = not self._line.strip() and len(self._line) <= 3
        if self._fence:
            if at_line_start and run[0] == self._fence[0] and len(run) >= len(self._fence):
                self._fence = ""
        elif at_line_start and len(run) >= 3:
            self._fence, self._inline = run, ""
        elif character == "`":
            if not self._inline:
                self._inline = run
            elif self._inline == run:
                self._inline = ""
        return run, end

    def _blank(self, position: int, *, is_end: bool) -> tuple[str, int] | None:
        """A blank before a citation goes with it, unless a word follows right behind."""
        if position + 1 == len(self._held):
            return (" ", position + 1) if is_end else None
        if self._held[position + 1] not in _OPENING:
            return " ", position + 1
        step = self._bracket(position + 1, before=" ", is_end=is_end)
        if step is None or step[0]:
            return (" ", position + 1) if step else None
        follows_word = step[1] < len(self._held) and self._held[step[1]].isalnum()
        return (" " if follows_word else ""), step[1]

    def _bracket(self, position: int, *, before: str, is_end: bool) -> tuple[str, int] | None:
        """An opening bracket: a citation, the beginning of one, or just text."""
        mark = self._marks.whole.match(self._held, position)
        rest = self._held[position : position + _LONGEST_MARK]
        if mark is None:
            if not is_end and len(rest) < _LONGEST_MARK and self._marks.unfinished.fullmatch(rest):
                return None
            return self._held[position], position + 1
        if mark.end() == len(self._held) and not is_end:
            return None  # a "(" behind it would make it a link's label
        named = [_canonical(reference) for reference in self._marks.reference.findall(mark[1])]
        if before.isascii() and (before.isalpha() or before in "_])") and not self._shown.keys() >= set(named):
            return self._held[position], position + 1  # `rows[m9]`, without its backticks
        self._cite(named)
        return "", mark.end()

    def _cite(self, named: list[str]) -> None:
        for reference in named:
            if (ref := self._shown.get(reference)) is None:
                continue
            citation = Citation(ref, self._shown_length)
            if citation not in self._citations:
                self._citations.append(citation)

    def _note(self, text: str) -> None:
        self._shown_length += len(text)
        self._last = text[-1]
        self._line = "" if text[-1] == "\n" else (self._line + text)[-8:]


def _canonical(reference: str) -> str:
    """`M07` names what `m7` does."""
    return f"{reference[0].lower()}{int(reference[1:])}"
