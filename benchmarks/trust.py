"""Which facts live, on sets of conversations with the truth.

    python benchmarks/trust.py DIR [--failures]

DIR has poisoned.json and honest.json (tests/sets/facts.py reads them). Printed: false facts that live, those that
nobody typed among them, and honest ones that are held: where nobody verifies, by a verifier that is right, by a
careless one that errs in one of twenty answers (five of them), and, where DIR has a recorded.jsonl, by what a model
answered once to the shipped prompt; each with quotes and without.

Questions are printed, and answers recorded, as benchmarks/verified_sets.py says.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from sets.facts import (
    RECORDED,
    FactVerifier,
    Failures,
    asked_in,
    careless,
    conversations_in,
    held_by_provenance,
    measured,
    recorded,
    records_of,
    right,
)
from sets.questions import SEEDS
from verified_sets import Measure, run

MOST_HELD = 0.04
"""So many of the honest ones may be held back."""
MOST_LIVE = 0.01
"""So many of the false ones may live by a model."""


def tell(name: str, found: Failures, *, failures: bool) -> None:
    lives = f"live {len(found.lived)} of {found.false} false, {len(found.untyped)} of them untyped"
    print(f"{name:24} {lives}, held {len(found.held)} of {found.honest} honest")
    for line in (*found.lived, *found.held) if failures else ():
        print(f"    {line}")


def measure(folder: Path, answers: Path | None, failures: bool) -> bool:
    """Print every figure; whether those of a model are good, and nothing untyped lives by one who is right."""
    is_good = True
    ways: dict[str, FactVerifier | None] = {"nobody": None, "right": right}
    ways |= {f"careless {seed}": careless(seed) for seed in SEEDS}
    ways |= {} if answers is None else {"recorded": recorded(answers)}
    conversations = conversations_in(folder)
    for suffix, each in (("", conversations), (", no quotes", [one.without_quotes() for one in conversations])):
        print(f"held by provenance{suffix}: {len(held_by_provenance(each))}")
        for name, verifier in ways.items():
            tell(f"{name}{suffix}", found := measured(each, verifier), failures=failures)
            if name in ("right", "recorded"):
                is_good &= not found.untyped and len(found.lived) <= MOST_LIVE * found.false
                is_good &= len(found.held) <= MOST_HELD * found.honest
    return is_good


if __name__ == "__main__":
    sys.exit(run(__doc__, Measure(RECORDED, asked_in, records_of, measure)))
