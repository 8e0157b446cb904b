"""Exports of Orca's own, and records of others, that say what is not so: sizes, versions, names, dates, circles."""

from __future__ import annotations

import json
from collections.abc import Mapping
from random import Random
from typing import Any

from fakes.bad_files import IS_READ, MAY_BE_READ, Family, Make, of_orca, orca_memory

YEARS = ("0000-01-01", "0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59.999999-23:59", "10000-01-01", "-0001-01-01",
         "9999-12-31", "2024-02-30", "2024-13-01T25:61:61Z", "1e9", "٢٠٢٤-٠١-٠١", "2024-01-01T00:00:00+99:99", "")  # fmt: skip
COUNTS = (-1, 2**63, 2**64, -(2**63) - 1, 10**60, 1.5, True, "1", None)
VERSIONS = (2, 99, 0, -1, "1", 1.5, True, None, [1], 10**60)
OPERATION = {"number": 1, "actor": "user", "action": "add", "at": "2026-01-01T00:00:00Z"}
EPISODE = {"uid": "e", "target": "t", "trigger_summary": "s"}


def _json(document: Any) -> bytes:
    return json.dumps(document, ensure_ascii=False).encode()


def one_of(*documents: Any) -> Make:
    return lambda chance: _json(chance.choice(documents))


def field(name: str, values: tuple[Any, ...]) -> Make:
    return lambda chance: _json(of_orca(orca_memory(1, **{name: chance.choice(values)})))


def foreign_date(chance: Random) -> bytes:
    at = chance.choice((*YEARS, 1e300, -1e18, 10**40, 2**63, -1, 0.1))
    name = chance.choice(("created_at", "create_time", "date", "timestamp", "updated_at"))
    return _json([{"memory": "Likes tea", name: at}])


def circle(chance: Random) -> bytes:
    """Memories that replaced each other in a circle."""
    count = chance.randrange(1, 50)
    return _json(
        of_orca(
            *(
                orca_memory(number, status="archived", superseded_by=f"u{(number + 1) % count}")
                for number in range(count)
            )
        )
    )


def parents_in_a_circle(chance: Random) -> bytes:
    count = chance.randrange(1, 2_000)
    nodes = {f"n{each}": {"parent": f"n{(each + 1) % count}", "message": None} for each in range(count)}
    return _json([{"title": "t", "mapping": nodes, "current_node": "n0"}])


def long_chain_of_parents(chance: Random) -> bytes:
    said = {"author": {"role": "user"}, "content": {"content_type": "text", "parts": ["I live in Rome."]}}
    nodes = {f"n{each}": {"parent": f"n{each - 1}", "message": said} for each in range(chance.randrange(9_000, 20_000))}
    return _json([{"title": "t", "mapping": nodes}])


def same_twice(chance: Random) -> bytes:
    shared = chance.choice(("uid", "content"))
    first, second = orca_memory(chance.randrange(9)), orca_memory(10)
    return _json(of_orca(first, {**second, shared: first[shared]}))


NOTHING = (
    of_orca(orca_memory(1, superseded_by="nobody")),
    of_orca(orca_memory(1, would_replace="nobody")),
    of_orca(orca_memory(1, superseded_by="u1")),
    of_orca(orca_memory(1, pairs=[{"with": "nobody", "why": "conflict", "at": "2026-01-01"}])),
    of_orca(supports=[{"memory": "nobody", "kind": "act", "source": "s", "act": "nobody"}]),
    of_orca(steps=[{"task": "nobody", "number": 1, "description": "d"}]),
    of_orca(episodes=[{**EPISODE, "task": "nobody"}]),
    of_orca(episodes=[{**EPISODE, "consolidated_into": "nobody"}]),
    of_orca(knowledge=[{"uid": "k", "target": "t", "topic": "t", "source_episodes": ["nobody", "k"]}]),
    of_orca(orca_memory(1, history=[{"operation": 7, "before": None, "after": {}}])),
    of_orca(operations=[{**OPERATION, "undoes": 1, "undone_by": 1}]),
    of_orca(operations=[{**OPERATION, "undoes": 9}]),
    of_orca(operations=[OPERATION, OPERATION]),
    of_orca(tool_calls=[{"tool": "t", "step": "nobody/1"}]),
)
UNKNOWN = (
    of_orca(orca_memory(1, pinnde=True)),
    of_orca(orca_memory(1, status="alive")),
    of_orca(orca_memory(1, type="x" * 90_000)),
    of_orca(orca_memory(1, tags="a")),
    of_orca(orca_memory(1, tags=[str(each) for each in range(10_000)])),
    of_orca(orca_memory(1, history={"a": 1})),
    of_orca(orca_memory(1, pairs={"with": "u2"})),
    of_orca(orca_memory(1, pairs=[{"with": "u1", "why": "conflict", "at": "2026-01-01"}])),
    of_orca(orca_memory(1, origin={"kind": "x"})),
    of_orca(further=[]),
    of_orca(memories_=[{}]),
    {"orca_export": 1, "memories": {}},
    {"orca_export": 1, "memories": [[]]},
    {"memories": [], "orca_export": 1, "episodes": [None]},
)

LYING_FAMILIES: Mapping[str, Family] = {
    "versions": Family(lambda chance: _json({"orca_export": chance.choice(VERSIONS[:-1]), "memories": []}), count=9),
    "dates": Family(field("created_at", YEARS), MAY_BE_READ, count=12),
    "dates of others": Family(foreign_date, IS_READ, count=16),
    "counts": Family(field("use_count", COUNTS), MAY_BE_READ, count=9),
    "weights": Family(field("weight", (*COUNTS, 1e308, -1e308)), MAY_BE_READ, count=9),
    "confidence": Family(field("confidence", (2, -1, "high", 10**60, None, [], 1.0000001)), count=7),
    "uids": Family(field("uid", ("", "x" * 100_000, 7, None, "a/b", "\x1b[2J", "\U0001f600", [], "' OR 1=1 --")), MAY_BE_READ, count=9),
    "contents": Family(field("content", ("", " ", "x" * 2_001, "\x1b[2J", "\x00", "\u202e", 7, None)), MAY_BE_READ, count=8),
    "circles": Family(circle, MAY_BE_READ, count=6),
    "references to nothing": Family(one_of(*NOTHING), MAY_BE_READ, count=20),
    "unknown": Family(one_of(*UNKNOWN), count=18),
    "the same twice": Family(same_twice, count=4),
    "parents in a circle": Family(parents_in_a_circle, MAY_BE_READ, count=4),
    "long chain of parents": Family(long_chain_of_parents, IS_READ, count=1),
}  # fmt: skip
