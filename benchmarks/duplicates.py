"""Near-duplicates: what a machine merges at most, what is listed, and whether the twin is among the nominated.

    python benchmarks/duplicates.py PAIRS.jsonl

PAIRS has {"a", "b", "label": duplicate | not_duplicate | contradicts} a line. All texts stand in one store with the
built-in embedder; `b` is then looked for as a new fact would be, and its `a` should be among the first five.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
from pathlib import Path
from typing import Any

from stores import orca_with

from orca_core.model.recall import Which
from orca_core.rules.learning.similarity import SAME_SHARE, agree, are_same, share

NOMINATED = 5


def is_listed(one: str, other: str) -> bool:
    return share(one, other) >= SAME_SHARE


async def nominations(home: Path, pairs: list[dict[str, Any]]) -> list[bool]:
    """For each pair, whether `a` is among the memories nearest to `b`."""
    orca = await orca_with(home, 0)
    ids = {text: (await orca.memories.add(text)).memory.id for pair in pairs for text in (pair["a"], pair["b"])}
    await orca.worker.tidy()
    found = []
    for pair in pairs:
        near = (await orca.search.look(pair["b"], which=Which.ALL)).found
        others = [each.memory.id for each in near if each.memory.id != ids[pair["b"]]]
        found.append(ids[pair["a"]] in others[:NOMINATED])
    await orca.aclose()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pairs", type=Path)
    arguments = parser.parse_args()
    pairs = [json.loads(line) for line in arguments.pairs.read_text(encoding="utf-8").splitlines() if line.strip()]
    for label in ("duplicate", "contradicts", "not_duplicate"):
        these = [(pair["a"], pair["b"]) for pair in pairs if pair["label"] == label]
        merged, listed, allowed = (sum(map(rule, *zip(*these, strict=True))) for rule in (are_same, is_listed, agree))
        print(f"{label:14} {len(these)}: merged {merged}, listed {listed}, a verifier may merge {allowed}")
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(nominations(Path(folder), pairs))
    for label in ("duplicate", "contradicts"):
        hits = [hit for pair, hit in zip(pairs, found, strict=True) if pair["label"] == label]
        share = sum(hits) / len(hits)
        print(f"the other of a pair among the first {NOMINATED}, {label}: {sum(hits)} of {len(hits)} ({share:.0%})")
        if label == "duplicate":
            for pair, hit in zip(pairs, found, strict=True):
                if pair["label"] == label and not hit:
                    print(f"  missed: {pair['a']} | {pair['b']}")


if __name__ == "__main__":
    main()
