"""Judged preferences on their way into a store: as memories that live or wait, each with the acts that show it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from orca_core.domain.growth.reading import ActBatch, Shown
from orca_core.domain.memories import NewMemory, Origin, OriginKind, State
from orca_core.domain.settling import Proposal
from orca_core.rules.growing.trust import JudgedPreference


def shown(each: JudgedPreference, batch: ActBatch, nominated: Sequence[int], model: str) -> Shown:
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
    proposal = Proposal(new, tuple(nominated), fact.replace, fact.retract, fact.is_bare, each.judged.is_unread)
    return Shown(proposal, (act.id,))


def together(found: Sequence[Shown]) -> list[Shown]:
    """Those that say the same as one, shown by all of their acts; one that lives stands for those that wait."""
    by_content: dict[tuple[str, str], Shown] = {}
    for each in found:
        key = (each.proposal.new.content, each.proposal.retract)
        if (before := by_content.get(key)) is None:
            by_content[key] = each
            continue
        acts = (*before.acts, *each.acts)
        lives = each.proposal.new.state is State.LIVE and before.proposal.new.state is not State.LIVE
        by_content[key] = replace(each if lives else before, acts=acts)
    return list(by_content.values())
