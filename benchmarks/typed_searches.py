"""What a person finds who types a turn, or a misspelt name alone, into `orca search`.

DIR holds lives and turns (see `technical_sets.py`). Each pair and question about oneself is searched for as it stands,
each misspelt turn also by its misspelt name: the word of it that is most like one of the memory that is wanted.
Printed: how many find that memory among the first five, with all steps of the search or without one of those of
`recall_steps.py`.

    python benchmarks/typed_searches.py DIR [--step "no neighbours"]
"""

from __future__ import annotations

import argparse
import asyncio
import difflib
import re
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from recall_steps import STEPS, changed
from technical_sets import Life, Turn, orca_of, read_lives

TYPED = ("pair", "question", "typo")
FIRST = 5
_NAME = re.compile(r"[A-Za-z0-9_-]{4,}")


def searches_of(life: Life, turn: Turn) -> Iterator[tuple[str, str]]:
    """What is typed, each with what it is called."""
    yield turn.kind, turn.text
    if turn.kind == "typo":
        told = " ".join(str(row["text"]) for row in life.memories if row["id"] in turn.wanted)
        known = set(_NAME.findall(told.lower()))
        near = [
            (difflib.SequenceMatcher(None, word.lower(), name).ratio(), word)
            for word in _NAME.findall(turn.text)
            for name in known - {word.lower()}
        ]
        yield "misspelt name", max(near)[1]


async def measure(folder: Path) -> dict[str, list[bool]]:
    found: dict[str, list[bool]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as home:
        for life in read_lives(folder):
            orca, names = await orca_of(life, Path(home), embedding="local")
            for turn in (each for each in life.turns if each.kind in TYPED):
                for kind, text in searches_of(life, turn):
                    hits = (await orca.search.find(text, FIRST)).hits
                    found[kind].append(any(names[hit.memory.id] in turn.wanted for hit in hits))
            await orca.aclose()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("--step", choices=STEPS, default="all steps")
    arguments = parser.parse_args()
    with changed(STEPS[arguments.step]):
        found = asyncio.run(measure(arguments.folder))
    for kind, each in found.items():
        print(f"{kind:16} {sum(each):4} of {len(each)}")


if __name__ == "__main__":
    main()
