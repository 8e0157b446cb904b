"""What a preference that acts are said to show may become, by who typed what; what it means the verifier reads.

What a user states in a query of a client's is judged as any fact is, by the typed words of that query. All else is at
most a candidate, `unproven`, which supports may lift: not what names anything that the user did not, nor what is
secret. That is not lifted, however often an answer with it is liked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from orca_core.model.feedback import ActBatch, ProposedPreference, Shown
from orca_core.model.learning import Proposal, ProposedFact
from orca_core.model.memories import MemoryType, NewMemory, Origin, OriginKind, State
from orca_core.rules.feedback.promotion_score import UNPROVEN
from orca_core.rules.feedback.signals import Told, asked_in, told_in
from orca_core.rules.learning import fact_provenance
from orca_core.rules.learning.fact_extraction import Testimony, ended, testimony
from orca_core.rules.learning.fact_provenance import Held, Verdict, is_risky, judge
from orca_core.rules.learning.fact_verifier import JudgedFact
from orca_core.rules.learning.quotes import Wording, stands_in, together, units_of, wording_of
from orca_core.rules.learning.typed_sources import Sources, sources_of
from orca_core.rules.requests.remember_requests import sensitive_reason
from orca_core.rules.text import typed_spans
from orca_core.rules.text.spelling import simplified

CONFIDENCE = 0.8
"""What a preference is worth that acts show. Chosen by hand, as for facts without a figure."""

MIN_REPEATED_SHARE = 0.6
"""So much of it makes it what a sentence of somebody else's says. Chosen on `tests/data/feedback/development`."""
_WORD = re.compile(r"[\u3400-\u9fff]|[^\W\u3400-\u9fff]+")


class JudgedPreference(Struct, frozen=True):
    """A preference as a fact with its verdict, `held` the reason for which it waits (None: it may live), and the place
    of the act that shows it."""

    judged: JudgedFact
    held: str | None
    action: int


def judged(proposed: ProposedPreference, batch: ActBatch, known: Sequence[str] = ()) -> JudgedPreference:
    """What becomes of it; `known` are live memories."""
    is_bare = bool(proposed.retract) and not proposed.content
    fact = _as_fact(proposed, is_bare=is_bare)
    asked = tuple(each for each in asked_in(batch) if each.number == proposed.action)
    if proposed.is_explicit and asked:
        said = replace(testimony(asked), untrusted=told_in(batch).foreign)
        verdict = judge(fact, said, known)
        if verdict.held is None or proposed.type is not MemoryType.PREFERENCE:
            held = None if verdict.held is None else verdict.held.value
            return JudgedPreference(JudgedFact(fact, verdict), held, proposed.action)
    held = Held.NOT_TYPED.value if is_bare else against(fact.content, told_in(batch), known) or UNPROVEN
    return JudgedPreference(JudgedFact(fact, Verdict(Held.NOT_TYPED)), held, proposed.action)


def said_in(batch: ActBatch, action: int) -> Testimony:
    """What was typed in the query of an act, by its place."""
    return testimony(tuple(each for each in asked_in(batch) if each.number == action))


def as_it_is(each: JudgedPreference, judged: JudgedFact) -> JudgedPreference:
    """A stated one, as the verifier left it."""
    held = judged.verdict.held
    return replace(each, judged=judged, held=None if held is None else held.value)


def against(content: str, told: Told, known: Sequence[str] = ()) -> str | None:
    """What speaks against it, so that no support ever lifts it: it holds a secret or an address, tells to do what may
    do harm, names what others alone do, or stands in a sentence of theirs. None where nothing does."""
    said = Testimony(typed=tuple(enumerate(told.own)), untrusted=told.foreign, assistant=())
    sources = sources_of(said, tuple(known))
    if reason := sensitive_reason(content):
        return reason
    if sources.has_hidden:
        return Held.HIDDEN.value
    if is_risky(content, MemoryType.INSTRUCTION):
        return Held.RISKY_INSTRUCTION.value
    is_foreign = _names_what_others_do(told.without_tools(content), sources, told) or _is_repeated(content, told)
    return Held.NOT_TYPED.value if is_foreign else None


def shown(
    each: JudgedPreference, batch: ActBatch, near: Sequence[int], same: int | None, replaces: int | None, model: str
) -> Shown:
    """It on its way into a store: as a memory that lives or waits, with the act that shows it. `near` are the known
    memories near it, of which the verifier has named the one that says the `same` and the one that it `replaces`."""
    act = batch.actions[each.action - 1]
    fact = each.judged.fact
    rounds = () if act.round is None else (act.round,)
    quote = each.judged.verdict.quote if fact.quote else None
    new = NewMemory(
        fact.content,
        fact.type,
        fact.tags,
        fact.confidence,
        origin=Origin(OriginKind.EXTRACTION, batch.session_id or None, rounds, quote, model),
        state=State.LIVE if each.held is None else State.CANDIDATE,
        held_because=each.held,
    )
    nominated = tuple(dict.fromkeys([*near, *(one for one in (same, replaces) if one is not None)]))
    proposal = Proposal(new, nominated, same, replaces)
    return Shown(proposal, (act.id,))


def shown_together(found: Sequence[Shown]) -> list[Shown]:
    """Those that say the same as one, shown by all of their acts; one that lives stands for those that wait."""
    by_content: dict[str, Shown] = {}
    for each in found:
        key = each.proposal.new.content
        if (before := by_content.get(key)) is None:
            by_content[key] = each
            continue
        acts = (*before.acts, *each.acts)
        lives = each.proposal.new.state is State.LIVE and before.proposal.new.state is not State.LIVE
        by_content[key] = replace(each if lives else before, acts=acts)
    return list(by_content.values())


def _as_fact(proposed: ProposedPreference, *, is_bare: bool) -> ProposedFact:
    content = ended(proposed.retract) if is_bare else proposed.content
    return ProposedFact(
        content,
        proposed.type,
        proposed.tags,
        CONFIDENCE,
        quote=proposed.quote if proposed.is_explicit else "",
        replace=proposed.replace,
        retract=proposed.retract,
    )


def _names_what_others_do(content: str, sources: Sources, told: Told) -> bool:
    """Whether a name, a number or a date of it stands in what others said, and not in what the user typed."""
    untyped = {each.casefold() for each in fact_provenance.untyped(content, sources)}
    others = _others(told.others)
    return any(
        unit.text.casefold() in untyped and not fact_provenance.is_small(unit) and stands_in(unit, others)
        for unit in units_of(content)
    )


def _is_repeated(content: str, told: Told) -> bool:
    """Whether somebody else says it, word after word, and not the user."""
    said = _pairs_of(content)
    return _most_of(said, told.others) >= MIN_REPEATED_SHARE > _most_of(said, told.own)


def _most_of(said: frozenset[tuple[str, str]], texts: tuple[str, ...]) -> float:
    return max((len(said & pairs) / len(said) for pairs in _sentences(texts)), default=0.0) if said else 0.0


@lru_cache(maxsize=32)
def _sentences(texts: tuple[str, ...]) -> tuple[frozenset[tuple[str, str]], ...]:
    lines = (line for text in texts for line in text.splitlines())
    return tuple(_pairs_of(line[each.start : each.end]) for line in lines for each in typed_spans.sentences(line))


def _pairs_of(sentence: str) -> frozenset[tuple[str, str]]:
    """Its words, each with the next; of Chinese its characters."""
    return frozenset(pairwise(_WORD.findall(simplified(sentence).casefold())))


@lru_cache(maxsize=32)
def _others(texts: tuple[str, ...]) -> Wording:
    return together(map(wording_of, texts))
