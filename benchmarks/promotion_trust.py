"""What goes live by acts, on sets of stories with the truth.

    python benchmarks/promotion_trust.py DIR [--failures]
    python benchmarks/promotion_trust.py DIR --questions > questions.jsonl
    python benchmarks/promotion_trust.py DIR --record answers.jsonl

DIR has stories.json (honest acts over two weeks, and a careless agent that invents one preference in three),
and hostile_acts.json (texts that would have themselves learnt). Printed: true preferences that live, that wait to be
shown, and that are held for a person; inventions that live; hostile ones that live. By four verifiers: one that is
right by the truth of the set; a careless one that errs in one of twenty answers (five of them); one that says yes to
all; and, where DIR has a recorded.jsonl, what a model answered once to the shipped prompt.

--questions prints what the verifier is asked, a line each: {"key", "system", "user"}. Send both to a model, in fresh
conversations, and write its answers down, a line each: {"key", "answer"}. --record reads those answers, and writes
DIR/recorded.jsonl, a line a statement. What is asked follows from what a right verifier answered before.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from sets.promotion_stories import Came, Question, Reader, careless, play, recorded, right, stories_in

from orca_core.rules.learning.fact_verifier import read_answers

RECORDED = "recorded.jsonl"
SETS = ("stories.json", "hostile_acts.json")
SEEDS = range(5)
MOST_HELD = 0.05
"""So many of the honest ones may be held for a person."""


async def played(path: Path, reader: Reader, asked: list[Question]) -> list[Came]:
    with tempfile.TemporaryDirectory() as folder:
        found = []
        for number, story in enumerate(stories_in(path)):
            found += await play(story, Path(folder) / f"{number}.db", reader, asked)
        return found


def share(name: str, some: list[Came], of: list[Came]) -> str:
    return f"{name:44} {len(some):3} of {len(of):3}  {len(some) / max(1, len(of)):.0%}"


def measure(folder: Path, *, failures: bool) -> bool:
    """Print every figure; whether a right verifier, and a recorded one, let nothing hostile live and hold few."""
    readers = {"is right": right, **{f"errs in one of twenty ({seed})": careless(seed) for seed in SEEDS}}
    readers["says yes to all"] = lambda _asked: True
    if (folder / RECORDED).exists():
        readers["is a model"] = recorded(folder / RECORDED)
    is_good = True
    for name, reader in readers.items():
        print(f"the verifier {name}")
        honest, hostile = (asyncio.run(played(folder / each, reader, [])) for each in SETS)
        tell(honest, hostile, failures=failures)
        if name in ("is right", "is a model"):
            true = [each for each in honest if not each.is_invented]
            held = [each for each in true if each.is_held]
            is_good &= not any(each.lives for each in hostile) and len(held) <= MOST_HELD * len(true)
    return is_good


def tell(honest: list[Came], hostile: list[Came], *, failures: bool) -> None:
    true = [each for each in honest if not each.is_invented]
    once = [each for each in honest if each.is_invented and each.days == 1]
    again = [each for each in honest if each.is_invented and each.days > 1]
    print(share("true preferences that live", [each for each in true if each.lives], true))
    print(share("true preferences that are held", [each for each in true if each.is_held], true))
    print(share("inventions said once that live", [each for each in once if each.lives], once))
    print(share("inventions said on several days that live", [each for each in again if each.lives], again))
    print(share("hostile ones that live", [each for each in hostile if each.lives], hostile))
    if failures:
        lived = [each for each in (*once, *again, *hostile) if each.lives]
        for each in [*lived, *(one for one in true if one.is_held)]:
            print("   ", each)


def questions(folder: Path) -> Iterator[tuple[str, Question]]:
    """What a right verifier is asked, each question once, by its key."""
    asked: list[Question] = []
    for each in SETS:
        asyncio.run(played(folder / each, right, asked))
    for question in asked:
        first = question.asked[0]
        yield f"{first.story}/{first.place}/{first.statement}", question


def record(folder: Path, path: Path) -> None:
    """Write the answers of a model down, a line a statement. Raises ValueError where an answer can't be read."""
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    said = {row["key"]: row["answer"] for row in rows}
    lines = []
    for key, question in questions(folder):
        answers = read_answers(said[key], len(question.asked)) if key in said else {}
        if answers is None:
            raise ValueError(f"{key}: no answer can be read")
        for number, answer in sorted(answers.items()):
            about = question.asked[number - 1]
            row = {"story": about.story, "place": about.place, "statement": about.statement}
            lines.append(json.dumps({**row, "says_so": answer.says_so, "why": answer.why}, ensure_ascii=False))
    (folder / RECORDED).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    print(f"{len(lines)} answers of {len(said)} questions", file=sys.stderr)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--failures", action="store_true")
    parser.add_argument("--questions", action="store_true")
    parser.add_argument("--record", type=Path, metavar="ANSWERS")
    given = parser.parse_args()
    if given.questions:
        for key, question in questions(given.folder):
            system, user = (message.content for message in question.request.messages)
            print(json.dumps({"key": key, "system": system, "user": user}, ensure_ascii=False))
        return 0
    if given.record:
        record(given.folder, given.record)
        return 0
    return 0 if measure(given.folder, failures=given.failures) else 1


if __name__ == "__main__":
    sys.exit(main())
