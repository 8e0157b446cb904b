"""Whose words an episode is made of, field by field: what others wrote, and what names something that nobody typed, is
left out, or the episode waits for a person. What the words mean is not asked here; no model releases what is held."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from orca_core import words
from orca_core.model.episodes import JudgedEpisode, ProposedEpisode
from orca_core.model.learning import DroppedFact
from orca_core.model.sessions import Round
from orca_core.model.tasks import Outcome
from orca_core.rules.learning import fact_provenance
from orca_core.rules.learning.fact_extraction import testimony
from orca_core.rules.learning.fact_provenance import Held
from orca_core.rules.learning.quotes import Unit, UnitKind, compare, stands_in, together, wording_of
from orca_core.rules.learning.typed_sources import Sources, sources_of
from orca_core.rules.requests.remember_requests import sensitive_reason
from orca_core.rules.text import typed_spans
from orca_core.rules.text.cleaning import clean_memory
from orca_core.rules.text.spelling import folded, simplified

MAX_NAMED_CHARS = 40
"""A longer quotation is a text of another's; a shorter one is a name, or a message that the user tells of. Chosen by
hand."""
MIN_QUOTE_LETTERS = 2
"""好了 says how something ended."""
MIN_TYPED_SHARE = 0.5
"""Where so much of a field is typed, an everyday word of it may stand in a paste, too: "502 errors". Chosen by hand."""
TARGET_NOT_TYPED = "target_not_typed"
"""Why the agent's own name of a target was left out."""
NOTHING_DONE = "nothing_done"
"""Why an episode waits that says neither a step nor an end."""
UNKNOWN = (Outcome.UNKNOWN, "")
_GRAVE = (Held.SECRET, Held.ACCOUNT_NUMBER)


class Words(Struct, frozen=True):
    """What some rounds give an episode to stand on; `keys` are words that open something."""

    sources: Sources
    keys: frozenset[str]


def judge(proposed: ProposedEpisode, rounds: Sequence[Round], targets: Collection[str] = ()) -> JudgedEpisode:
    """The episode without the fields that others wrote, or that name what was not typed in these rounds; held where
    nothing is left to live. `targets` are the known names of work: they need not be typed again. An outcome without a
    quote rests on what the verifier quotes."""
    said = _words_of(tuple(rounds), tuple(targets))
    faults = [(step, fault_of(step, said)) for step in proposed.steps]
    left_out = [DroppedFact(step, fault) for step, fault in faults if fault is not None]
    outcome, quote, fault_of_end = _how_it_ended(proposed, said)
    if fault_of_end is not None:
        left_out.append(DroppedFact(proposed.outcome_quote, fault_of_end))
    target, fault_of_target = _target(proposed.target, said, targets)
    if target != proposed.target:
        left_out.append(DroppedFact(proposed.target, TARGET_NOT_TYPED))
    kept = replace(
        proposed,
        target=target,
        steps=tuple(step for step, fault in faults if fault is None),
        tags=tuple(tag for tag in proposed.tags if fault_of(tag, said) is None),
        outcome=outcome,
        outcome_quote=quote,
    )
    grave = [fault for fault in (*(fault for _, fault in faults), fault_of_end) if fault in _GRAVE]
    hidden = Held.HIDDEN if said.sources.has_hidden else None
    held = next(iter(grave), None) or hidden or fault_of(proposed.trigger, said, is_trigger=True) or fault_of_target
    is_empty = not kept.steps and outcome is Outcome.UNKNOWN
    numbers = tuple(each.number for each in rounds)
    return JudgedEpisode(kept, held or (NOTHING_DONE if is_empty else None), numbers, tuple(left_out))


def typed_quote(quote: str, rounds: Sequence[Round]) -> str:
    """A quote as it was typed in one of these rounds, in the last one first; empty where it was not, or holds what may
    not be kept."""
    said = _words_of(tuple(rounds), ())
    typed = _typed_quote(quote, said)
    return "" if _sensitive(typed, said) else typed


def is_typed(target: str, rounds: Sequence[Round], targets: Collection[str]) -> bool:
    """Whether a word of a target was typed, or it is known by this name."""
    if not target or folded(target) in {folded(each) for each in targets}:
        return True
    found = compare(target, _words_of(tuple(rounds), tuple(targets)).sources.told)
    return not found.said or found.share > 0 or found.nearly > 0


def fault_of(text: str, said: Words, *, is_trigger: bool = False) -> Held | None:
    """What must not live of it: a key, what only others wrote, a name, a number or a date that was not typed."""
    if reason := _sensitive(text, said):
        return reason
    is_untyped = any(fact_provenance.untyped(simplified(text), said.sources)) or _is_foreign(text, said, is_trigger)
    return Held.NOT_TYPED if is_untyped else None


def _how_it_ended(proposed: ProposedEpisode, said: Words) -> tuple[Outcome, str, Held | None]:
    """The outcome, the quote as it was typed, and why there is none: a quote that others wrote proves nothing."""
    if proposed.outcome is Outcome.UNKNOWN:
        return (*UNKNOWN, None)
    quote = _typed_quote(proposed.outcome_quote, said)
    if fault := _sensitive(quote, said):
        return (*UNKNOWN, fault)
    is_said = len(folded(proposed.outcome_quote)) >= MIN_QUOTE_LETTERS
    if not quote and is_said and said.sources.is_anothers(proposed.outcome_quote):
        return (*UNKNOWN, Held.NOT_TYPED)
    return proposed.outcome, quote, None


def _target(target: str, said: Words, targets: Collection[str]) -> tuple[str, Held | None]:
    """The target, and why the episode waits for it: a name that others alone wrote. A name of the agent's own, or an
    everyday word of others, is left out."""
    if not target or folded(target) in {folded(each) for each in targets} or fault_of(target, said) is None:
        return target, None
    reason = _sensitive(target, said)
    if reason is None and any(map(_is_a_name, _foreign(target, said))):
        reason = Held.NOT_TYPED
    return target if reason else "", reason


def _typed_quote(quote: str, said: Words) -> str:
    if len(folded(quote)) < MIN_QUOTE_LETTERS:
        return ""
    found = next(filter(None, (each.finding(quote) for each in reversed(said.sources.rounds))), "")
    return clean_memory(found)


@lru_cache(maxsize=8)
def _words_of(rounds: tuple[Round, ...], targets: tuple[str, ...]) -> Words:
    """All episodes of a run stand on the same rounds."""
    said = testimony(rounds)
    sources = sources_of(said, targets)
    quoted = [quotation for _, text in said.typed for quotation in typed_spans.quotations(text)]
    named = [quotation for quotation in quoted if len(quotation) <= MAX_NAMED_CHARS]
    found = (match for each in rounds for key in words.patterns("work.keys") for match in key.finditer(each.user))
    return Words(
        replace(sources, known=together([sources.known, *map(wording_of, named)])),
        frozenset(match["value"] for match in found),
    )


def _is_foreign(text: str, said: Words, is_trigger: bool) -> bool:
    """Whether a word of it stands only in what others wrote: any, or, where most of it was typed, one that is no
    everyday word. A Chinese one may be a name; a trigger may have it: what is pasted is what the work is about."""
    foreign = _foreign(text, said)
    if compare(_without_stock(text), said.sources.told).share < MIN_TYPED_SHARE:
        return bool(foreign)
    return any(_is_a_name(unit) or (unit.kind is UnitKind.HAN and not is_trigger) for unit in foreign)


def _foreign(text: str, said: Words) -> list[Unit]:
    lacking = compare(_without_stock(text), said.sources.told).lacking
    counted = [unit for unit in lacking if not (fact_provenance.is_small(unit) or fact_provenance.is_common(unit))]
    return [unit for unit in counted if stands_in(unit, said.sources.foreign)]


def _is_a_name(unit: Unit) -> bool:
    """Whether it is no everyday word; of a Chinese one nothing tells."""
    return not (unit.kind is UnitKind.HAN or fact_provenance.is_ordinary(unit.text, words.ENGLISH))


def _without_stock(text: str) -> str:
    return words.pattern("work.stock").sub(" ", simplified(text))


def _sensitive(text: str, said: Words) -> Held | None:
    """Whether it holds a key, an account, or a link that was not typed."""
    if any(key in text for key in said.keys):
        return Held.SECRET
    reason = sensitive_reason(text)
    if reason is None or (reason == Held.URL and not compare(text, said.sources.told).lacking):
        return None
    return Held(reason)
