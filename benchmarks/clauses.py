"""How long the clauses of a message take to read, and facts to judge, with nothing remembered of them.

    python benchmarks/clauses.py

Ordinary messages of 2,000 characters are what people typed in the development set, shuffled and joined, one language
at a time. Hostile ones are one part repeated up to 20,000 characters. Judged are ten facts of five rounds with a paste
of 20,000 characters. Milliseconds of the processor's time; the tables of words are compiled before.
"""

from __future__ import annotations

import json
import random
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from orca_core.domain.learning import ProposedFact
from orca_core.domain.memories import MemoryType
from orca_core.rules.clauses import reading, wording
from orca_core.rules.learning.agent.transcripts import Testimony
from orca_core.rules.learning.trust import evidence
from orca_core.rules.learning.trust import typed as ground

DEVELOPMENT = Path(__file__).resolve().parent.parent / "tests" / "data" / "trust" / "development"
CHARACTERS = 2_000
HOSTILE_CHARACTERS = 20_000
MESSAGES = 60
BOUND_MS = 5
HOSTILE_BOUND_MS = 200
HOSTILE = [",", "a,", "我，", "if ", "如果", "我在杭州做设计", "不", "not ", "don't a ", '"a ', "'a ", "? a", "吃不"]


def typed(language: str) -> list[str]:
    conversations = [each for name in ("honest", "poisoned") for each in json.loads(_read(name))]
    rounds = [number for each in conversations if each["lang"] == language for number in each["rounds"]]
    return [span["text"] for number in rounds for span in number["user"] if span["source"] == "typed"]


def _read(name: str) -> str:
    return (DEVELOPMENT / f"{name}.json").read_text("utf-8")


def milliseconds(work: Callable[[], object]) -> float:
    for cached in (
        wording.prepared,
        reading.read_clauses,
        reading.frame_left_open,
        ground.ground_of,
    ):
        cached.cache_clear()
    begun = time.process_time()
    work()
    return (time.process_time() - begun) * 1000


def ordinary(language: str) -> list[str]:
    texts, chance = typed(language), random.Random(1)
    messages = []
    for _ in range(MESSAGES + 3):
        chance.shuffle(texts)
        messages.append("\n".join(texts)[:CHARACTERS])
    return messages


def judged(language: str, *, paste: int) -> Callable[[], object]:
    """Judges ten facts of five rounds, one of them with a paste."""
    texts = typed(language)[:20]
    rounds = tuple((number, "\n".join(texts[number * 4 : number * 4 + 4])) for number in range(5))
    said = Testimony(typed=rounds, untrusted=(("\n".join(typed(language)) * 9)[:paste],), assistant=())
    facts = [ProposedFact(text, MemoryType.FACT, (), 1.0, quote=text) for text in texts[:10]]
    return lambda: [evidence.judge(fact, said) for fact in facts]


def main() -> None:
    for language in ("zh", "en"):
        took = sorted([milliseconds(lambda: reading.read_clauses(each)) for each in ordinary(language)][3:])  # noqa: B023
        median, late = statistics.median(took), took[int(len(took) * 0.95)]
        print(f"{language}: median {median:.1f} ms, p95 {late:.1f} ms (bound {BOUND_MS}) of {CHARACTERS:,} characters")
    for part in HOSTILE:
        message = (part * HOSTILE_CHARACTERS)[:HOSTILE_CHARACTERS]
        whole, half = (
            milliseconds(lambda: reading.read_clauses(text))  # noqa: B023
            for text in (message, message[: HOSTILE_CHARACTERS // 2])
        )
        print(f"{part!r:12} {whole:7.1f} ms (bound {HOSTILE_BOUND_MS}), {whole / half:.1f} times what half of it takes")
    for language in ("zh", "en"):
        few, many = (milliseconds(judged(language, paste=size)) for size in (10_000, 20_000))
        print(f"{language}: ten facts judged in {many:.1f} ms, in {few:.1f} ms with half of the paste")


if __name__ == "__main__":
    main()
