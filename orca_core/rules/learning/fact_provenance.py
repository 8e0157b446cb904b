"""Judge whose words a fact is made of: each name, number, date and address that it names must have been typed, and what
others wrote is held."""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import cache

from msgspec import Struct

from orca_core import words
from orca_core.model.learning import ProposedFact
from orca_core.model.memories import MemoryType
from orca_core.rules.learning.quotes import (
    Unit,
    UnitKind,
    Wording,
    compare,
    stands_in,
    stems_of,
    units_of,
    years_of,
)
from orca_core.rules.learning.transcripts import Testimony
from orca_core.rules.learning.typed_sources import Quote, Sources, addresses_in, is_typed_address, sources_of
from orca_core.rules.memory import said_again
from orca_core.rules.requests.remember_and_forget import remembered_type, sensitive_reason
from orca_core.rules.text.cleaning import has_hidden
from orca_core.rules.text.dates import weekdays_named
from orca_core.rules.text.numerals import halves_in
from orca_core.rules.text.search_terms import stem
from orca_core.rules.text.spelling import in_plain_words, language_of, simplified

ONE = "1"
"""It counts nothing where it is an article: "one of …", 一直, 一点."""
SMALL_NUMBER = 100
"""Bare numbers below it stand in any long text."""
MIN_NAME = 3
"""A shorter Latin word in small letters is an abbreviation of something ordinary ("pm", "vs"). Chosen by hand."""
MOSTLY = 0.75
"""Where so much of a fact was typed a single everyday word may be its writer's own. Chosen by hand."""
_YEAR = re.compile(r"(?:19|20)\d\d")
_CONTRACTED = re.compile(r"n?['’](?:\w{1,2})$")
_LETTERS = re.compile(r"[^\W\d_]+")


def is_foreign(content: str, sources: Sources) -> bool:
    """Tell whether a word of it stands only in what others wrote, or more of it in the answers alone than was typed.
    Where nearly all of it was typed, one everyday word may stand in what others wrote, too. What is remembered is no
    help to others who speak of it: some word must have been typed now."""
    said = units_of(content)
    is_theirs = any(stands_in(unit, sources.foreign) for unit in said if not is_small(unit))
    if is_theirs and not any(stands_in(unit, sources.typed) for unit in said):
        return True
    told = compare(content, sources.told)
    theirs = [unit for unit in told.lacking if stands_in(unit, sources.foreign)]
    counted = [unit for unit in theirs if not (is_small(unit) or is_common(unit))]
    if counted and not (len(counted) == 1 and told.share >= MOSTLY and _is_everyday(counted[0])):
        return True
    answered = [unit for unit in told.lacking if stands_in(unit, sources.answered) and not is_small(unit)]
    return sum(unit.weight for unit in answered) > told.found


def _is_everyday(unit: Unit) -> bool:
    return unit.kind is UnitKind.WORD and is_ordinary(unit.text, words.ENGLISH)


def is_typed_with_hidden(content: str, sources: Sources) -> bool:
    """Tell whether a word of it was typed only with something in it that nobody sees."""
    return any(stands_in(unit, sources.uncovered) for unit in compare(content, sources.told).lacking)


def untyped_addresses(content: str, sources: Sources) -> Iterator[str]:
    """The addresses that it names and nobody typed whole."""
    return (each for each in addresses_in(content) if not is_typed_address(each, sources.addresses))


def untyped(content: str, sources: Sources) -> Iterator[str]:
    """Yield what it names that was not typed, and is not remembered."""
    language, lacking = language_of(content), compare(content, sources.told).lacking
    near = [unit for unit in units_of(content) if unit.kind is UnitKind.WORD and unit not in lacking]
    for unit in (*lacking, *near):
        if not weekdays_named(unit.text) and _must_be_typed(unit, sources, language):
            yield unit.text
    yield from untyped_addresses(content, sources)
    yield from _years(content, sources)
    yield from _weekdays(content, sources)
    halves = halves_in(content)
    if halves and halves.isdisjoint(sources.told.numbers):
        yield min(halves)
    yield from _chinese_names(simplified(content), sources.told)


def _must_be_typed(unit: Unit, sources: Sources, language: str) -> bool:
    """Tell whether it is a name, a number, or a date that follows from no word of the user's."""
    match unit.kind:
        case UnitKind.DATE:
            month, _, day = unit.text.removeprefix("d_").partition("_")
            return not any(days.holds(int(month), int(day) if day else None) for days in sources.meant)
        case UnitKind.NUMBER if _YEAR.fullmatch(unit.text):
            is_short = unit.text[2:] in sources.typed.numbers  # "in 09", 94年的楼
            return not is_short and not any(days.reaches(int(unit.text)) for days in sources.meant)
        case UnitKind.NUMBER:
            return unit.text != ONE
        case UnitKind.HAN:
            return False
        case UnitKind.WORD if language in words.of_whole_words() and is_ordinary(unit.text, language):
            return False
    return not _is_named(unit, sources.told)


def is_ordinary(word: str, language: str) -> bool:
    """Tell whether a Latin word is made of words of the language, so that it is nobody's name; of a language whose
    words nobody has listed each word may be."""
    ordinary = words.word_set("ordinary.stems", language)
    if not ordinary:
        return True
    bare = _CONTRACTED.sub("", word.casefold())
    return all(len(part) < MIN_NAME or stem(part) in ordinary for part in _LETTERS.findall(bare))


def is_small(unit: Unit) -> bool:
    """Tell whether it is a mere count."""
    return unit.kind is UnitKind.NUMBER and unit.text.isdigit() and int(unit.text) < SMALL_NUMBER


def is_common(unit: Unit) -> bool:
    """Tell whether any long text has the word."""
    return unit.kind is UnitKind.WORD and unit.text.casefold() in words.word_set("asserting.common")


def _is_named(unit: Unit, told: Wording) -> bool:
    """Tell whether a name was typed, whole but for its ending (Java is no JavaScript), or says of what kind the thing
    is whose name stands beside it: RAM, SDK."""
    spelled = unit.text.casefold()
    return (
        words.pattern("asserting.kinds").fullmatch(unit.text) is not None
        or not told.stems.isdisjoint(stems_of(spelled))
        or not told.spelled.isdisjoint({spelled, spelled.removesuffix("s")})
    )


def _years(content: str, sources: Sources) -> Iterator[str]:
    """The dates whose year was not typed with them, and follows from no word of the user's."""
    for each in years_of(content):
        if each.token in sources.told.dates:
            continue
        if not any(days.holds(each.month, each.day, each.year) for days in sources.meant):
            yield each.token


def _weekdays(content: str, sources: Sources) -> Iterator[str]:
    """The days of the week that were not typed, and are the days of no date that was."""
    for day in sorted(weekdays_named(content) - sources.told.weekdays):
        if not any(days.falls_on(day) for days in sources.meant):
            yield calendar.day_abbr[day]


def chinese_names(content: str) -> list[str]:
    """The names of places, and of people where it is said that it is one."""
    found = [match[0] for match in _places().finditer(content)]
    return found + [match["name"] for each in words.patterns("asserting.named") for match in each.finditer(content)]


def _chinese_names(content: str, told: Wording) -> Iterator[str]:
    """Those names that stand in no typed run."""
    for name in chinese_names(content):
        spelled = in_plain_words(name).strip()
        if not any(name in run or spelled in run for run in told.han):
            yield name


@cache
def _places() -> re.Pattern[str]:
    longest_first = sorted(words.words("places.places"), key=len, reverse=True)
    return re.compile(f"(?:{'|'.join(longest_first)})(?![语文菜话]|口音)")


_ANOTHER = "other"
"""The label by which an extractor says itself that a fact is about somebody else."""


class Held(StrEnum):
    """Why a fact waits for a person."""

    NOT_TYPED = "not_typed"
    """Words of it, or all of them, were not typed."""
    HIDDEN = "hidden"
    """Something that nobody sees stands in it as the model worded it, or in the words that it rests on."""
    URL = "url"
    SECRET = "secret"
    ACCOUNT_NUMBER = "account_number"
    RISKY_INSTRUCTION = "risky_instruction"
    """It tells to act elsewhere: to send, pay, delete, run, open or restart something."""
    CONTRADICTS_PINNED = "contradicts_pinned"
    KEPT_BY_HAND = "kept_by_hand"
    IMPORTED = "imported"
    NOT_SAID = "not_said"
    """The verifier, or the extractor itself, says that the user does not say so."""
    ASK = said_again.ASK
    """The configuration has a person asked about each."""
    UNREAD = "unread"
    """The verifier has not answered."""


class Verdict(Struct, frozen=True):
    """What provenance makes of a fact: `held` is None for one that passed. `rounds` are those whose typed text has the
    quote, and `quote` is what was typed there, however the model spelled it; a fact without one rests on no words that
    were verified."""

    held: Held | None
    quote: str | None = None
    rounds: tuple[int, ...] = ()


def judge(fact: ProposedFact, said: Testimony, known: Sequence[str] = ()) -> Verdict:
    """Tell whether the fact may live, by what was typed in the rounds that it was found in. `known` are live
    memories."""
    sources = sources_of(said, tuple(known))
    quote = sources.quote(fact.quote)
    held = _held(fact, quote, sources)
    return Verdict(held, quote.text, quote.rounds) if quote is not None else Verdict(held)


def held_for_words(quote: Quote) -> Held | None:
    """Tell why words that were typed are no quote that a fact may live by: something is hidden in them, or they hold a
    secret or a number of an account. An address in them was typed."""
    if quote.is_hidden:
        return Held.HIDDEN
    reason = sensitive_reason(quote.text)
    return None if reason is None or reason == Held.URL else Held(reason)


def _held(fact: ProposedFact, quote: Quote | None, sources: Sources) -> Held | None:
    """The first reason that holds it, the gravest first."""
    content = simplified(fact.content)
    if fact.has_hidden or has_hidden(fact.content) or (quote is not None and quote.is_hidden):
        return Held.HIDDEN
    if is_typed_with_hidden(content, sources):
        return Held.HIDDEN
    if reason := _sensitive(content, fact.quote, sources):
        return reason
    if is_risky(content, fact.type):
        return Held.RISKY_INSTRUCTION
    if is_foreign(content, sources) or any(untyped(content, sources)):
        return Held.NOT_TYPED
    if quote is None and sources.is_anothers(fact.quote):
        return Held.NOT_TYPED
    return Held.NOT_SAID if fact.about == _ANOTHER else None


def _sensitive(content: str, quote: str, sources: Sources) -> Held | None:
    """The reason of a secret, a number of an account, or an address that was not typed."""
    reason = sensitive_reason(content) or sensitive_reason(quote)
    if reason is None:
        return None
    is_typed = not compare(content, sources.typed).lacking and not any(untyped_addresses(content, sources))
    if reason == Held.URL and is_typed:
        return None
    return Held(reason)


def is_risky(content: str, kind: MemoryType) -> bool:
    """Tell whether it tells the assistant to act elsewhere (to send, pay, delete, run, open or restart something); that
    it is never to do so is none."""
    is_of_the_user = words.pattern("asserting.the_user_first").match(content) is not None
    is_told = kind is MemoryType.INSTRUCTION or (
        not is_of_the_user and remembered_type(content) is MemoryType.INSTRUCTION
    )
    if not (is_told or words.pattern("asserting.to_the_assistant").search(content)):
        return False
    forbidden = words.pattern("asserting.forbidden")
    return any(
        not forbidden.search(content[: found.start()]) for found in words.pattern("asserting.risky").finditer(content)
    )
