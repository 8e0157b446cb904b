"""What a preference that acts are said to show may become.

One that the user states in a query is judged as any fact is, by the typed words. All else is at most a candidate:
`unproven`, which supports may lift, only where nothing speaks against it. What stands in foreign words waits for a
person, however often it is liked: a text that says "the user wants …" is no wish of the user's."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from orca_core import words
from orca_core.domain.growth.reading import ActBatch, ProposedPreference
from orca_core.domain.learning import ProposedFact
from orca_core.domain.memories import MemoryType
from orca_core.rules.asking.remembering import is_conditional, sensitive_reason
from orca_core.rules.growing.promoting import UNPROVEN
from orca_core.rules.growing.sentences import sentences_of, speaks_to_the_user, tells_of_the_user
from orca_core.rules.growing.told import Told, asked_in, told_in
from orca_core.rules.learning.agent.parsing import ended
from orca_core.rules.learning.agent.transcripts import testimony
from orca_core.rules.learning.trust import details, verdicts
from orca_core.rules.learning.trust.evidence import Held, Verdict
from orca_core.rules.learning.trust.second_reading import JudgedFact
from orca_core.rules.learning.trust.wordings import (
    Unit,
    UnitKind,
    Wording,
    compare,
    stands_in,
    together,
    units_of,
    wording_of,
)
from orca_core.rules.text.languages import language_of
from orca_core.rules.text.scripts import simplified

CONFIDENCE = 0.8
"""What a preference is worth that acts show. Chosen by hand, as for facts without a figure."""
MAX_UNKNOWN_SHARE = 0.5
"""Less of it may stand neither in the user's words nor among the stock words: else it is the agent's own tale."""
MIN_REPEATED_SHARE = 0.6
"""So much of it makes it a repetition of one foreign sentence.

`tests/data/growth/development` chose both."""

_DETAILS = frozenset({UnitKind.NAME, UnitKind.DATE, UnitKind.NUMBER})


class JudgedPreference(Struct, frozen=True):
    """A preference as a fact with its verdict, `held` the reason for which it waits (None: it may live), and the place
    of the act that shows it."""

    judged: JudgedFact
    held: str | None
    action: int


def judged(proposed: ProposedPreference, batch: ActBatch, known: Sequence[str] = ()) -> list[JudgedPreference]:
    """What becomes of it. Where typed words bear its retraction, and not what it says besides, these are two."""
    is_bare = bool(proposed.retract) and not proposed.content
    fact = _as_fact(proposed, is_bare=is_bare)
    asked = tuple(each for each in asked_in(batch) if each.number == proposed.action)
    if proposed.is_explicit and proposed.quote and asked:
        said = replace(testimony(asked), untrusted=told_in(batch).foreign)
        found = [JudgedFact(each, verdict) for each, verdict in verdicts.judged(fact, said, known)]
        if any(each.verdict.held is None for each in found):
            return [stated(each, proposed.action) for each in found]
    held = Held.WEAK_EVIDENCE.value if is_bare else against(fact.content, told_in(batch)) or UNPROVEN
    return [JudgedPreference(JudgedFact(fact, Verdict(Held.WEAK_EVIDENCE)), held, proposed.action)]


def read_again(each: JudgedPreference, by_now: JudgedFact) -> JudgedPreference:
    """As the second reader left it, who may hold back what would live."""
    if each.held is not None or by_now.verdict.held is None:
        return replace(each, judged=by_now)
    return replace(each, judged=by_now, held=by_now.verdict.held.value)


def against(content: str, told: Told) -> str | None:
    """What speaks against it, so that no support ever lifts it; None where nothing does."""
    if reason := sensitive_reason(content):
        return reason
    if is_conditional(content):
        return Held.CONDITIONAL
    if gives_leave(content) or _is_foreign(content, told) or _repeats(content, told):
        return Held.NOT_TYPED
    return None


def stated(each: JudgedFact, action: int) -> JudgedPreference:
    """As what is read a second time however plain it is: a query asks for this one answer, and what sounds like a rule
    may be meant for it alone."""
    held = each.verdict.held
    by_now = replace(each, verdict=replace(each.verdict, is_plain=False))
    return JudgedPreference(by_now, None if held is None else held.value, action)


def _as_fact(proposed: ProposedPreference, *, is_bare: bool) -> ProposedFact:
    content = ended(proposed.retract) if is_bare else proposed.content
    return ProposedFact(
        content,
        MemoryType.PREFERENCE,
        proposed.tags,
        CONFIDENCE,
        quote=proposed.quote if proposed.is_explicit else "",
        replace=proposed.replace,
        retract=proposed.retract,
        is_bare=is_bare,
    )


def gives_leave(content: str) -> bool:
    """Whether it would let somebody do something, or hand something over: no like says so."""
    return any(pattern.search(simplified(content)) for pattern in words.patterns("growing.leave"))


def _is_foreign(content: str, told: Told) -> bool:
    """Whether a word of it stands in foreign text alone, or a detail of it nowhere; and whether more of it is unknown
    than an agent needs to say what was meant. Where others wrote in another language, words can't be compared, so that
    none may be unknown."""
    own, foreign = _wording(told.own), _wording(told.others)
    unnamed = _without_stock(told.without_tools(content))
    unknown = [unit for unit in compare(unnamed, own).lacking if not _says_little(unit)]
    if any(unit.kind in _DETAILS or stands_in(unit, foreign) for unit in unknown):
        return True
    if unknown and any(language_of(text) != language_of(content) for text in told.foreign):
        return True
    whole = sum(unit.weight for unit in units_of(content))
    return sum(unit.weight for unit in unknown) >= MAX_UNKNOWN_SHARE * max(1.0, whole)


def _repeats(content: str, told: Told) -> bool:
    """Whether others said so of the user: in its words, of how answers are to be, or in another language."""
    typed = compare(content, _wording(told.own)).share
    for sentence in _sentences(told.others):
        share = compare(content, wording_of(sentence)).share
        if typed >= max(share, MIN_REPEATED_SHARE):
            continue
        if tells_of_the_user(sentence):
            if language_of(sentence) != language_of(content):
                return True
            if share >= MIN_REPEATED_SHARE or _has_stock(sentence):
                return True
        elif share >= MIN_REPEATED_SHARE and speaks_to_the_user(sentence):
            return True
    return False


def _has_stock(sentence: str) -> bool:
    return words.pattern("growing.answers").search(simplified(sentence)) is not None


def _without_stock(content: str) -> str:
    return words.pattern("growing.answers").sub(" ", simplified(content))


def _says_little(unit: Unit) -> bool:
    return details.is_small(unit) or details.is_common(unit)


@lru_cache(maxsize=32)
def _wording(texts: tuple[str, ...]) -> Wording:
    return together(map(wording_of, texts))


@lru_cache(maxsize=32)
def _sentences(texts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(each for text in texts for each in sentences_of(text))
