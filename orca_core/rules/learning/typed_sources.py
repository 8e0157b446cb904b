"""Hold what some rounds give a fact to stand on: what was typed, what others wrote; find a quote in what was
typed."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence
from functools import cached_property, lru_cache
from itertools import groupby

from msgspec import Struct
from msgspec.structs import replace

from orca_core.model.memories import Memory, OriginKind
from orca_core.model.sessions import Round
from orca_core.rules.learning.quotes import Wording, together, wording_of
from orca_core.rules.learning.transcripts import Testimony, testimony
from orca_core.rules.text import typed_spans
from orca_core.rules.text.cleaning import clean_memory, has_hidden, is_turned_round, with_hidden_shown
from orca_core.rules.text.relative_dates import DayRange, days_meant
from orca_core.rules.text.spelling import folded, folded_with_places

_LETTER = r"[^\W\u3400-\u9fff\uf900-\ufaff]"  # no Han: nothing parts the words of "博客是b.example.org"
_REST = r"[^\s\ufffc\u3000-\u9fff\uf900-\uffef<>\"'“”‘’`)\]}|,;]"
_BEFORE = rf"(?<!{_LETTER})(?<![.@/:~\\-])"
_ADDRESS = re.compile(
    rf"{_BEFORE}[A-Za-z][A-Za-z0-9+.-]{{1,12}}://{_REST}+"
    rf"|{_BEFORE}(?:{_LETTER}|[.+-]){{1,64}}@(?:{_LETTER}|[.-]){{1,64}}"
    rf"|{_BEFORE}(?:(?:{_LETTER}|-){{1,63}}\.){{1,8}}(?:[a-z]{{2,24}}|[A-Z]{{2,24}})(?!{_LETTER})(?::\d+)?(?:/{_REST}*)?"
    rf"|{_BEFORE}(?:~|\.{{1,2}})?/(?:{_LETTER}|[.-])+/{_REST}+|{_BEFORE}~/{_REST}+"
    rf"|{_BEFORE}[A-Za-z]:\\{_REST}+"
    rf"|{_BEFORE}(?:{_LETTER}|-){{1,63}}(?:/(?:{_LETTER}|-){{1,63}}){{0,12}}/(?:{_LETTER}|-){{1,63}}\.[a-z]{{1,5}}(?![:/-]|\.?{_LETTER})"
)
_PATH = re.compile(r"(?:[~.]*/|[a-z]:\\|[^./@:]+/)(?:.*[/\\])?(?P<file>[^/\\]+)")
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*://(?:www\.(?=.+\.))?|www\.(?=.+\.)")
_PROGRAM = re.compile(r"[^/@]+\.js")
"""A name as "Node.js", which is typed "node": no host ends so."""


def addresses_in(text: str) -> frozenset[str]:
    """The addresses of a text in small letters, without their scheme; of a path the file that it ends in, too."""
    found = (match[0].casefold() for match in _ADDRESS.finditer(unicodedata.normalize("NFKC", text)))
    bare = [_SCHEME.sub("", each, count=1).rstrip(".:!?/\\") for each in found]
    named = [name for each in bare for name in (each, *_file_of(each))]
    return frozenset(each for each in named if each and not _PROGRAM.fullmatch(each))


def _file_of(address: str) -> list[str]:
    match = _PATH.fullmatch(address)
    return [match["file"]] if match and "." in match["file"] else []


def is_typed_address(address: str, typed: Collection[str]) -> bool:
    """Tell whether an address is one of the typed ones, or such a one goes on from it."""
    return any(each == address or each.startswith(tuple(address + sign for sign in "/?#:\\")) for each in typed)


MIN_QUOTE = 4
"""A shorter quote stands in any text: a Chinese character counts one, another word two. Chosen by hand."""
MIN_CLAUSE = 2
"""As much may say something where nothing else stands beside it: 高二. Chosen by hand."""
_BREAK = re.compile(rf"[^\w\s]|\n|_|{typed_spans.MASK}|(?<=[\u3400-\u9fff])\s|\s(?=[\u3400-\u9fff])")
"""Parts the clauses of a text: a mark, the end of a line, or a blank beside a Chinese character."""


class Quote(Struct, frozen=True):
    """Words that stand in what the user typed, as they were typed and on one line, and the rounds that have them.
    `is_hidden` where something that nobody sees stands among or beside them, or turns round or hides a part of such a
    round."""

    text: str
    rounds: tuple[int, ...]
    is_hidden: bool = False


class TypedRound(Struct, frozen=True, dict=True):
    """What was typed in a round: a mask stands for what was not, and for what the typed text quotes of others."""

    number: int
    text: str

    def find(self, quote: str) -> str | None:
        """A quote as it stands here, letter for letter but for blanks, width and case; None where it does not."""
        place = self._place(quote)
        return None if place is None else self.text[self._letters[1][place[0]] : self._letters[1][place[1]] + 1]

    def hides_beside(self, quote: str) -> bool:
        """Tell whether something that nobody sees stands in a quote or at its ends, or turns round or hides any part of
        what was typed here."""
        place, places = self._place(quote), self._letters[1]
        if place is None:
            return False
        first, last = place
        before = places[first - 1] + 1 if first else 0
        after = places[last + 1] if last + 1 < len(places) else len(self.text)
        return has_hidden(self.text[before:after]) or is_turned_round(self.text)

    def _place(self, quote: str) -> tuple[int, int] | None:
        """Its first and its last letter."""
        wanted = folded(quote)
        if not wanted or typed_spans.MASK in wanted:
            return None
        first = self._letters[0].find(wanted)
        return None if first < 0 else (first, first + len(wanted) - 1)

    @cached_property
    def clauses(self) -> frozenset[str]:
        """The letters of what stands between two marks, or blanks of Chinese."""
        return frozenset(map(folded, _BREAK.split(self.text)))

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
    meant: tuple[DayRange, ...]
    addresses: frozenset[str]

    @cached_property
    def typed(self) -> Wording:
        """Every word that the user typed of their own, whatever they said with it."""
        return together(wording_of(each.text) for each in self.rounds)

    @cached_property
    def told(self) -> Wording:
        """What was typed, and what is remembered."""
        return together([self.typed, self.known])

    @cached_property
    def has_hidden(self) -> bool:
        """Tell whether something that nobody sees stands in anything that was typed."""
        return any(has_hidden(each.text) for each in self.rounds)

    @cached_property
    def uncovered(self) -> Wording:
        """The words of what was typed with something that nobody sees, without that."""
        return together(wording_of(clean_memory(each.text)) for each in self.rounds if has_hidden(each.text))

    def quote(self, words: str) -> Quote | None:
        """The words as they were typed, in one piece; None where they were not, or are too few to say anything."""
        return self._find(words, self.rounds) if typed_spans.weight_of(words) >= MIN_QUOTE else None

    def clause(self, words: str) -> Quote | None:
        """The words as they were typed as a clause of its own, however short."""
        holding = [each for each in self.rounds if folded(words) in each.clauses]
        return self._find(words, holding) if typed_spans.weight_of(words) >= MIN_CLAUSE else None

    def _find(self, words: str, rounds: Sequence[TypedRound]) -> Quote | None:
        found = [(each, text) for each in rounds if (text := each.find(words)) is not None]
        if not found:
            return None
        numbers = tuple(each.number for each, _ in found)
        return Quote(clean_memory(found[0][1]), numbers, any(each.hides_beside(words) for each, _ in found))

    def is_anothers(self, words: str) -> bool:
        """Tell whether the words stand in what others wrote."""
        wanted = folded(words)
        return bool(wanted) and any(wanted in folded(text) for text in self.untrusted)


@lru_cache(maxsize=8)
def sources_of(said: Testimony, known: tuple[str, ...] = ()) -> Sources:
    """Return what the rounds of a testimony give to stand on: all facts of a run are judged by the same, and a paste in
    it may be long. `known` are live memories."""
    joined, days = _joined(said), dict(said.said_on)
    rounds = tuple(TypedRound(number, typed_spans.mask_quotations(text)) for number, text in joined.items())
    untrusted = (*said.untrusted, *(each for text in joined.values() for each in typed_spans.quotations(text)))
    return Sources(
        rounds=rounds,
        untrusted=untrusted,
        foreign=together(map(wording_of, untrusted)),
        answered=together(map(wording_of, said.assistant)),
        known=together(map(wording_of, known)),
        meant=tuple(day for each in rounds if each.number in days for day in days_meant(each.text, days[each.number])),
        addresses=frozenset().union(*map(addresses_in, (*(each.text for each in rounds), *known))),
    )


def verified_quote(words: str, said: Testimony) -> Quote | None:
    """The words that a verifier names, as the user typed them in these rounds: a piece that is long enough, or a whole
    clause. None where they typed neither."""
    sources = sources_of(said)
    return sources.quote(words) or sources.clause(words)


def with_typed_quote(memory: Memory, rounds: Sequence[Round]) -> Memory:
    """The memory with its quote as it was typed in these rounds, which are those that it came from; what nobody sees in
    it is shown. Without one where it was not typed, and where the rounds are gone: nobody can tell any more. What was
    read in a chat of another program was typed there."""
    origin, quote = memory.origin, memory.origin.quote
    is_elsewhere = origin.kind is OriginKind.IMPORT and origin.session_id is None and bool(memory.elsewhere.program)
    if not quote or is_elsewhere:
        return memory
    spelled = next(filter(None, (each.find(quote) for each in sources_of(testimony(rounds)).rounds)), None)
    shown = None if spelled is None else clean_memory(with_hidden_shown(spelled))
    return replace(memory, origin=replace(origin, quote=shown))


def _joined(said: Testimony) -> dict[int, str]:
    """Return what was typed in each round, with a gap between the pieces."""
    return {
        number: typed_spans.GAP.join(text for _, text in spans)
        for number, spans in groupby(said.typed, key=lambda each: each[0])
    }
