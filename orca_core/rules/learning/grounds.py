"""The verdict that a fact goes into a store with: of a retraction alone its words are judged; a quote that is nowhere
typed is worse than none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from orca_core.domain.learning import ProposedFact
from orca_core.rules.learning.assertions import folded
from orca_core.rules.learning.evidence import Held, Verdict, judge
from orca_core.rules.learning.transcripts import Testimony


def verdict_of(fact: ProposedFact, said: Testimony, known: Sequence[str] = ()) -> Verdict:
    """A retraction says nothing that could be true or false but by its words, so these are judged; without words that
    were typed it waits."""
    verdict = judge(replace(fact, content=fact.quote) if fact.is_bare and fact.quote else fact, said, known)
    if verdict.held is not None or verdict.quote is not None:
        return verdict
    if fact.is_bare or (fact.quote and not _is_typed(fact.quote, said)):
        return replace(verdict, held=Held.WEAK_EVIDENCE, is_plain=False)
    return verdict


def _is_typed(quote: str, said: Testimony) -> bool:
    wanted = folded(quote)
    return any(wanted in folded(text) for _, text in said.typed)
