"""Orders what was found: best first, of two that have a slot and are an open pair the newer first, and near twins
behind what tells something else."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache

from orca_core.model.memories import Memory
from orca_core.rules.retrieval.choosing import ranking
from orca_core.rules.retrieval.choosing.ranking import Found
from orca_core.rules.text.terms import content_words

TWIN_LOSS = 0.6
"""How much of its score a memory loses that has all its words in common with one before it, where a spread is asked
for. `benchmarks/recall_on_technical_turns.py`, open questions: at 0.3, 0.6 and 1 the figures are the same within a
memory or two."""


def by_score(found: Iterable[Found]) -> list[Found]:
    """What a reranker put in order first, in its order; the rest by score."""
    return sorted(found, key=ranking.by_score)


def newer_first(
    found: Sequence[Found],
    entering: Collection[int],
    pairs: Collection[tuple[int, int]],
    slots: int,
) -> list[Found]:
    """Of two of the first `slots` of the `entering` that are an open pair (the newer and the older), the newer changes
    places with the older.

    Each has its slot by what speaks for itself, and keeps one: a pair is only nominated, and hides nothing. A pin is a
    person's word against what is newer."""

    def goes_first(newer: Memory, older: Memory) -> bool:
        return (newer.id, older.id) in pairs and (newer.pinned or not older.pinned)

    places = [place for place, each in enumerate(found) if each.memory.id in entering][:slots]
    ordered = list(found)
    for number, place in enumerate(places):
        for behind in places[number + 1 :]:
            if goes_first(ordered[behind].memory, ordered[place].memory):
                ordered[place], ordered[behind] = ordered[behind], ordered[place]
    return ordered


def spread(found: Sequence[Found], count: int) -> list[Found]:
    """Best first, but what says the same as one before it waits: only the first `count` are chosen so. Of equal ones
    the first comes first."""
    rest, chosen = list(found), list[Found]()
    while rest and len(chosen) < count:
        best = max(rest, key=lambda each: _worth(each, chosen))
        chosen.append(best)
        rest.remove(best)
    return [*chosen, *rest]


def _worth(found: Found, chosen: Sequence[Found]) -> float:
    own = _words_of(found.memory.content)
    twin = max((_share(own, _words_of(each.memory.content)) for each in chosen), default=0.0)
    worth = found.parts.total if found.place is None else 1 + 1 / (1 + found.place)
    return worth * (1 - TWIN_LOSS * twin)


def _share(ours: frozenset[str], theirs: frozenset[str]) -> float:
    return len(ours & theirs) / min(len(ours), len(theirs)) if ours and theirs else 0.0


@lru_cache(maxsize=4096)
def _words_of(content: str) -> frozenset[str]:
    return content_words(content)
