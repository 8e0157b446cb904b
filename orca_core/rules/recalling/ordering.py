"""In which order what was found is looked at: best first, the newer of two that speak of one subject first, and near
twins behind what tells something else."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cache, lru_cache

from orca_core import words
from orca_core.domain.memories import Memory, MemoryType
from orca_core.rules.recalling import ranking
from orca_core.rules.recalling.evidence import Embedding
from orca_core.rules.recalling.floors import nearness
from orca_core.rules.recalling.ranking import Found
from orca_core.rules.text.scripts import simplified
from orca_core.rules.text.terms import content_words

LOOKED_AT = 12
"""So many of the nearest are compared with each other. Chosen by hand; it bounds the time."""
ONE_SUBJECT = 0.5
"""Of the words by which two memories begin, the share that makes it likely that both speak of one subject.

`benchmarks/recall_on_technical_turns.py`, changed facts of the development half: it holds for 17 of 30 pairs of
values, and for 107 pairs of other memories, which lose nothing by their order. A first word alone is as much: with it
one of 11 older values stands above the newer one, without it two."""
SURELY_ONE = 0.6
"""The share, of two words at least, that makes it sure enough for the newer to come with the older.
The same benchmark: 13 of 30 pairs of values, and 12 others."""
AS_NEAR = 0.5
"""So much of the nearness of the older is enough where it only is likely. Chosen by hand."""
HEAD_WORDS = 5
HEAD_CHARACTERS = 6
"""What a memory begins with names its subject. Chosen by hand."""
TWIN_LOSS = 0.6
"""How much of its score a memory loses that has all its words in common with one before it, where a spread is asked
for. The same benchmark, open questions: at 0.3, 0.6 and 1 the figures are the same within a memory or two."""


def by_score(found: Iterable[Found]) -> list[Found]:
    """What a reranker put in order first, in its order; the rest by score."""
    return sorted(found, key=ranking.by_score)


def newer_first(found: Sequence[Found], embedding: Embedding) -> list[Found]:
    """The newer of two that begin with one subject stands above the older, where that is among the nearest. Where it
    surely is one, or where both are about as near, it takes over what speaks for the older."""
    ordered = list(found)
    for older in sorted(found[:LOOKED_AT], key=lambda each: _age(each.memory), reverse=True):
        place = _place_of(older, ordered)
        for newer in [each for each in ordered[place + 1 :] if _age(each.memory) > _age(older.memory)]:
            alike = likeness_of_subjects(newer.memory, older.memory)
            is_sure = alike >= SURELY_ONE and _shared_head(newer.memory, older.memory) > 1
            if is_sure or (alike >= ONE_SUBJECT and _place_of(newer, ordered) < LOOKED_AT):
                ordered.pop(_place_of(newer, ordered))
                takes_over = is_sure or _is_about_as_near(newer, older, embedding)
                stands = replace(newer, parts=older.parts, evidence=older.evidence) if takes_over else newer
                ordered.insert(_place_of(older, ordered), stands)
    return ordered


def spread(found: Sequence[Found], count: int) -> list[Found]:
    """Best first, but what says the same as one before it waits: only the first `count` are chosen so."""
    rest, chosen = list(found), list[Found]()
    while rest and len(chosen) < count:
        best = max(rest, key=lambda each: (_worth(each, chosen), -each.memory.id))
        chosen.append(best)
        rest.remove(best)
    return [*chosen, *rest]


def likeness_of_subjects(one: Memory, other: Memory) -> float:
    """The share of the words by which both begin, and `ONE_SUBJECT` at least where the first of them is the same; 0
    where one is an event, which nothing later makes untrue."""
    if MemoryType.EVENT in (one.type, other.type):
        return 0.0
    ours, theirs = head(one.content), head(other.content)
    if not ours or not theirs:
        return 0.0
    share = _shared_head(one, other) / min(len(ours), len(theirs))
    return max(share, ONE_SUBJECT) if ours[0] == theirs[0] else share


@lru_cache(maxsize=4096)
def head(content: str) -> tuple[str, ...]:
    """The words by which a memory begins, without the user, in their order."""
    said = _the_user().sub("", simplified(content))
    if re.match(r"\W*[\u3400-\u9fff]", said):
        begins = said[:HEAD_CHARACTERS]
        return tuple(sorted(content_words(begins), key=lambda word: (begins.lower().find(word), word)))
    pieces = said.split()[:HEAD_WORDS]
    return tuple(dict.fromkeys(word for piece in pieces for word in sorted(content_words(piece))))


def _shared_head(one: Memory, other: Memory) -> int:
    return len({*head(one.content)} & {*head(other.content)})


def _is_about_as_near(newer: Found, older: Found, embedding: Embedding) -> bool:
    return nearness(newer.evidence, embedding) >= AS_NEAR * nearness(older.evidence, embedding)


def _place_of(found: Found, ordered: Sequence[Found]) -> int:
    return next(number for number, each in enumerate(ordered) if each.memory.id == found.memory.id)


def _worth(found: Found, chosen: Sequence[Found]) -> float:
    own = _words_of(found.memory.content)
    twin = max((_share(own, _words_of(each.memory.content)) for each in chosen), default=0.0)
    worth = found.parts.total if found.place is None else 1 + 1 / (1 + found.place)
    return worth * (1 - TWIN_LOSS * twin)


def _share(ours: frozenset[str], theirs: frozenset[str]) -> float:
    return len(ours & theirs) / min(len(ours), len(theirs)) if ours and theirs else 0.0


def _age(memory: Memory) -> tuple[datetime, int]:
    return memory.created_at, memory.id


@lru_cache(maxsize=4096)
def _words_of(content: str) -> frozenset[str]:
    return content_words(content)


@cache
def _the_user() -> re.Pattern[str]:
    return re.compile(rf"^\s*(?:{words.choices('asserting.the_user_first')})\s*", re.IGNORECASE)
