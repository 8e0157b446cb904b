"""Decide what upkeep does: weights moved by use, memories that sank or say the same, backups kept, work in slices; what
an answer cost, and what may name a profile."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from orca_core.model.backups import MadeFor
from orca_core.model.errors import InvalidInput, quoted
from orca_core.model.llm import Cost, Usage
from orca_core.model.memories import MEMORIES, ArchivedBecause, Decide, Fields, Memory, State, Use
from orca_core.model.record_types import timestamp
from orca_core.model.views import Forecast
from orca_core.rules.memory.memory_curation import MAX_TAGS
from orca_core.rules.memory.said_again import superseded_fields
from orca_core.rules.memory.same_statements import DuplicateGroup, find_duplicates
from orca_core.settings import LongTermSettings, ProviderSettings, WeightSettings

CLEAN = "clean"
"""The action of the operation."""
ARCHIVED_FOR_WEIGHT: Fields = {
    "state": State.ARCHIVED.value,
    "archived_because": ArchivedBecause.WEIGHT.value,
}


def decide_cleaning(sunk: Collection[int], archive_threshold: float, max_weight: float) -> Decide:
    """Return what becomes of memories that are read now: `sunk` were below the threshold when they were looked for. One
    that is merged with a heavier one weighs as much."""

    def decide(memories: Sequence[Memory]) -> Mapping[int, Fields]:
        wanted: dict[int, Fields] = {}
        for group in find_duplicates(memories):
            wanted[group.kept.id] = _together(group, max_weight)
            wanted.update({each.id: superseded_fields(group.kept.id) for each in group.others})
        for memory in memories:
            together = wanted.get(memory.id, {})
            if memory.id in sunk and _sinks(MEMORIES.changed(memory, together), archive_threshold):
                wanted[memory.id] = {**together, **ARCHIVED_FOR_WEIGHT}
        return wanted

    return decide


def _sinks(memory: Memory, archive_threshold: float) -> bool:
    return memory.state is State.LIVE and not memory.pinned and memory.weight < archive_threshold


def _together(group: DuplicateGroup, max_weight: float) -> Fields:
    """Return what the one that stays has of the others. A pinned one stays as it is."""
    kept, memories = group.kept, (group.kept, *group.others)
    if kept.pinned:
        return {}
    return {
        "tags": list(dict.fromkeys(tag for each in memories for tag in each.tags))[:MAX_TAGS],
        "confidence": max(each.confidence for each in memories),
        "weight": max(kept.weight, min(max_weight, max(each.weight for each in memories))),
        "seen": sum(each.seen for each in memories),
    }


EVERY = timedelta(days=1)


def is_daily_due(last: datetime | None, now: datetime) -> bool:
    """Tell whether a day passed since it was done `last`, or it never was. A clock that was set back does not put it
    off: what was done later than now is due."""
    return last is None or not timedelta(0) <= now - last < EVERY


WORKED_S = 0.02
"""So long one is to work while it holds the lock of the database. Chosen by hand; see
`benchmarks/beside.py`."""
BEGUN_S = WORKED_S / 2
"""So long further records are taken in one transaction: what they cost is seen when they are done, and to commit costs
time, too. Chosen by hand."""
FIRST = 10
MOST = 5000


def next_slice_size(size: int, worked_s: float) -> int:
    """After a transaction that took `size` pieces and worked so long under the lock: as many as fit, at most twice as
    many as before, for the next ones may be others."""
    if worked_s <= 0:
        return min(MOST, 2 * size)
    return max(1, min(MOST, 2 * size, int(size * WORKED_S / worked_s)))


DIGITS = 6
"""Steps of 0.5 and 0.3 stay exact: without rounding their binary fractions add up to a step too many or too few."""


def evolve(memory: Memory, use: Use, at: datetime, *, weights: WeightSettings, long_term: LongTermSettings) -> Fields:
    """The fields that one injection changes. A memory that is no longer live only counts it."""
    changes: dict[str, Any] = {
        "access_count": memory.access_count + 1,
        "used": memory.used + (use is Use.USED),
        "last_accessed": timestamp(at),
    }
    if memory.state is not State.LIVE:
        return changes
    weight = next_weight(memory.weight, use, pinned=memory.pinned, weights=weights, long_term=long_term)
    changes["weight"] = weight
    if weight < long_term.archive_threshold and not memory.pinned:
        changes |= {"state": State.ARCHIVED.value, "archived_because": ArchivedBecause.WEIGHT.value}
    return changes


def next_weight(
    weight: float, use: Use, *, pinned: bool, weights: WeightSettings, long_term: LongTermSettings
) -> float:
    """A weight after one use: between 0 and the ceiling, six digits; a pinned one is never lowered."""
    step = {Use.USED: weights.referenced, Use.UNUSED: weights.unreferenced, Use.UNKNOWN: 0.0}[use]
    if pinned and step < 0:
        return weight
    return round(min(max(weight + step, 0.0), max(long_term.max_weight, weight)), DIGITS)


def forecast(memory: Memory, *, weights: WeightSettings, long_term: LongTermSettings) -> Forecast:
    """The forecast of a live memory. None where it can not come."""
    if memory.state is not State.LIVE:
        return Forecast(None, None)
    return Forecast(
        None if memory.pinned else _steps(memory.weight, weights.unreferenced, long_term, "down"),
        None
        if memory.weight > long_term.core_threshold
        else _steps(memory.weight, weights.referenced, long_term, "up"),
    )


def _steps(weight: float, step: float, long_term: LongTermSettings, way: Literal["up", "down"]) -> int | None:
    """Tell how many steps cross the threshold, counted as they are made: rounded one by one."""
    if (way == "down" and step >= 0) or (way == "up" and step <= 0):
        return None
    goal = long_term.archive_threshold if way == "down" else long_term.core_threshold
    count = max(0, math.floor(abs(goal - weight) / abs(step)) - 1)
    reached = round(weight + count * step, DIGITS)
    while (reached >= goal) if way == "down" else (reached <= goal):
        following = round(min(max(reached + step, 0.0), long_term.max_weight), DIGITS)
        if following == reached:
            return None
        reached, count = following, count + 1
    return count


SUFFIX = ".db"
_TIME = "%Y-%m-%d-%H%M%SZ"
_MARKS = {MadeFor.HAND: "", MadeFor.RESTORE: "-before-restore"}
_NAME = re.compile(r"(\d{4}-\d{2}-\d{2}-\d{6}Z)(-before-restore)?(?:-(\d{1,4}))?\.db")
_UPGRADE = re.compile(r"schema-\d{1,4}\.db")


def backup_name(stem: str, at: datetime, made_for: MadeFor = MadeFor.HAND, number: int = 1) -> str:
    """The file name of a backup of the database `stem`; a `number` where one second sees several."""
    again = f"-{number}" if number > 1 else ""
    return f"{stem}-{at.astimezone(UTC).strftime(_TIME)}{_MARKS[made_for]}{again}{SUFFIX}"


def parse_backup_name(stem: str, name: str) -> tuple[datetime | None, MadeFor] | None:
    """Tell when a backup of the database `stem` was made, as far as its name says, and what for; None for another
    file."""
    if not name.startswith(f"{stem}-"):
        return None
    rest = name.removeprefix(f"{stem}-")
    if _UPGRADE.fullmatch(rest):
        return None, MadeFor.UPGRADE
    if (found := _NAME.fullmatch(rest)) is None:
        return None
    try:
        at = datetime.strptime(found[1], _TIME).replace(tzinfo=UTC)
    except ValueError:  # digits that are no day
        return None
    return at, MadeFor.RESTORE if found[2] else MadeFor.HAND


def backups_to_delete(stem: str, names: Sequence[str], keep: int, newest: str) -> list[str]:
    """The names of those that go when `keep` are to stay; 0 keeps all. The one just made is the newest, whatever the
    clock says; what an upgrade made is never among them."""
    if keep == 0:
        return []
    made = [
        (found[0], _number(name), name) for name in names if name != newest and (found := parse_backup_name(stem, name))
    ]
    dated = sorted((at, number, name) for at, number, name in made if at is not None)
    return [name for _at, _number, name in dated[: max(0, len(dated) - (keep - 1))]]


def _number(name: str) -> int:
    found = re.search(r"-(\d{1,4})\.db$", name)
    return int(found[1]) if found else 1


PER = 1_000_000


def cost_of(usage: Usage | None, provider: ProviderSettings | None) -> Cost | None:
    """None where nothing was counted, or nobody named a price."""
    amount = None if usage is None or provider is None else _amount(usage, provider)
    return None if amount is None or provider is None else Cost(amount, provider.currency)


def _amount(usage: Usage, provider: ProviderSettings) -> float | None:
    if usage.cost is not None:
        return usage.cost
    if not (provider.price_prompt or provider.price_completion):
        return None
    cached = min(usage.cached_tokens, usage.prompt_tokens)
    price_cached = provider.price_prompt if provider.price_cached is None else provider.price_cached
    prompt = (usage.prompt_tokens - cached) * provider.price_prompt + cached * price_cached
    return (prompt + usage.completion_tokens * provider.price_completion) / PER


_UNWRITABLE = frozenset({"Cc", "Cs"})


def checked_profile(profile: str) -> str:
    """The name as it is. Raises InvalidInput where it can be none: what begins with a control character, the store
    keeps for itself."""
    if not profile.strip() or any(unicodedata.category(character) in _UNWRITABLE for character in profile):
        raise InvalidInput(
            template="{name} can't name a profile", hint="a name without control characters", name=quoted(profile)
        )
    return profile
