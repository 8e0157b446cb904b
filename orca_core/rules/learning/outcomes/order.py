"""In which order the facts of one answer are settled: as they were said, whatever order the memory agent gave."""

from __future__ import annotations

from collections.abc import Sequence

from orca_core.domain.settling import Proposal


def in_order_said(proposals: Sequence[Proposal]) -> list[Proposal]:
    """By the latest round that each stands on; of one round, what replaces or retracts comes after what it may name."""
    return sorted(proposals, key=lambda proposal: (_round_of(proposal), _names_another(proposal)))


def _round_of(proposal: Proposal) -> int:
    """A fact without a quote stands on all rounds that were read: of these it may have been said in the first."""
    rounds = proposal.new.origin.rounds
    is_vague = proposal.new.origin.quote is None and not _names_another(proposal)
    return (min if is_vague else max)(rounds, default=0)


def _names_another(proposal: Proposal) -> bool:
    return bool(proposal.replace or proposal.retract)
