"""What goes live by acts on a set of claims with the truth, where all acts of a case support its claim.

    python benchmarks/feedback_trust.py DIR [--failures]
    python benchmarks/feedback_trust.py DIR --questions > questions.jsonl
    python benchmarks/feedback_trust.py DIR --answers answers.jsonl
    python benchmarks/feedback_trust.py DIR --record answers.jsonl

DIR has feedback.json, a list of {"name", "acts": [{"type", "question", "answer", "previous", "current"}], "claim",
"live", "why"}. Printed: false claims that live, and honest ones that are held: by a verifier that is right, by one that
errs in one of twenty answers (five of them), and by a model's answers, those that --answers names or that DIR keeps.

--questions prints what the verifier is asked, a line each: {"n", "set", "name", "part", "system", "user"}. Send both
texts to a model, in fresh conversations, and write its answers down, a line each: {"n", "text"}. --answers measures by
them, --record keeps them as DIR/recorded.jsonl.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from sets.feedback import RECORDED, SEEDS, Failures, asked_in, careless, cases_in, measured, recorded, records_of, right

MOST_HELD = 0.05
"""So many of the honest ones may be held."""


def tell(name: str, found: Failures, *, failures: bool) -> None:
    print(f"{name:28} live {len(found.lived)} of {found.false} false, held {len(found.held)} of {found.honest} honest")
    for line in (*found.lived, *found.held) if failures else ():
        print(f"    {line}")


def measure(folder: Path, answers: Path | None, *, failures: bool) -> bool:
    """Print every figure; whether those of a right verifier, and of a model, are good."""
    cases, is_good = cases_in(folder), True
    by_word = {"right": right} if answers is None else {"right": right, "a model": recorded(answers)}
    for name, verifier in by_word.items():
        tell(name, found := measured(cases, verifier), failures=failures)
        is_good &= not found.lived and len(found.held) <= MOST_HELD * found.honest
    for seed in SEEDS:
        tell(f"errs in one of twenty ({seed})", measured(cases, careless(seed)), failures=False)
    return is_good


def record(folder: Path, answers: Path, into: Path) -> None:
    lines = [json.dumps(each, ensure_ascii=False) for each in records_of(folder, answers)]
    into.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    print(f"{len(lines)} answers", file=sys.stderr)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--failures", action="store_true")
    parser.add_argument("--questions", action="store_true")
    parser.add_argument("--answers", type=Path)
    parser.add_argument("--record", type=Path, metavar="ANSWERS")
    given = parser.parse_args()
    kept = given.folder / RECORDED
    if given.questions:
        for question, _case in asked_in(given.folder):
            print(json.dumps(question, ensure_ascii=False))
        return 0
    if given.record:
        record(given.folder, given.record, kept)
        return 0
    if given.answers:
        with TemporaryDirectory() as folder:
            record(given.folder, given.answers, read := Path(folder) / RECORDED)
            return 0 if measure(given.folder, read, failures=given.failures) else 1
    return 0 if measure(given.folder, kept if kept.exists() else None, failures=given.failures) else 1


if __name__ == "__main__":
    sys.exit(main())
