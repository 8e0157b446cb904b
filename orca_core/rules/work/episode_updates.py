"""Decide what becomes of episodes read out of a session: made, or told on in one that it has; and
expire candidates of every kind."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from orca_core.model.episodes import EPISODES, Episode, EpisodeChanges, JudgedEpisode, ProposedEpisode, SessionEpisode
from orca_core.model.knowledge import Knowledge
from orca_core.model.learning import DroppedFact
from orca_core.model.memories import ArchivedBecause, Candidate, Fields, Memory, Origin, State
from orca_core.model.sessions import Round
from orca_core.model.tasks import Outcome, Task, TaskStatus
from orca_core.model.tools import Guide
from orca_core.rules.memory import said_again
from orca_core.rules.memory.said_again import CANDIDATE_SOURCE
from orca_core.rules.text.spelling import folded
from orca_core.rules.work import work_curation
from orca_core.rules.work.episode_extraction import MAX_EPISODES, MAX_STEPS, MAX_TAGS
from orca_core.rules.work.episode_verification import NOTHING_DONE, UNREAD
from orca_core.rules.work.work_curation import LIVES

KEPT_BY_HAND = "kept_by_hand"
"""Why nothing is told on in an episode that a person pinned."""


def rounds_without_task(rounds: Sequence[Round], tasks: Sequence[Task]) -> list[Round]:
    """The rounds that no task tells of: its end makes its episode. One that was dropped tells of none."""
    telling = [task for task in tasks if task.status is not TaskStatus.DROPPED]
    return [each for each in rounds if not any(_is_within(each, task) for task in telling)]


def _is_within(each: Round, task: Task) -> bool:
    return task.started_at <= each.at and (task.ended_at is None or each.at <= task.ended_at)


def can_continue(episode: Episode) -> bool:
    """Tell whether further rounds are told on in it: not in one that a person has put away, or taken back."""
    if episode.state is State.ARCHIVED:
        return episode.archived_because is ArchivedBecause.FADED
    return episode.state in (State.LIVE, State.CANDIDATE)


def settle_episodes(
    judged: Sequence[JudgedEpisode], known: Sequence[SessionEpisode], origin: Origin, at: datetime
) -> EpisodeChanges:
    """One of the session's own goes on where it is named, or has the same target. A session has three at most."""
    open_ones = {each.episode.id: each for each in known if can_continue(each.episode)}
    made: list[Episode] = []
    changed: dict[int, Fields] = {}
    dropped: list[DroppedFact] = []
    for each in judged:
        dropped += each.left_out
        earlier = _earlier(each, [one for number, one in open_ones.items() if number not in changed])
        if earlier is not None:
            why, fields = continue_episode(each, earlier, origin)
            if why:
                dropped.append(DroppedFact(each.proposed.trigger, why))
            elif fields:
                changed[earlier.episode.id] = fields
        elif each.held == NOTHING_DONE and not each.left_out:
            dropped.append(DroppedFact(each.proposed.trigger, NOTHING_DONE))
        elif len(open_ones) + len(made) >= MAX_EPISODES:
            dropped.append(DroppedFact(each.proposed.trigger, "over_limit"))
        else:
            made.append(new_episode(each, origin, at))
    return EpisodeChanges(tuple(made), changed, tuple(dropped))


def _earlier(judged: JudgedEpisode, open_ones: Sequence[SessionEpisode]) -> SessionEpisode | None:
    proposed = judged.proposed
    for each in open_ones:
        if each.episode.id == proposed.continues:
            return each
    for each in open_ones:
        if proposed.target and folded(each.episode.target) == folded(proposed.target):
            return each
    return None


def new_episode(judged: JudgedEpisode, origin: Origin, at: datetime) -> Episode:
    """The episode of what is believed; its number and its name come with its row."""
    proposed = judged.proposed
    episode = Episode(
        id=0,
        uid="",
        text="",
        trigger_summary=proposed.trigger,
        created_at=at,
        updated_at=at,
        aged_from=at,
        target=proposed.target,
        steps=proposed.steps,
        outcome=proposed.outcome,
        outcome_summary=proposed.outcome_quote,
        tags=proposed.tags,
        state=State.LIVE if judged.held is None else State.CANDIDATE,
        held_because=judged.held,
        origin=Origin(origin.kind, origin.session_id, origin.rounds, proposed.outcome_quote or None, origin.model),
    )
    return work_curation.with_search_text(episode)


def continue_episode(judged: JudgedEpisode, known: SessionEpisode, origin: Origin) -> tuple[str, Fields]:
    """Tell why nothing is told on, or the fields that change: further steps, how it ended by now. What a person wrote
    stays. One of which nobody has read the beginning goes on waiting for that."""
    episode, proposed = known.episode, judged.proposed
    if episode.pinned:
        return KEPT_BY_HAND, {}
    if judged.held is not None and judged.held != NOTHING_DONE:
        return judged.held, {}
    wanted: dict[str, Any] = {
        "steps": _with_new(episode.steps, proposed.steps, MAX_STEPS),
        "tags": _with_new(episode.tags, proposed.tags, MAX_TAGS),
    }
    if proposed.outcome is not Outcome.UNKNOWN:
        quote = proposed.outcome_quote
        wanted |= {"outcome": proposed.outcome.value, "outcome_summary": quote, "origin_quote": quote}
    if episode.state is State.CANDIDATE and judged.held is None and episode.held_because != UNREAD:
        wanted |= {
            **work_curation.LIVES,
            "trigger_summary": proposed.trigger,
            "target": proposed.target or episode.target,
        }
    if episode.state is State.ARCHIVED:
        wanted |= work_curation.LIVES
    fields = {name: value for name, value in wanted.items() if name not in known.by_hand}
    if not _differs(episode, fields):
        return "", {}
    rounds = sorted({*episode.origin.rounds, *origin.rounds})
    return "", work_curation.with_text(episode, {**fields, "origin_rounds": rounds})


def proposed_of(episode: Episode) -> ProposedEpisode:
    """An episode that waits as it was proposed."""
    return ProposedEpisode(
        trigger=episode.trigger_summary,
        target=episode.target,
        steps=episode.steps,
        outcome=episode.outcome,
        outcome_quote=episode.outcome_summary,
        tags=episode.tags,
    )


def fields_after_verifying(judged: JudgedEpisode, known: SessionEpisode) -> Fields:
    """Return what changes in an episode that waited for the verifier, now that it was asked once more: what is refused
    goes, and the episode lives, or is held for what holds it now. What a person wrote stays."""
    proposed = judged.proposed
    wanted: dict[str, Any] = {
        "target": proposed.target,
        "steps": list(proposed.steps),
        "tags": list(proposed.tags),
        "outcome": proposed.outcome.value,
        "outcome_summary": proposed.outcome_quote,
        **(work_curation.LIVES if judged.held is None else {"held_because": judged.held}),
    }
    fields = {name: value for name, value in wanted.items() if name not in known.by_hand}
    return work_curation.with_text(known.episode, fields) if _differs(known.episode, fields) else {}


def _with_new(old: Collection[str], new: Collection[str], most: int) -> list[str]:
    """The old ones, and of the new ones those that say something else, as far as there is room; the first is never
    pushed out."""
    said = {folded(each) for each in old}
    further = [each for each in new if folded(each) not in said]
    return [*old, *further][: max(most, len(old))]


def _differs(episode: Episode, fields: Fields) -> bool:
    return any(EPISODES.plain(episode, (name,))[name] != value for name, value in fields.items())


_BELIEVED = (State.LIVE, State.ARCHIVED)


def held_now(candidate: Candidate, sources: Mapping[int, State]) -> str | None:
    """Tell why it is held back at present; None where nothing is left of the reason. Knowledge that waited for an
    episode waits no more once a person has accepted that."""
    if not isinstance(candidate, Knowledge) or candidate.held_because != CANDIDATE_SOURCE:
        return candidate.held_because
    states = [sources[number] for number in candidate.source_episodes if number in sources]
    is_borne_out = State.LIVE in states and all(state in _BELIEVED for state in states)
    return None if is_borne_out else candidate.held_because


def candidate_line(candidate: Memory | Episode | Knowledge | Guide) -> str:
    """Return what a candidate says, in a line."""
    match candidate:
        case Memory():
            return candidate.content
        case Episode():
            return f"{candidate.target}: {candidate.trigger_summary}" if candidate.target else candidate.trigger_summary
        case Knowledge():
            return f"{candidate.topic}: {candidate.content}"
        case Guide():
            return f"{candidate.target}: {candidate.text}"


def expired_fields(candidates: Sequence[Candidate], sources: Mapping[int, State]) -> Mapping[int, Fields]:
    """Return what waited too long is rejected; but what nothing holds back any more lives."""
    return {each.id: _settled_fields(each, sources) for each in candidates}


def _settled_fields(candidate: Candidate, sources: Mapping[int, State]) -> Fields:
    if candidate.state is State.CANDIDATE and candidate.held_because and held_now(candidate, sources) is None:
        return LIVES
    return said_again.expire(candidate)
