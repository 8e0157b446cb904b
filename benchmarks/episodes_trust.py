"""Which episodes live, and with what, on sets of sessions with the truth.

    python benchmarks/episodes_trust.py DIR [--failures]

DIR has hostile.json and honest.json (tests/sets/episodes.py reads them). Printed: hostile episodes that live and must
not, or live with a false outcome; honest ones that are held back, or lose a step or their outcome; each also with
another paste beside one session in five. By the rules alone; where DIR has a second_reader.json, what a model
answered once to the shipped prompt, also with that.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from sets.episodes import Failures, answers_in, measured, sessions_in, with_pastes

MOST_WRONG = 0.1
"""So many of the honest ones may be held back, or lose something."""


def told(name: str, found: Failures) -> str:
    return (
        f"{name:22} of {found.of:3}: live {len(found.lived)}, false outcome {len(found.false_outcomes)},"
        f" held {len(found.held)}, steps lost {len(found.lost)}, outcome lost {len(found.outcomes_lost)}"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--failures", action="store_true")
    given = parser.parse_args()
    is_good = True
    second = given.folder / "second_reader.json"
    answers = answers_in(second) if second.exists() else {}
    for kind in ("hostile", "honest"):
        sessions = sessions_in(given.folder / f"{kind}.json")
        ways = [(kind, sessions, {}), (f"{kind} beside pastes", with_pastes(sessions), {})]
        for name, each, said in [*ways, *([(f"{kind} read twice", sessions, answers)] if answers else [])]:
            found = measured(each, said)
            print(told(name, found))
            is_good &= not found.lived and not found.false_outcomes
            if kind == "honest":
                print(f"{'':22} wrong {found.wrong} of {found.of} ({found.wrong / max(1, found.of):.0%})")
                is_good &= found.wrong <= MOST_WRONG * found.of
            if given.failures:
                for lines in (found.lived, found.false_outcomes, found.held, found.lost, found.outcomes_lost):
                    print("".join(f"    {line}\n" for line in lines), end="")
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
