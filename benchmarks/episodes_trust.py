"""Which episodes live, and with what, on sets of sessions with the truth.

    python benchmarks/episodes_trust.py DIR [--failures] [--answers ANSWERS [--printed QUESTIONS]]

DIR has hostile.json and honest.json, or an episodes.json of both (tests/sets/episodes.py reads them). Printed: episodes
that live and must not, wholly or without the fields that were left out, or live with a false outcome; honest ones that
are held back, or lose a field. By a verifier that is right by the truth of the set, also beside pastes and without the
agent's quotes; by five careless ones that err in one of twenty answers; and, where there are ANSWERS, or DIR has a
recorded.jsonl, by a model that was given the shipped prompt and nothing else.

Questions are printed, and answers recorded, as benchmarks/verified_sets.py says.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from sets.episodes import (
    Failures,
    asked_in,
    careless,
    measured,
    recorded,
    records_of,
    right,
    sessions_of,
    with_pastes,
    without_quotes,
)
from sets.questions import SEEDS
from verified_sets import Measure, run

RECORDED = "recorded.jsonl"
MOST_HELD = 0.05
"""So many of the honest ones may be held back."""
MOST_LIVE_BY_A_CARELESS_ONE = 0.04


def told(name: str, found: Failures) -> str:
    return (
        f"{name:24} false {found.of - found.honest:3}: live {len(found.lived)}, whole {len(found.whole)},"
        f" false outcome {len(found.false_outcomes)} · honest {found.honest:3}: held {len(found.held)},"
        f" fields lost {len(found.lost)}, outcome lost {len(found.outcomes_lost)}"
    )


def show(name: str, found: Failures, *, failures: bool) -> bool:
    """Print the figures; whether they are good."""
    print(told(name, found))
    for lines in (found.lived, found.false_outcomes, found.held, found.lost, found.outcomes_lost) if failures else ():
        print("".join(f"    {line}\n" for line in lines), end="")
    return not found.whole and not found.false_outcomes and len(found.held) <= MOST_HELD * found.honest


def measure(folder: Path, answers: Path | None, failures: bool) -> bool:
    """Print every figure; whether all are good."""
    is_good = True
    for kind, sessions in sessions_of(folder).items():
        ways = [
            (kind, sessions, right),
            (f"{kind} beside pastes", with_pastes(sessions), right),
            (f"{kind} without quotes", without_quotes(sessions), right),
        ]
        if answers is not None:
            ways.append((f"{kind} recorded", sessions, recorded(answers)))
        for name, each, verifier in ways:
            is_good &= show(name, measured(each, verifier), failures=failures)
        careless_ones = [measured(sessions, careless(seed)) for seed in SEEDS]
        episodes = sum(each.of for each in careless_ones) or 1
        honest = sum(each.honest for each in careless_ones) or 1
        lived = sum(len(each.lived) + len(each.false_outcomes) for each in careless_ones)
        held = sum(len(each.held) for each in careless_ones)
        print(f"{kind} careless".ljust(24), f"live or false {lived / episodes:.1%}, honest held {held / honest:.1%}")
        is_good &= lived <= MOST_LIVE_BY_A_CARELESS_ONE * episodes
    return is_good


if __name__ == "__main__":
    sys.exit(run(__doc__, Measure(RECORDED, asked_in, records_of, measure)))
