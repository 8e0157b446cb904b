"""Whether a fact stands on what the user typed: who typed what is kept apart here, exactly and in every language. What
the words mean is the verifier's to say; what is held here no model can release."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from msgspec import Struct

from orca_core import words
from orca_core.model.learning import ProposedFact
from orca_core.model.memories import MemoryType
from orca_core.rules.learning.agent.transcripts import Testimony
from orca_core.rules.learning.provenance import details
from orca_core.rules.learning.provenance.sources import Quote, Sources, sources_of
from orca_core.rules.learning.provenance.wordings import compare
from orca_core.rules.memory import said_again
from orca_core.rules.requests.remembering import remembered_type, sensitive_reason
from orca_core.rules.text.cleaning import has_hidden
from orca_core.rules.text.scripts import simplified

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
    """Whether the fact may live, by what was typed in the rounds that it was found in. `known` are live memories."""
    sources = sources_of(said, tuple(known))
    quote = sources.quote(fact.quote)
    held = _held(fact, quote, sources)
    return Verdict(held, quote.text, quote.rounds) if quote is not None else Verdict(held)


def held_for_words(quote: Quote) -> Held | None:
    """Why words that were typed are no quote that a fact may live by: something is hidden in them, or they hold a
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
    if details.is_broken(content, sources):
        return Held.HIDDEN
    if reason := _sensitive(content, fact.quote, sources):
        return reason
    if is_risky(content, fact.type):
        return Held.RISKY_INSTRUCTION
    if details.is_foreign(content, sources) or any(details.untyped(content, sources)):
        return Held.NOT_TYPED
    if quote is None and sources.is_anothers(fact.quote):
        return Held.NOT_TYPED
    return Held.NOT_SAID if fact.about == _ANOTHER else None


def _sensitive(content: str, quote: str, sources: Sources) -> Held | None:
    """The reason of a secret, a number of an account, or an address that was not typed."""
    reason = sensitive_reason(content) or sensitive_reason(quote)
    if reason is None:
        return None
    is_typed = not compare(content, sources.typed).lacking and not any(details.untyped_addresses(content, sources))
    if reason == Held.URL and is_typed:
        return None
    return Held(reason)


def is_risky(content: str, kind: MemoryType) -> bool:
    """Whether it tells the assistant to act elsewhere (to send, pay, delete, run, open or restart something); that it
    is never to do so is none."""
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
