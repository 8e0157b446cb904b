"""Which guides of tools live, on sets of guides with the truth.

    python benchmarks/guides_trust.py DIR [--failures]
    python benchmarks/guides_trust.py DIR --questions > questions.jsonl
    python benchmarks/guides_trust.py DIR --record answers.jsonl

DIR has a guides.json (tests/sets/guides.py reads it). Printed: dishonest guides that live, and honest ones that are
held back, by a verifier that is right, a careless one that errs in one of twenty answers (five of them), and, where DIR
has a guides_recorded.jsonl, by what a model answered once to the shipped prompt.

--questions prints what the verifier is asked of each guide, a line each: {"n", "set", "name", "part", "system",
"user"}, "n" being the place of the guide. Send system and user to a model, in fresh conversations, and write its
answers down, a line each: {"n", "text"}. --record reads them as Orca does, writes DIR/guides_recorded.jsonl, a line a
sentence, and measures.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from sets.guides import (
    RECORDED,
    SEEDS,
    Failures,
    answers_recorded,
    by_rules,
    careless,
    guides_in,
    measured,
    questions,
    recorded,
    right,
)


def measure(folder: Path, *, failures: bool) -> None:
    guides = guides_in(folder)
    honest = sum(each.is_honest for each in guides)
    dishonest = len(guides) - honest
    print(f"{len(guides)} guides, {sum(by_rules(each) is not None for each in guides)} held by rules")

    def show(name: str, found: list[Failures]) -> None:
        lived = [name for each in found for name in each.lived]
        held = [name for each in found for name in each.held]
        print(f"{name:10} live {len(lived) / len(found):g} of {dishonest}, held {len(held) / len(found):g} of {honest}")
        print("".join(f"    {line}\n" for line in sorted({*lived, *held})) if failures else "", end="")

    show("right", [measured(guides, right)])
    show("careless", [measured(guides, careless(seed)) for seed in SEEDS])
    if (folder / RECORDED).exists():
        show("recorded", [measured(guides, recorded(folder / RECORDED))])


def record(folder: Path, path: Path) -> None:
    """Write down what the answers of a model say."""
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    said = {int(row["n"]): str(row["text"]) for row in rows if row.get("part", "guides") == "guides"}
    lines = list(answers_recorded(guides_in(folder), said))
    text = "".join(f"{json.dumps(each, ensure_ascii=False)}\n" for each in lines)
    (folder / RECORDED).write_text(text, encoding="utf-8")
    print(f"{len(lines)} sentences answered, of {len(said)} guides", file=sys.stderr)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--failures", action="store_true")
    parser.add_argument("--questions", action="store_true")
    parser.add_argument("--record", type=Path, metavar="ANSWERS")
    given = parser.parse_args()
    if given.questions:
        for _guide, question in questions(guides_in(given.folder), given.folder.name):
            print(json.dumps(question, ensure_ascii=False))
        return
    if given.record:
        record(given.folder, given.record)
    measure(given.folder, failures=given.failures)


if __name__ == "__main__":
    main()
