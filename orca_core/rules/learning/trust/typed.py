"""What a fact can stand on: the clauses that the user typed, what others wrote, and what the assistant said."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import groupby

from msgspec import Struct

from orca_core.rules.clauses import splitting
from orca_core.rules.clauses.clause import Clause, Frame
from orca_core.rules.clauses.reading import frame_left_open, read_clauses
from orca_core.rules.clauses.wording import has
from orca_core.rules.learning.agent.transcripts import Testimony
from orca_core.rules.learning.trust.wordings import Wording, together, wording_of
from orca_core.rules.text.cleaning import clean_memory
from orca_core.rules.text.letters import folded, folded_with_places
from orca_core.rules.text.relative_dates import Days, days_meant

NAMED_BEFORE = 3
"""So many clauses before it "it" may mean. Chosen by hand."""
MIN_QUOTE = 4
"""A shorter quote stands in any text: a Chinese character counts one, another word two. Chosen by hand."""

_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_WORD = re.compile(r"[^\W_]+")


class TypedRound(Struct, frozen=True, dict=True):
    """What was typed in a round, with a mark where something else stood, and its clauses."""

    number: int
    text: str
    clauses: tuple[Clause, ...]

    def holding(self, quote: str) -> list[Clause]:
        """The clauses that a quote touches, wherever it stands, letter for letter but for blanks, width and case."""
        found: list[Clause] = []
        for start, end in self._places(quote):
            found += [each for each in self.clauses if each.start < end and start < each.end and each not in found]
        return found

    def spelling(self, quote: str) -> str:
        """The quote as it was typed, on one line; empty where it touches no clause."""
        for start, end in self._places(quote):
            if any(each.start < end and start < each.end for each in self.clauses):
                return clean_memory(self.text[start:end])
        return ""

    @cached_property
    def _letters(self) -> tuple[str, list[int]]:
        return folded_with_places(self.text)

    def _places(self, quote: str) -> Iterator[tuple[int, int]]:
        """Where a quote stands, from its first letter to behind its last one. None spans what was not typed."""
        letters, places = self._letters
        wanted = folded(quote)
        if not wanted or splitting.MASK in wanted:
            return
        start = letters.find(wanted)
        while start >= 0:
            yield places[start], places[start + len(wanted) - 1] + 1
            start = letters.find(wanted, start + 1)


class Ground(Struct, frozen=True, dict=True):
    """All that a fact can stand on, and `known`: what is remembered already."""

    rounds: tuple[TypedRound, ...]
    foreign: Wording
    answered: Wording
    untrusted: tuple[str, ...]
    known: Wording
    meant: tuple[Days, ...]
    """The days that words like "tomorrow" may mean."""

    @cached_property
    def typed(self) -> Wording:
        """Every word that the user typed of their own, whatever they said with it."""
        return together(wording_of(each.text) for number in self.rounds for each in number.clauses)

    def named_before(self, clause: Clause) -> tuple[Clause, ...]:
        """The clauses that a clause may refer to by "it" or "them", without those that are no words of the user's."""
        if not has("refers_back", clause.text):
            return ()
        for each in self.rounds:
            if clause in each.clauses:
                place = each.clauses.index(clause)
                near = each.clauses[max(0, place - NAMED_BEFORE) : place]
                return tuple(other for other in near if other.frame in (Frame.NONE, Frame.SUPPOSED))
        return ()

    def told_by(self, clauses: Sequence[Clause]) -> Wording:
        """What clauses say, with what was named before those that only refer to it."""
        return wording_of_clauses([*clauses, *(named for clause in clauses for named in self.named_before(clause))])

    @property
    def has_untrusted(self) -> bool:
        return bool(self.untrusted)


def wording_of_clauses(clauses: Iterable[Clause]) -> Wording:
    """Several clauses as one text."""
    return together(wording_of(clause.text) for clause in clauses)


@lru_cache(maxsize=8)
def ground_of(said: Testimony, known: tuple[str, ...] = ()) -> Ground:
    """All facts of a run stand on the same ground, and a paste in it may be long."""
    rounds: list[TypedRound] = []
    quoted: list[str] = []
    frame = Frame.NONE
    for number, spans in groupby(said.typed, key=lambda each: each[0]):
        text = splitting.GAP.join(span for _, span in spans)
        rounds.append(TypedRound(number, text, read_clauses(text, frame)))
        frame = frame_left_open(text, frame)
        quoted += splitting.quotations(text)
    untrusted = (*said.untrusted, *quoted)
    return Ground(
        rounds=tuple(rounds),
        foreign=together(map(wording_of, untrusted)),
        answered=together(map(wording_of, said.assistant)),
        untrusted=untrusted,
        known=together(map(wording_of, known)),
        meant=tuple(
            days
            for each in rounds
            for number, day in said.said_on
            if number == each.number
            for days in days_meant(splitting.masked(each.text), day)
        ),
    )


def is_long_enough(quote: str) -> bool:
    return len(_HAN.findall(quote)) + 2 * len(_WORD.findall(_HAN.sub(" ", quote))) >= MIN_QUOTE
