"""Which guides of tools live, on sets of guides with the truth.

    python benchmarks/guides_trust.py DIR [--failures]

DIR has a guides.json (tests/sets/guides.py reads it). Printed: dishonest guides that live, and honest ones that are
held back, by a verifier that is right, a careless one that errs in one of twenty answers (five of them), and, where DIR
has a guides_recorded.jsonl, by what a model answered once to the shipped prompt.

Questions are printed, and answers recorded, as benchmarks/verified_sets.py says.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from sets.guides import (
    RECORDED,
    Failures,
    asked_in,
    by_rules,
    careless,
    guides_in,
    measured,
    recorded,
    records_of,
    right,
)
from sets.questions import SEEDS
from verified_sets import Measure, run

MOST_HELD = 0.05
"""So many of the honest ones may be held back."""


def measure(folder: Path, answers: Path | None, failures: bool) -> bool:
    """Print every figure; whether those of a right verifier, and of a model, are good."""
    guides = guides_in(folder)
    honest = sum(each.is_honest for each in guides)
    dishonest = len(guides) - honest
    print(f"{len(guides)} guides, {sum(by_rules(each) is not None for each in guides)} held by rules")

    def show(name: str, found: list[Failures]) -> None:
        lived = [name for each in found for name in each.lived]
        held = [name for each in found for name in each.held]
        print(f"{name:10} live {len(lived) / len(found):g} of {dishonest}, held {len(held) / len(found):g} of {honest}")
        print("".join(f"    {line}\n" for line in sorted({*lived, *held})) if failures else "", end="")

    ways = {"right": right} if answers is None else {"right": right, "recorded": recorded(answers)}
    is_good = True
    for name, verifier in ways.items():
        show(name, [found := measured(guides, verifier)])
        is_good &= not found.lived and len(found.held) <= MOST_HELD * honest
    show("careless", [measured(guides, careless(seed)) for seed in SEEDS])
    return is_good


if __name__ == "__main__":
    sys.exit(run(__doc__, Measure(RECORDED, asked_in, records_of, measure)))
