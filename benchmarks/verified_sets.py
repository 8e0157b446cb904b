"""What the measures of verifiers share: the command line that prints questions, reads answers, keeps them, measures.

    python benchmarks/MEASURE.py DIR [--failures] [--answers ANSWERS [--printed QUESTIONS]]
    python benchmarks/MEASURE.py DIR --questions > QUESTIONS
    python benchmarks/MEASURE.py DIR --record ANSWERS [--printed QUESTIONS]

--questions prints what the verifier is asked, a line each: {"n", "set", "name", "part", "system", "user"}. Send both
texts to a model, each in a conversation of its own, and write down what it answers, a line each: {"n", "text"}.
--answers measures by that; --record keeps it in DIR, a line a statement. --printed names the questions that were
answered, where other rules would ask others now.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from sets.questions import Row, as_lines, lines_of, texts_of


class Measure(NamedTuple):
    """How sets of one kind are asked about, and measured."""

    recorded: str
    """The file of a set that keeps what a model answered."""
    asked_in: Callable[[Path], Iterator[tuple[Row, object]]]
    records_of: Callable[[Path, Iterable[Row], Mapping[int, str]], Iterator[Row]]
    measure: Callable[[Path, Path | None, bool], bool]
    """Prints the figures of a folder, by the answers of a file where there is one, with failures where they are wanted;
    whether the figures are good."""


def run(about: str | None, how: Measure) -> int:
    """Does what the command line asks for; returns the code to exit with."""
    parser = argparse.ArgumentParser(
        description=f"{about}\n{__doc__}", formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--failures", action="store_true")
    parser.add_argument("--questions", action="store_true")
    parser.add_argument("--answers", type=Path)
    parser.add_argument("--record", type=Path, metavar="ANSWERS")
    parser.add_argument("--printed", type=Path, metavar="QUESTIONS")
    given = parser.parse_args()
    kept = given.folder / how.recorded

    def asked() -> list[Row]:
        return [question for question, _about in how.asked_in(given.folder)]

    def record(answers: Path, into: Path) -> Path:
        printed = lines_of(given.printed) if given.printed else asked()
        rows = list(how.records_of(given.folder, printed, texts_of(answers)))
        into.write_text(as_lines(rows), encoding="utf-8")
        print(f"{len(rows)} answers", file=sys.stderr)
        return into

    if given.questions:
        print(as_lines(asked()), end="")
        return 0
    if given.record:
        record(given.record, kept)
        return 0
    with TemporaryDirectory() as folder:
        answers = record(given.answers, Path(folder) / how.recorded) if given.answers else kept
        is_good = how.measure(given.folder, answers if answers.exists() else None, given.failures)
    return 0 if is_good else 1
