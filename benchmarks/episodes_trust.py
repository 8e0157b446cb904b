"""Which episodes live, and with what, on sets of sessions with the truth.

    python benchmarks/episodes_trust.py DIR [--failures]
    python benchmarks/episodes_trust.py DIR --questions > questions.jsonl
    python benchmarks/episodes_trust.py DIR --record answers.jsonl

DIR has hostile.json and honest.json (tests/sets/episodes.py reads them). Printed: hostile episodes that live and must
not, or live with a false outcome; honest ones that are held back, or lose a field. By four verifiers: one that is
right by the truth of the set, also beside pastes and without the agent's quotes; a careless one that errs in one of
twenty answers (five of them); and, where DIR has a recorded.jsonl, what a model answered once to the shipped prompt.

--questions prints what the verifier is asked of each session, a line each: {"session", "system", "user"}. Send both
to a model, in fresh conversations, and write its answers down, a line each: {"session", "answer"}. --record reads
those answers, and writes DIR/recorded.jsonl, a line a statement.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from sets.episodes import (
    SEEDS,
    Failures,
    TruthSession,
    careless,
    measured,
    questions,
    recorded,
    right,
    sessions_in,
    with_pastes,
    without_quotes,
)

from orca_core import prompts
from orca_core.flows.jobs.extraction_prompt import language_in, with_local_dates
from orca_core.rules.learning.verifying import material, read_answers

KINDS = ("hostile", "honest")
RECORDED = "recorded.jsonl"
MOST_HELD = 0.05
"""So many of the honest ones may be held back."""
MOST_LIVE_BY_A_CARELESS_ONE = 0.04


def told(name: str, found: Failures) -> str:
    return (
        f"{name:24} of {found.of:3}: live {len(found.lived)}, false outcome {len(found.false_outcomes)},"
        f" held {len(found.held)}, fields lost {len(found.lost)}, outcome lost {len(found.outcomes_lost)}"
    )


def show(name: str, found: Failures, *, failures: bool) -> None:
    print(told(name, found))
    for lines in (found.lived, found.false_outcomes, found.held, found.lost, found.outcomes_lost) if failures else ():
        print("".join(f"    {line}\n" for line in lines), end="")


def measure(folder: Path, *, failures: bool) -> bool:
    """Print every figure; whether all are good."""
    is_good = True
    for kind in KINDS:
        sessions = sessions_in(folder / f"{kind}.json")
        ways = [
            (kind, sessions, right),
            (f"{kind} beside pastes", with_pastes(sessions), right),
            (f"{kind} without quotes", without_quotes(sessions), right),
        ]
        if (folder / RECORDED).exists():
            ways.append((f"{kind} recorded", sessions, recorded(folder / RECORDED)))
        for name, each, verifier in ways:
            found = measured(each, verifier)
            show(name, found, failures=failures)
            is_good &= not found.lived and not found.false_outcomes and len(found.held) <= MOST_HELD * found.of
        careless_ones = [measured(sessions, careless(seed)) for seed in SEEDS]
        episodes = sum(each.of for each in careless_ones) or 1
        lived = sum(len(each.lived) + len(each.false_outcomes) for each in careless_ones)
        held = sum(len(each.held) for each in careless_ones)
        print(f"{kind} careless".ljust(24), f"live or false {lived / episodes:.1%}, held {held / episodes:.1%}")
        is_good &= lived <= MOST_LIVE_BY_A_CARELESS_ONE * episodes
    return is_good


def asked(folder: Path) -> Iterator[tuple[TruthSession, list[str], dict[str, Any]]]:
    """Each session of which something is asked, its statements, and the exact question."""
    for session in (each for kind in KINDS for each in sessions_in(folder / f"{kind}.json")):
        statements = [each.asked.statement for each in questions(session)]
        if statements:
            language = language_in(session.rounds)
            criteria = prompts.builtin(f"verifier_episodes.{language}")
            system = prompts.fill(prompts.builtin(f"verifier.{language}"), criteria=criteria)
            user = material(with_local_dates(session.rounds), statements)
            says = [each.says for each in statements]
            yield session, says, {"session": session.name, "system": system, "user": user}


def record(folder: Path, path: Path) -> None:
    """Write the answers of a model down, a line a statement. Raises ValueError where an answer can't be read."""
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    said = {row["session"]: row["answer"] for row in rows}
    lines = []
    for session, statements, _question in asked(folder):
        answers = read_answers(said[session.name], len(statements)) if session.name in said else {}
        if answers is None:
            raise ValueError(f"{session.name}: no answer can be read")
        for number, answer in sorted(answers.items()):
            row = {"session": session.name, "statement": statements[number - 1], "says_so": answer.says_so}
            lines.append(json.dumps({**row, "words": answer.words, "why": answer.why}, ensure_ascii=False))
    (folder / RECORDED).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    print(f"{len(lines)} answers of {len(said)} sessions", file=sys.stderr)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--failures", action="store_true")
    parser.add_argument("--questions", action="store_true")
    parser.add_argument("--record", type=Path, metavar="ANSWERS")
    given = parser.parse_args()
    if given.questions:
        for _session, _statements, question in asked(given.folder):
            print(json.dumps(question, ensure_ascii=False))
        return 0
    if given.record:
        record(given.folder, given.record)
        return 0
    return 0 if measure(given.folder, failures=given.failures) else 1


if __name__ == "__main__":
    sys.exit(main())
