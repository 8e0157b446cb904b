"""Of what a search, and of what a turn gets, how much belongs there? On PrecisionMemBench, which nobody here wrote.

DIR holds its `beliefs.seed.json` and `retrieval.cases.json` (github.com/tenurehq/precisionMemBench, `fixtures/`). A
belief is a memory, each user's domain a profile of its own; what is superseded or resolved is archived, what is
pinned is pinned. Precision and recall are its own: of the beliefs that came besides the pinned ones, per case, then
the mean over the cases to which the figure applies. It is not to be tuned on.

With --lookups FILE, what a model wrote as queries that was given the tool and each case's question alone (a JSON line
each {"n": position of the case, "recall": [query …]}), a turn gets what these find, too.

    python benchmarks/precision.py DIR [--embedding local] [--text all|content] [--lookups FILE] [--show]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from orca_core.config.config_file import read_settings
from orca_core.open import open_orca
from orca_core.orca import Orca
from orca_core.services.chat.recall import RecallRequest

OWNER = "test-user"
MOST = 20
"""How many a case asks for where it names no number, as in the benchmark's own runner."""
ROOM = 700
"""The tokens that an answer of the tool may take."""
TYPES = {"preference": "preference", "entity": "fact", "decision": "project", "relation": "fact"}

Row = dict[str, Any]


class Store(Struct):
    """A profile's Orca, and which belief each of its memories is."""

    orca: Orca
    beliefs: dict[int, str] = field(default_factory=dict)
    pinned: set[str] = field(default_factory=set)

    def named(self, numbers: Collection[int]) -> list[str]:
        return [self.beliefs[number] for number in numbers if self.beliefs[number] not in self.pinned]


def told(belief: Row, *, everything: bool) -> str:
    """What is remembered of a belief: all of its words, as its runner gives them to every system, or the content."""
    if not everything:
        return str(belief["content"])
    return " ".join(filter(None, [belief["canonical_name"], *belief["aliases"], belief["content"],
                                  belief["why_it_matters"]]))  # fmt: skip


async def furnished(
    home: Path, beliefs: list[Row], *, everything: bool, embedding: str
) -> Mapping[tuple[str, str], Store]:
    (home / "config.toml").write_text(f'[embedding]\nprovider = "{embedding}"\n', encoding="utf-8")
    loaded = read_settings({"ORCA_HOME": str(home)})
    stores: dict[tuple[str, str], Store] = {}
    for belief in beliefs:
        key = (belief["user_id"], belief["scope"][0])
        if key not in stores:
            profile = "-".join(key).replace(":", "-")
            stores[key] = Store(await open_orca(loaded, environ={}, profile=profile))
        store = stores[key]
        memories = store.orca.memories
        added = await memories.add(
            told(belief, everything=everything), type_word=TYPES.get(belief["type"]), pinned=bool(belief["pinned"])
        )
        store.beliefs[added.memory.id] = belief["_id"]
        if belief["superseded_by"] or belief["resolved_at"]:
            await memories.unpin([added.memory.id])
            await memories.archive([added.memory.id])
        elif belief["pinned"]:
            store.pinned.add(belief["_id"])
    for store in stores.values():
        await store.orca.worker.tidy()
    return stores


async def searched(store: Store, case: Row) -> list[str]:
    most = case.get("budget", {}).get("maxBeliefs", MOST)
    if not case["query"].strip() or most == 0:
        return []
    result = await store.orca.search.find(case["query"], MOST)
    return store.named([hit.memory.id for hit in result.hits])[:most]


async def injected(store: Store, case: Row, queries: Collection[str] | None) -> tuple[list[str], int]:
    """What a turn gets besides the pinned ones, by itself and by the queries where it may look; the block's tokens."""
    request = RecallRequest(case["query"], "benchmark", False, frozenset(), 4000, may_look=queries is not None)
    injection = await store.orca.recall.recall(request)
    looked = [await store.orca.recall.look_up(query, request, ROOM) for query in queries or ()]
    items = (*injection.injected, *(item for lookup, _ in looked for item in lookup.items))
    return store.named(dict.fromkeys(item.ref.id for item in items)), injection.tokens


class Figures(Struct):
    precisions: list[float] = field(default_factory=list)
    recalls: list[float] = field(default_factory=list)
    passed: int = 0
    forbidden: int = 0

    def count(self, case: Row, came: list[str], pinned: Collection[str]) -> bool:
        """One case; whether all that it asks of what came besides the pinned ones holds."""
        asked = case["expect"].get("relevantBeliefs", {})
        exactly = asked.get("shouldOnlyInclude")
        expected = set(exactly if exactly is not None else [*asked.get("mustInclude", [])]) - set(pinned)
        right = len(expected.intersection(came))
        if came or expected:
            self.precisions.append(right / len(came) if came else 0.0)
        if expected:
            self.recalls.append(right / len(expected))
        banned = set(asked.get("mustExclude", [])).intersection(came)
        self.forbidden += len(banned)
        is_right = not banned and expected <= set(came) and (exactly is None or set(came) <= set(exactly))
        self.passed += is_right
        return is_right

    def line(self, name: str, cases: int) -> str:
        precision, recall = (sum(each) / max(1, len(each)) for each in (self.precisions, self.recalls))
        passes = f"{self.passed} of {cases} pass, {self.forbidden} forbidden came"
        return f"{name:10} precision {precision:.2f}  recall {recall:.2f}  {passes}"


async def measure(folder: Path, home: Path, arguments: argparse.Namespace) -> None:
    beliefs: list[Row] = json.loads((folder / "beliefs.seed.json").read_text(encoding="utf-8"))
    cases: list[Row] = json.loads((folder / "retrieval.cases.json").read_text(encoding="utf-8"))
    stores = await furnished(home, beliefs, everything=arguments.text == "all", embedding=arguments.embedding)
    figures = {"search": Figures(), "injection": Figures()}
    tokens = []
    queries: dict[int, list[str]] = {}
    if arguments.lookups:
        rows = map(json.loads, arguments.lookups.read_text(encoding="utf-8").splitlines())
        queries = {row["n"]: row["recall"] for row in rows}
    for number, case in enumerate(cases):
        store = stores.get((case.get("userId", OWNER), case["scope"][0]))
        found = await searched(store, case) if store else []
        came, cost = await injected(store, case, queries.get(number)) if store else ([], 0)
        tokens.append(cost)
        for name, each in (("search", found), ("injection", came)):
            is_right = figures[name].count(case, each, store.pinned if store else ())
            if arguments.show and not is_right:
                print(f"{name:10} {case['caseId']}: {case['query']!r} got {each}, asked {case['expect']}")
    for name, each in figures.items():
        print(each.line(name, len(cases)))
    blocks = [each for each in tokens if each]
    print(f"tokens of a memory block: {sum(blocks) / max(1, len(blocks)):.0f}, in {len(blocks)} of {len(cases)} turns")
    for store in stores.values():
        await store.orca.aclose()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--embedding", default="local")
    parser.add_argument("--text", choices=("all", "content"), default="all")
    parser.add_argument("--lookups", type=Path, help="the queries of a model for each case")
    parser.add_argument("--show", action="store_true", help="print each case that fails")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        asyncio.run(measure(arguments.folder, Path(home), arguments))


if __name__ == "__main__":
    main()
