"""What a fact can stand on: what the user typed of their own, what others wrote, what the assistant said, and what is
remembered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import groupby

from msgspec import Struct
from msgspec.structs import replace

from orca_core.domain.dialogues import Round
from orca_core.domain.memories import Memory, OriginKind
from orca_core.rules.learning.agent.transcripts import Testimony, testimony
from orca_core.rules.learning.provenance.addresses import addresses_in
from orca_core.rules.learning.provenance.wordings import Wording, together, wording_of
from orca_core.rules.text import sentences
from orca_core.rules.text.cleaning import clean_memory, has_hidden, is_turned_round, with_hidden_shown
from orca_core.rules.text.letters import folded, folded_with_places
from orca_core.rules.text.relative_dates import Days, days_meant

MIN_QUOTE = 4
"""A shorter quote stands in any text: a Chinese character counts one, another word two. Chosen by hand."""


class Quote(Struct, frozen=True):
    """Words that stand in what the user typed, as they were typed and on one line, and the rounds that have them.
    `is_hidden` where something that nobody sees stands among them."""

    text: str
    rounds: tuple[int, ...]
    is_hidden: bool = False


class TypedRound(Struct, frozen=True, dict=True):
    """What was typed in a round: a mask stands for what was not, and for what the typed text quotes of others."""

    number: int
    text: str

    def finding(self, quote: str) -> str | None:
        """A quote as it stands here, letter for letter but for blanks, width and case; None where it does not."""
        letters, places = self._letters
        wanted = folded(quote)
        if not wanted or sentences.MASK in wanted:
            return None
        start = letters.find(wanted)
        return None if start < 0 else self.text[places[start] : places[start + len(wanted) - 1] + 1]

    @cached_property
    def _letters(self) -> tuple[str, list[int]]:
        return folded_with_places(self.text)


class Sources(Struct, frozen=True, dict=True):
    """All that a fact can stand on; `meant` are the days that words like "tomorrow" may mean, `addresses`
    those that were typed or are remembered."""

    rounds: tuple[TypedRound, ...]
    untrusted: tuple[str, ...]
    foreign: Wording
    answered: Wording
    known: Wording
    meant: tuple[Days, ...]
    addresses: frozenset[str]

    @cached_property
    def typed(self) -> Wording:
        """Every word that the user typed of their own, whatever they said with it."""
        return together(wording_of(each.text) for each in self.rounds)

    @cached_property
    def told(self) -> Wording:
        """What was typed, and what is remembered."""
        return together([self.typed, self.known])

    def hides_beside(self, quote: Quote | None) -> bool:
        """Whether something that nobody sees stands in a quote, or turns round or hides what stands beside it; without
        a quote, in anything that was typed."""
        if quote is None:
            return any(has_hidden(each.text) for each in self.rounds)
        return quote.is_hidden or any(is_turned_round(each.text) for each in self.rounds if each.number in quote.rounds)

    def quote(self, words: str) -> Quote | None:
        """The words as they were typed, in one piece; None where they were not, or are too few to say anything."""
        if sentences.weight_of(words) < MIN_QUOTE:
            return None
        found = [(each.number, text) for each in self.rounds if (text := each.finding(words)) is not None]
        if not found:
            return None
        return Quote(clean_memory(found[0][1]), tuple(number for number, _ in found), has_hidden(found[0][1]))

    def is_anothers(self, words: str) -> bool:
        """Whether the words stand in what others wrote."""
        wanted = folded(words)
        return bool(wanted) and any(wanted in folded(text) for text in self.untrusted)


@lru_cache(maxsize=8)
def sources_of(said: Testimony, known: tuple[str, ...] = ()) -> Sources:
    """What the rounds of a testimony give to stand on: all facts of a run are judged by the same, and a paste in it may
    be long. `known` are live memories."""
    rounds = tuple(_typed(said))
    quoted = [each for text in _joined(said).values() for each in sentences.quotations(text)]
    untrusted = (*said.untrusted, *quoted)
    return Sources(
        rounds=rounds,
        untrusted=untrusted,
        foreign=together(map(wording_of, untrusted)),
        answered=together(map(wording_of, said.assistant)),
        known=together(map(wording_of, known)),
        meant=tuple(_meant(said, rounds)),
        addresses=frozenset().union(*map(addresses_in, (*(each.text for each in rounds), *known))),
    )


def verified_quote(words: str, said: Testimony) -> Quote | None:
    """The words as the user typed them in these rounds; None where they did not."""
    return sources_of(said).quote(words)


def with_typed_quote(memory: Memory, rounds: Sequence[Round]) -> Memory:
    """The memory with its quote as it was typed in these rounds, which are those that it came from; what nobody sees in
    it is shown. Without one where it was not typed, and where the rounds are gone: nobody can tell any more. What was
    read in a chat of another program was typed there."""
    quote = memory.origin.quote
    if not quote or _is_of_a_chat_elsewhere(memory):
        return memory
    spelled = next(filter(None, (each.finding(quote) for each in sources_of(testimony(rounds)).rounds)), None)
    shown = None if spelled is None else clean_memory(with_hidden_shown(spelled))
    return replace(memory, origin=replace(memory.origin, quote=shown))


def _is_of_a_chat_elsewhere(memory: Memory) -> bool:
    origin = memory.origin
    return origin.kind is OriginKind.IMPORT and origin.session_id is None and bool(memory.elsewhere.program)


def _joined(said: Testimony) -> dict[int, str]:
    """What was typed in each round, with a gap between the pieces."""
    return {
        number: sentences.GAP.join(text for _, text in spans)
        for number, spans in groupby(said.typed, key=lambda each: each[0])
    }


def _typed(said: Testimony) -> Iterator[TypedRound]:
    for number, text in _joined(said).items():
        yield TypedRound(number, sentences.masked(text))


def _meant(said: Testimony, rounds: Sequence[TypedRound]) -> Iterator[Days]:
    days = dict(said.said_on)
    for each in rounds:
        if each.number in days:
            yield from days_meant(each.text, days[each.number])
