"""The old place of `provenance.judging`."""

from __future__ import annotations

from collections.abc import Sequence

from orca_core.domain.learning import ProposedFact
from orca_core.rules.learning.agent.transcripts import Testimony
from orca_core.rules.learning.provenance.judging import Verdict, judge


def judged(fact: ProposedFact, said: Testimony, known: Sequence[str] = ()) -> list[tuple[ProposedFact, Verdict]]:
    """The fact and its verdict."""
    return [(fact, judge(fact, said, known))]


def verdict_of(fact: ProposedFact, said: Testimony, known: Sequence[str] = ()) -> Verdict:
    """What provenance makes of a fact."""
    return judge(fact, said, known)
