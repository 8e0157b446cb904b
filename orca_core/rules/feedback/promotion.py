"""Decide when what acts show goes live: supported on enough days, and the best of what is so supported; name the pools
that clients know.

score = 0.7 · t + 0.3 · v, where t is how fresh the last visit is, v how often it was visited."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime

from msgspec import Struct
from msgspec.structs import replace

from orca_core.model.errors import InvalidInput
from orca_core.model.feedback import Action, PromotionScore, Support, SupportedMemory, Visits
from orca_core.model.memories import ArchivedBecause, Fields, Memory, MemoryType, OriginKind, State, Status
from orca_core.rules.feedback.signals import ACT_RULES, ActSubject, source_of_session, teaches_anything
from orca_core.rules.memory import said_again
from orca_core.rules.memory.memory_curation import LIVE
from orca_core.rules.memory.said_again import UNCONFIRMED

UNPROVEN = said_again.UNPROVEN
"""Why a memory waits that acts show and nobody said: supports may lift it, and typed words."""
FRESHNESS_SHARE, VISITS_SHARE = 0.7, 0.3
VISITS_SCALE = 10
HIGHEST = 0.95
"""The threshold of a pool without end."""
DIGITS = 6

MOST_ACTS, MOST_OF_ITS_OWN = 16, 8
"""So many acts the verifier is shown, and so many at most of those that support the candidate: some ten thousand words
at most. Chosen by hand."""
OTHERS = frozenset(kind for kind, each in ACT_RULES.items() if each.teaches and each.about is not ActSubject.QUERY)
"""The types of acts in which any quality of an answer may show; most queries say nothing of one."""
REFUSED: Fields = {"held_because": said_again.NOT_SAID}
"""What becomes of a candidate that the verifier does not see in the acts: typed words lift it, or a person."""
PROMOTED: Fields = {"state": State.LIVE.value, "held_because": None, "archived_because": None, "confirmed_by": None}


def freshness(hours: float, temperature: float) -> float:
    """Tell how fresh a visit is that was so many hours ago, from 1 downwards. What lies ahead is as fresh as now."""
    return math.exp(-temperature * max(0.0, hours))


def frequency(visited: int) -> float:
    """Tell how much so many visits say, from a half upwards."""
    return 1.0 / (1.0 + math.exp(-visited / VISITS_SCALE))


def score(fresh: float, visited: int) -> float:
    return round(FRESHNESS_SHARE * fresh + VISITS_SHARE * frequency(visited), DIGITS)


def threshold(supported: int) -> float:
    """Return what the best of so many supported candidates must reach; the only one is not compared with anything."""
    return round(HIGHEST * (1.0 - 1.0 / supported), DIGITS) if supported > 0 else 0.0


def days_of(supports: Sequence[Support]) -> int:
    """On how many different days different sources speak for it."""
    return len(set(sources_of(supports).values()))


def sources_of(supports: Sequence[Support]) -> Mapping[str, date]:
    """The different sources, each with the day on which it spoke first. A whole session speaks by its rounds: where
    one of them does, too, the two are one."""
    oldest_first = sorted(supports, key=lambda each: each.at)
    first: dict[str, date] = {}
    for each in oldest_first:
        first.setdefault(_source_among(each, oldest_first), each.at.astimezone().date())
    return first


def _visited_at(visited: Visits) -> datetime:
    """Tell when it was visited last: by a support, or by a search that returned it."""
    searched = [] if visited.searched_at is None else [visited.searched_at]
    return max((*(each.at for each in visited.supports), *searched), default=visited.created_at)


def standings_of(
    pool: Sequence[SupportedMemory],
    now: datetime,
    *,
    temperature: float,
    min_support: int,
    others: Sequence[Visits] = (),
) -> Mapping[int, PromotionScore]:
    """Tell how each candidate of the pool stands, by its number. The threshold of one that lacks days is the one that
    it would meet among those that have enough. `others` of the pool are such as support can't lift."""

    def fresh_at(visited: Visits) -> float:
        return freshness((now - _visited_at(visited)).total_seconds() / 3600, temperature)

    def visits(each: SupportedMemory) -> Visits:
        return Visits(each.memory.created_at, each.memory.searched_at, each.supports)

    fresh = {each.memory.id: fresh_at(visits(each)) for each in pool}
    best = max([*fresh.values(), *map(fresh_at, others)], default=1.0) or 1.0
    days = {each.memory.id: days_of(each.supports) for each in pool}
    blocked = {each.memory.id: _blocked(each) for each in pool}
    enough = {number for number, why in blocked.items() if not why and days[number] >= min_support}
    found = {}
    for each in pool:
        number, visited = each.memory.id, len(each.supports) + each.memory.searched
        found[number] = PromotionScore(
            days=days[number],
            needed=min_support,
            score=score(fresh[number] / best, visited),
            threshold=threshold(len(enough | {number})),
            visited=visited,
            supports=each.supports,
            blocked_by=blocked[number],
        )
    return found


def best_ready(
    pool: Sequence[SupportedMemory],
    now: datetime,
    besides: Collection[int] = (),
    *,
    temperature: float,
    min_support: int,
) -> Memory | None:
    """The best of those that are ready, none of those `besides`; of equals the one that has waited longest."""
    standing = standings_of(pool, now, temperature=temperature, min_support=min_support)
    ready = [each.memory for each in pool if standing[each.memory.id].is_ready and each.memory.id not in besides]
    return min(ready, key=lambda each: (-standing[each.id].score, each.id), default=None)


def acts_to_read(supported: SupportedMemory, acts: Sequence[Action]) -> list[Action]:
    """Of these acts those that the verifier is shown of a candidate, oldest first: the latest that support it, and the
    latest others."""
    there = sorted({each.id: each for each in acts if _can_be_shown(each)}.values(), key=_age, reverse=True)
    supporting = {each.act for each in supported.supports}
    own = [each for each in there if each.id in supporting][:MOST_OF_ITS_OWN]
    others = [each for each in there if each.id not in supporting and each.type in OTHERS]
    return sorted([*own, *others[: MOST_ACTS - len(own)]], key=_age)


def _age(act: Action) -> tuple[datetime, int]:
    return act.at, act.id


def _can_be_shown(act: Action) -> bool:
    """Tell whether it stands, and there is something to read of it: an act on a message of a client's own has no
    text."""
    names_what_is_kept = (
        act.round is not None or act.task is not None or ACT_RULES[act.type].about is ActSubject.SESSION
    )
    return act.stands and teaches_anything(act) and (names_what_is_kept or bool(act.data) or bool(act.tool))


def is_unchanged(read: SupportedMemory, now: SupportedMemory | None) -> bool:
    """Tell whether a candidate still says what was read, and rests on what it rested on."""
    return now is not None and _stands_on(read) == _stands_on(now)


def _stands_on(supported: SupportedMemory) -> tuple[object, ...]:
    memory = supported.memory
    numbers = frozenset(each.id for each in supported.supports)
    return memory.content, memory.state, memory.held_because, supported.undone_at, numbers


def fields_by_supports(supported: SupportedMemory, *, min_support: int) -> Fields:
    """Return what becomes of a memory that changed by undo or redo, or whose supports did. A person's word, a pin, and
    what the user typed, outlast them; nothing that waits is pinned."""
    memory = supported.memory
    if memory.pinned and memory.state is State.CANDIDATE:
        waits = replace(supported, memory=replace(memory, pinned=False, confirmed_by=None))
        return {"pinned": False, **UNCONFIRMED, **fields_by_supports(waits, min_support=min_support)}
    if memory.confirmed_by is not None or memory.pinned:
        return {}
    match memory.state:
        case State.LIVE if days_of(supported.supports) < min_support or _is_sent_back(supported):
            return _waits(memory) if supported.supports else _WITHDRAWN
        case State.CANDIDATE if _was_grown(memory) and not supported.supports:
            return _WITHDRAWN
        case State.ARCHIVED if memory.archived_because is ArchivedBecause.WITHDRAWN and supported.supports:
            return _waits(memory)
    return {}


_WITHDRAWN: Fields = {"state": State.ARCHIVED.value, "archived_because": ArchivedBecause.WITHDRAWN.value}
"""Why a candidate waited stays with it: it waits for that again where something speaks for it again."""


def _source_among(support: Support, others: Sequence[Support]) -> str:
    """Return what it rests on: for a whole session the first part of it that speaks, too."""
    if support.session_id is None or support.source != source_of_session(support.session_id):
        return support.source
    parts = (each.source for each in others if each.session_id == support.session_id and each.source != support.source)
    return next(parts, support.source)


def _waits(memory: Memory) -> Fields:
    held = memory.held_because or UNPROVEN
    return {"state": State.CANDIDATE.value, "held_because": held, "archived_because": None}


def _was_grown(memory: Memory) -> bool:
    """Tell whether it waits for nothing but what acts show, or acts alone brought it, whatever holds it."""
    return memory.held_because == UNPROVEN or memory.origin.kind is OriginKind.ACTION


def _blocked(supported: SupportedMemory) -> str:
    """The reason that no support lifts; where a person has sent it back, none that was there then does."""
    memory = supported.memory
    if memory.state is not State.CANDIDATE:
        return memory.state.value
    if memory.held_because != UNPROVEN:
        return memory.held_because or "no_reason"
    return said_again.UNDONE if _is_sent_back(supported) else ""


def _is_sent_back(supported: SupportedMemory) -> bool:
    """Tell whether a person took back that it went live, and nothing has spoken for it since."""
    undone_at = supported.undone_at
    return undone_at is not None and all(each.at <= undone_at for each in supported.supports)


class Pool(Struct, frozen=True):
    """Memories of a status, of some types or of any."""

    status: str
    types: tuple[MemoryType, ...] = ()


POOLS: Mapping[str, Pool] = {
    "candidates": Pool(Status.CANDIDATE.value),
    "info": Pool(LIVE, (MemoryType.FACT, MemoryType.PROJECT, MemoryType.EVENT)),
    "profile": Pool(LIVE, (MemoryType.PREFERENCE, MemoryType.INSTRUCTION)),
}


def pool_of(word: str) -> Pool:
    """Raises InvalidInput for a word that names none."""
    pool = POOLS.get(word.strip().lower())
    if pool is None:
        raise InvalidInput(template="there is no pool {word}", hint="one of {known}", word=word, known=", ".join(POOLS))
    return pool
