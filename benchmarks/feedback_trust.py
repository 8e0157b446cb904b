"""What goes live by acts on a set of claims with the truth, where all acts of a case support its claim.

    python benchmarks/feedback_trust.py DIR [--failures]

DIR has feedback.json, a list of {"name", "acts": [{"type", "question", "answer", "previous", "current"}], "claim",
"live", "why"}. Printed: false claims that live, and honest ones that are held: by a verifier that is right, by one that
errs in one of twenty answers (five of them), and by a model's answers, those that --answers names or that DIR keeps.

Questions are printed, and answers recorded, as benchmarks/verified_sets.py says.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from sets.feedback import RECORDED, Failures, asked_in, careless, cases_in, measured, recorded, records_of, right
from sets.questions import SEEDS
from verified_sets import Measure, run

MOST_HELD = 0.05
"""So many of the honest ones may be held."""


def tell(name: str, found: Failures, *, failures: bool) -> None:
    print(f"{name:28} live {len(found.lived)} of {found.false} false, held {len(found.held)} of {found.honest} honest")
    for line in (*found.lived, *found.held) if failures else ():
        print(f"    {line}")


def measure(folder: Path, answers: Path | None, failures: bool) -> bool:
    """Print every figure; whether those of a right verifier, and of a model, are good."""
    cases, is_good = cases_in(folder), True
    by_word = {"right": right} if answers is None else {"right": right, "a model": recorded(answers)}
    for name, verifier in by_word.items():
        tell(name, found := measured(cases, verifier), failures=failures)
        is_good &= not found.lived and len(found.held) <= MOST_HELD * found.honest
    for seed in SEEDS:
        tell(f"errs in one of twenty ({seed})", measured(cases, careless(seed)), failures=False)
    return is_good


if __name__ == "__main__":
    sys.exit(run(__doc__, Measure(RECORDED, asked_in, records_of, measure)))
