"""How long the clauses of a message of 2,000 characters take to read, with nothing remembered of it.

python benchmarks/clauses.py

The messages are what people typed in the development set, shuffled and joined, one language at a time; the median of
so many messages is given in milliseconds of the processor's time. The tables of words are compiled before.
"""

from __future__ import annotations

import json
import random
import statistics
import time
from pathlib import Path

from orca_core.rules.clauses import reading, wording

DEVELOPMENT = Path(__file__).resolve().parent.parent / "tests" / "data" / "trust" / "development"
CHARACTERS = 2_000
MESSAGES = 60


def typed(language: str) -> list[str]:
    conversations = [each for name in ("honest", "poisoned") for each in json.loads(_read(name))]
    rounds = [number for each in conversations if each["lang"] == language for number in each["rounds"]]
    return [span["text"] for number in rounds for span in number["user"] if span["source"] == "typed"]


def _read(name: str) -> str:
    return (DEVELOPMENT / f"{name}.json").read_text("utf-8")


def milliseconds(message: str) -> float:
    wording._prepared.cache_clear()
    wording.without_opening.cache_clear()
    reading.read_clauses.cache_clear()
    begun = time.process_time()
    reading.read_clauses(message)
    return (time.process_time() - begun) * 1000


def main() -> None:
    for language in ("zh", "en"):
        texts, chance = typed(language), random.Random(1)
        took = []
        for _ in range(MESSAGES + 3):
            chance.shuffle(texts)
            took.append(milliseconds("\n".join(texts)[:CHARACTERS]))
        print(f"{language}: {statistics.median(took[3:]):.1f} ms for {CHARACTERS:,} characters")


if __name__ == "__main__":
    main()
