"""Candidates of every kind: why one is held back at present, and what becomes of one that waited too long."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from orca_core.model.episodes import Episode
from orca_core.model.knowledge import Knowledge
from orca_core.model.memories import Candidate, Fields, Memory, State
from orca_core.model.tools import Guide
from orca_core.rules.memory import waiting
from orca_core.rules.memory.waiting import CANDIDATE_SOURCE
from orca_core.rules.work.curation import LIVES

_BELIEVED = (State.LIVE, State.ARCHIVED)


def held_now(candidate: Candidate, sources: Mapping[int, State]) -> str | None:
    """Why it is held back at present; None where nothing is left of the reason. Knowledge that waited for an episode
    waits no more once a person has accepted that."""
    if not isinstance(candidate, Knowledge) or candidate.held_because != CANDIDATE_SOURCE:
        return candidate.held_because
    states = [sources[number] for number in candidate.source_episodes if number in sources]
    is_borne_out = State.LIVE in states and all(state in _BELIEVED for state in states)
    return None if is_borne_out else candidate.held_because


def line(candidate: Memory | Episode | Knowledge | Guide) -> str:
    """What a candidate says, in a line."""
    match candidate:
        case Memory():
            return candidate.content
        case Episode():
            return f"{candidate.target}: {candidate.trigger_summary}" if candidate.target else candidate.trigger_summary
        case Knowledge():
            return f"{candidate.topic}: {candidate.content}"
        case Guide():
            return f"{candidate.target}: {candidate.text}"


def expire(candidates: Sequence[Candidate], sources: Mapping[int, State]) -> Mapping[int, Fields]:
    """What waited too long is rejected; but what nothing holds back any more lives."""
    return {each.id: _ended(each, sources) for each in candidates}


def _ended(candidate: Candidate, sources: Mapping[int, State]) -> Fields:
    if candidate.state is State.CANDIDATE and candidate.held_because and held_now(candidate, sources) is None:
        return LIVES
    return waiting.expire(candidate)
