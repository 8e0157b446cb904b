"""How well use is told where an answer cites nothing: precision, recall and F1 of the rule.

    python benchmarks/references.py [FILE…] [--meaning] [--curve] [--show]

A FILE holds rows of {"memory", "assistant_response", "referenced", "lang"}, some with a "question"; without one, the
development set of `benchmarks/data/references` is read. Its `final.jsonl` was written after the rules and has changed
none of them. `on_topic.jsonl` has two answers to each question: one uses the memory, the other is of the same topic and
does not. With `--meaning` the embedder of meaning is asked, too.
*Natural negatives* are what chat has: each answer against the memories of other rows in its language, as many as would
be injected. Every other memory is tried, and counts for as much as it is likely to be among those.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections import Counter
from pathlib import Path
from unittest.mock import patch

from msgspec import Struct

from orca_core.llm.meaning_embedder import MeaningEmbedder
from orca_core.model.llm import Vector
from orca_core.model.memories import MemoryType
from orca_core.model.recall import TokenStatistics
from orca_core.model.record_types import memory_ref
from orca_core.rules.retrieval import used_memories
from orca_core.rules.retrieval.used_memories import (
    CitableRecord,
    judge_references,
    rarities_of,
    signs_of,
    signs_of_memory,
    without_the_user,
)

DEVELOPMENT = Path(__file__).parent / "data" / "references" / "development.jsonl"
OTHERS = 4
CURVE = {
    "USED_SHARE": (0.05, 0.08, 0.10, 0.12, 0.14, 0.17, 0.20, 0.25, 0.30),
    "RARE_WORD": (1.2, 1.3, 1.4, 1.5, 1.75, 2.0, 2.3),
    "USED_WORDS": (1, 2, 3),
    "MEANT": (0.2, 0.25, 0.28, 0.3, 0.33, 0.36, 0.4),
}


class Row(Struct, frozen=True):
    memory: str
    answer: str
    referenced: bool
    lang: str
    question: str = ""


class Judge:
    """The rule, on a store that holds the memories of all rows."""

    def __init__(self, rows: list[Row], *, meaning: bool) -> None:
        memories = {row.memory for row in rows}
        counts = Counter(sign for memory in memories for sign in signs_of_memory(memory))
        self._rarities = rarities_of(TokenStatistics(len(memories), dict(counts)))
        texts = {without_the_user(memory) for memory in memories} | {row.answer for row in rows}
        texts |= {row.question for row in rows if row.question}
        self._vectors = asyncio.run(embedded(sorted(texts))) if meaning else {}

    def is_used(self, memory: str, row: Row) -> bool:
        """Whether the answer of a row uses a memory."""
        cited = CitableRecord(memory_ref(1), memory, MemoryType.FACT)
        near = {cited.ref: self._nearness(memory, row)}
        return bool(judge_references([cited], row.answer, row.question, (), self._rarities, near).used)

    def _nearness(self, memory: str, row: Row) -> float:
        if not self._vectors:
            return 0.0
        said = self._vectors[row.answer]
        asked = self._vectors[row.question] if row.question else [0.0] * len(said)
        return used_memories.answer_nearness(self._vectors[without_the_user(memory)], said, asked)


async def embedded(texts: list[str]) -> dict[str, Vector]:
    embedder = MeaningEmbedder()
    return dict(zip(texts, await embedder.embed(texts), strict=True))


def read(files: list[Path]) -> list[Row]:
    lines = [line for path in files for line in path.read_text(encoding="utf-8").splitlines()]
    rows = [json.loads(line) for line in lines]
    return [
        Row(row["memory"], row["assistant_response"], row["referenced"], row["lang"], row.get("question", ""))
        for row in rows
        if "referenced" in row
    ]


def natural(rows: list[Row], judged: Judge, *, show: bool = False) -> str:
    """Each answer that uses a memory: against that one, and against those of others."""
    used = [row for row in rows if row.referenced]
    right, wrong = 0, 0.0
    for row in used:
        others = {other.memory for other in rows if other.lang == row.lang} - {row.memory}
        taken = [other for other in sorted(others) if judged.is_used(other, row)]
        found = judged.is_used(row.memory, row)
        right += found
        wrong += OTHERS * len(taken) / len(others)
        for memory in [*taken, *([] if found else [row.memory])] if show else ():
            shared = sorted(signs_of_memory(memory) & signs_of(row.answer))
            print("missed   " if memory == row.memory else "said used", memory, "|", row.answer, "|", *shared)
    return figures(right, right + wrong, len(used))


def as_given(rows: list[Row], judged: Judge) -> str:
    said = [row for row in rows if judged.is_used(row.memory, row)]
    return figures(sum(row.referenced for row in said), len(said), sum(row.referenced for row in rows))


def figures(right: float, said: float, used: int) -> str:
    precision, recall = right / said if said else 0.0, right / used if used else 0.0
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return f"precision {precision:.3f}  recall {recall:.3f}  F1 {f1:.3f}  ({used} uses)"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=Path, nargs="*", default=[DEVELOPMENT], help="rows")
    parser.add_argument("--meaning", action="store_true", help="ask the embedder of meaning, too")
    parser.add_argument("--show", action="store_true", help="print what was told wrong")
    parser.add_argument("--curve", action="store_true", help="print the figures under other thresholds")
    arguments = parser.parse_args()
    rows = read(arguments.files)
    judged = Judge(rows, meaning=arguments.meaning)
    print(f"natural negatives      {natural(rows, judged, show=arguments.show)}")
    for lang in sorted({row.lang for row in rows}):
        print(f"of these in {lang}         {natural([row for row in rows if row.lang == lang], judged)}")
    print(f"the rows as given      {as_given(rows, judged)}")
    for name, values in CURVE.items() if arguments.curve else ():
        for value in values:
            with patch.object(used_memories, name, value):
                print(f"{name:11} {value:<5}      {natural(rows, judged)}")


if __name__ == "__main__":
    main()
