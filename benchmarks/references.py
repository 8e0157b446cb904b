"""How well use is told where an answer cites nothing: precision, recall and F1 of the overlap rule.

    python benchmarks/references.py --data DIR

DIR holds `reference.jsonl`, rows of {"memory", "assistant_response", "referenced", "lang"}. *Natural negatives* are
what chat has: each answer against the memories of other rows in its language, as many as would be injected.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from pathlib import Path

from orca_core.domain.memories import MemoryType
from orca_core.domain.recall import TokenStatistics
from orca_core.domain.refs import memory_ref
from orca_core.rules.recalling.evidence import rarity
from orca_core.rules.recalling.references import Citable, judge
from orca_core.rules.text.terms import content_words

SEEDS = range(5)
OTHERS = 4


Rarity = dict[str, float]


def is_used(memory: str, answer: str, rarities: Rarity) -> bool:
    return bool(judge([Citable(memory_ref(1), memory, MemoryType.FACT)], answer, "", (), rarities).used)


def rarities_of(memories: list[str]) -> Rarity:
    """As in a store that holds all these memories."""
    counts = Counter(word for memory in memories for word in content_words(memory))
    return rarity(TokenStatistics(len(memories), dict(counts)))


def figures(verdicts: list[tuple[bool, bool]]) -> str:
    """(said used, was used) → one line."""
    right = sum(said and was for said, was in verdicts)
    said_used = sum(said for said, _ in verdicts)
    was_used = sum(was for _, was in verdicts)
    precision = right / said_used if said_used else 0.0
    recall = right / was_used if was_used else 0.0
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return f"precision {precision:.2f}  recall {recall:.2f}  F1 {f1:.2f}  ({len(verdicts)} judged)"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="a folder with reference.jsonl")
    parser.add_argument("--show", action="store_true", help="print what was told wrong")
    arguments = parser.parse_args()
    text = (arguments.data / "reference.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in text.splitlines()]
    rarities = rarities_of([row["memory"] for row in rows])
    given = [(is_used(row["memory"], row["assistant_response"], rarities), bool(row["referenced"])) for row in rows]
    if arguments.show:
        for row, (said, was) in zip(rows, given, strict=True):
            if said != was:
                print("said used" if said else "missed   ", row["memory"], "|", row["assistant_response"])
    print(f"the rows as given      {figures(given)}")
    natural: list[tuple[bool, bool]] = []
    for seed in SEEDS:
        chance = random.Random(seed)
        for row in (row for row in rows if row["referenced"]):
            natural.append((is_used(row["memory"], row["assistant_response"], rarities), True))
            same_language = [other for other in rows if other["lang"] == row["lang"] and other is not row]
            for other in chance.sample(same_language, OTHERS):
                if other["memory"] != row["memory"]:
                    natural.append((is_used(other["memory"], row["assistant_response"], rarities), False))
    print(f"natural negatives      {figures(natural)}")


if __name__ == "__main__":
    main()
