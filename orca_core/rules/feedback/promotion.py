"""Decide when what acts show goes live: supported on enough days, and the best of what is so supported; list the
nearest to that first, and name the pools that clients know.

score = 0.7 · t + 0.3 · v, where t is how fresh the last visit is, v how often it was visited."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime

from msgspec import Struct
from msgspec.structs import replace

from orca_core.model.errors import InvalidInput
from orca_core.model.feedback import Action, Support, Supported, Visited, Weighed
from orca_core.model.memories import ArchivedBecause, Fields, Memory, MemoryType, OriginKind, State, Status, Waits
from orca_core.model.record_types import MEMORY
from orca_core.rules.feedback.signals import KINDS, About, source_of_session, teaches
from orca_core.rules.memory import said_again
from orca_core.rules.memory.memory_curation import LIVE
from orca_core.rules.memory.said_again import UNCONFIRMED

UNPROVEN = said_again.UNPROVEN
"""Why a memory waits that acts show and nobody said: supports may lift it, and typed words."""
FRESHNESS_SHARE, VISITS_SHARE = 0.7, 0.3
VISITS_SCALE = 10
NO_REASON = "no_reason"
"""What blocks a candidate of which nobody noted why it waits."""
HIGHEST = 0.95
"""The threshold of a pool without end."""
DIGITS = 6

MOST_ACTS, MOST_OF_ITS_OWN = 16, 8
"""So many acts the verifier is shown, and so many at most of those that support the candidate: some ten thousand words
at most. Chosen by hand."""
OTHERS = frozenset(kind for kind, each in KINDS.items() if each.teaches and each.about is not About.QUERY)
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


def visits_of(supported: Supported) -> int:
    return len(supported.supports) + supported.memory.searched


def visited_at(supported: Supported) -> datetime:
    """Tell when it was visited last: by a support, or by a search that returned it."""
    return _latest(Visited(supported.memory.created_at, supported.memory.searched_at, supported.supports))


def _latest(visited: Visited) -> datetime:
    times = [each.at for each in visited.supports]
    if visited.searched_at is not None:
        times.append(visited.searched_at)
    return max(times, default=visited.created_at)


def weighed(
    pool: Sequence[Supported],
    now: datetime,
    *,
    temperature: float,
    min_support: int,
    others: Sequence[Visited] = (),
) -> Mapping[int, Weighed]:
    """Tell how each candidate of the pool stands, by its number. The threshold of one that lacks days is the one that
    it would meet among those that have enough. `others` of the pool are such as support can't lift."""

    def fresh_at(visit: datetime) -> float:
        return freshness((now - visit).total_seconds() / 3600, temperature)

    fresh = {each.memory.id: fresh_at(visited_at(each)) for each in pool}
    latest = max(map(_latest, others), default=None)
    best = max([*fresh.values(), *([] if latest is None else [fresh_at(latest)])], default=1.0) or 1.0
    days = {each.memory.id: days_of(each.supports) for each in pool}
    enough = {each.memory.id for each in pool if not _blocked(each) and days[each.memory.id] >= min_support}
    return {
        each.memory.id: Weighed(
            days=days[each.memory.id],
            needed=min_support,
            score=score(fresh[each.memory.id] / best, visits_of(each)),
            threshold=threshold(len(enough | {each.memory.id})),
            visited=visits_of(each),
            supports=each.supports,
            blocked_by=_blocked(each),
        )
        for each in pool
    }


def promoted(
    pool: Sequence[Supported],
    now: datetime,
    besides: Collection[int] = (),
    *,
    temperature: float,
    min_support: int,
) -> Memory | None:
    """The best of those that are ready, none of those `besides`; of equals the one that has waited longest."""
    standing = weighed(pool, now, temperature=temperature, min_support=min_support)
    ready = [each.memory for each in pool if standing[each.memory.id].is_ready and each.memory.id not in besides]
    return min(ready, key=lambda each: (-standing[each.id].score, each.id), default=None)


def acts_to_read(supported: Supported, acts: Sequence[Action]) -> list[Action]:
    """Of these acts those that the verifier is shown of a candidate, oldest first: the latest that support it, one of
    each day before others of it, and the latest others."""
    there = {each.id: each for each in acts if _can_be_shown(each)}
    latest = sorted(supported.supports, key=lambda each: (each.at, each.id), reverse=True)
    own = [(each.at.astimezone().date(), there[each.act]) for each in latest if each.act in there]
    of_days = dict(reversed(own))  # of one day the latest
    chosen = {act.id: act for act in [*of_days.values(), *(act for _, act in own)][:MOST_OF_ITS_OWN]}
    for act in sorted(there.values(), key=_age, reverse=True):
        if act.type in OTHERS and len(chosen) < MOST_ACTS:
            chosen.setdefault(act.id, act)
    return sorted(chosen.values(), key=_age)


def _age(act: Action) -> tuple[datetime, int]:
    return act.at, act.id


def _can_be_shown(act: Action) -> bool:
    """Tell whether it stands, and there is something to read of it: an act on a message of a client's own has no
    text."""
    names_what_is_kept = act.round is not None or act.task is not None or KINDS[act.type].about is About.SESSION
    return act.stands and teaches(act) and (names_what_is_kept or bool(act.data) or bool(act.tool))


def is_same(read: Supported, now: Supported | None) -> bool:
    """Tell whether a candidate still says what was read, and rests on what it rested on."""
    return now is not None and _stands_on(read) == _stands_on(now)


def _stands_on(supported: Supported) -> tuple[object, ...]:
    memory = supported.memory
    numbers = frozenset(each.id for each in supported.supports)
    return memory.content, memory.state, memory.held_because, supported.undone_at, numbers


def stands_after(supported: Supported, *, min_support: int) -> Fields:
    """Return what becomes of a memory that changed by undo or redo, or whose supports did. A person's word, a pin, and
    what the user typed, outlast them; nothing that waits is pinned."""
    memory = supported.memory
    if memory.pinned and memory.state is State.CANDIDATE:
        waits = replace(supported, memory=replace(memory, pinned=False, confirmed_by=None))
        return {"pinned": False, **UNCONFIRMED, **stands_after(waits, min_support=min_support)}
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


def _blocked(supported: Supported) -> str:
    """The reason that no support lifts; where a person has sent it back, none that was there then does."""
    memory = supported.memory
    if memory.state is not State.CANDIDATE:
        return memory.state.value
    if memory.held_because != UNPROVEN:
        return memory.held_because or NO_REASON
    return said_again.UNDONE if _is_sent_back(supported) else ""


def _is_sent_back(supported: Supported) -> bool:
    """Tell whether a person took back that it went live, and nothing has spoken for it since."""
    undone_at = supported.undone_at
    return undone_at is not None and all(each.at <= undone_at for each in supported.supports)


def nearness(weighed: Weighed) -> tuple[bool, int, float]:
    """Smaller is nearer: what nothing blocks, by the days that it lacks, then by the score that it lacks."""
    return bool(weighed.blocked_by), max(0, weighed.needed - weighed.days), weighed.threshold - weighed.score


def is_unproven(waits: Waits) -> bool:
    return waits.ref.kind == MEMORY and waits.held_because == UNPROVEN


class ByNearness:
    """The order of candidates that come page by page, the oldest first: these unproven ones change places among
    themselves, all others stay where they are."""

    def __init__(self, unproven: Sequence[Waits], weighed: Mapping[int, Weighed]) -> None:
        known = [each for each in unproven if is_unproven(each) and each.ref.id in weighed]
        oldest = sorted(known, key=lambda each: (each.since, each.ref))
        self._places = {each.ref for each in known}
        self._nearest = deque(sorted(oldest, key=lambda each: nearness(weighed[each.ref.id])))

    def placed(self, page: Sequence[Waits]) -> list[Waits]:
        """The next page. A place of which there is one too many by now stays empty."""
        placed: list[Waits] = []
        for each in page:
            if each.ref not in self._places:
                placed.append(each)
            elif self._nearest:
                placed.append(self._nearest.popleft())
        return placed

    def left(self) -> list[Waits]:
        """Those for which there was no place, once there is no further page."""
        left = list(self._nearest)
        self._nearest.clear()
        return left


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
