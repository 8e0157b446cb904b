"""The verdict that a fact goes into a store with: of a retraction alone its words are judged; a quote that is nowhere
typed is worse than none."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from orca_core.domain.learning import ProposedFact
from orca_core.rules.clauses.tense import tells_of_an_end
from orca_core.rules.learning.agent.parsing import ended
from orca_core.rules.learning.agent.transcripts import Testimony
from orca_core.rules.learning.trust.evidence import Held, Verdict, judge
from orca_core.rules.text.letters import folded


def judged(fact: ProposedFact, said: Testimony, known: Sequence[str] = ()) -> list[tuple[ProposedFact, Verdict]]:
    """The fact and its verdict. Where the words bear its retraction, and not what it says besides, these are two: the
    retraction stands alone, and the rest waits."""
    verdict = verdict_of(fact, said, known)
    if fact.is_bare or not fact.retract or verdict.held is not Held.WEAK_EVIDENCE:
        return [(fact, verdict)]
    alone = replace(fact, content=ended(fact.retract), replace="", is_bare=True)
    of_words = verdict_of(alone, said, known)
    if of_words.held is not None or not tells_of_an_end(of_words.quote or fact.quote, alone.content):
        return [(fact, verdict)]
    return [(alone, of_words), (replace(fact, retract=""), verdict)]


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
