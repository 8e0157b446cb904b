"""What goes live and what waits, what is recalled and what is merged, on sets of conversations with the truth.

    python benchmarks/trust.py DIR [--only facts,pastes,histories,texts] [--recorded FILE]
        [--failures [NAME]] [--bounds]

DIR has any of poisoned, honest, sequences, questions, wishes and pairs (tests/sets/reading.py reads them), and
recorded.json where a model's answers were recorded (benchmarks/record_verifier.py); FILE holds others. Printed: each
figure beside what has to be reached on a set that nobody tuned on; the exit code is 1 where one is missed. With
--failures every failure of the figures whose name holds NAME ("false live: recorded", "opposite live", "newest"). With
--bounds the figures as the folder's bounds.txt, which tests/sets/test_bounds.py reads.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from sets.facts import NO_QUOTES, READERS
from sets.figures import Figure, listing
from sets.measuring import MEASURES, MUST_REACH, is_bounded, is_of_a_kind, measured
from sets.reading import SetFolder
from sets.verifiers import recorded_of


def table(figures: list[Figure]) -> list[str]:
    """The figures that are held to a bound, beside what must be reached."""
    lines = []
    for figure in filter(is_bounded, figures):
        bound = MUST_REACH.get(figure.name)
        sign = "" if bound is None else f"{bound!s:8} {'' if bound.holds(figure) else 'MISSED'}"
        lines.append(f"{figure.name:44} {figure!s:22} {sign}".rstrip())
    return lines


def kinds(figures: list[Figure]) -> list[str]:
    """False facts that live, by what makes them false: a line each."""
    counts = {figure.name: figure for figure in figures if is_of_a_kind(figure)}
    whys = list(dict.fromkeys(name.split(" live: ")[0] for name in counts))
    readers = [each for each in READERS if any(name.endswith(f" live: {each}") for name in counts)]
    heads = [f"{reader}{suffix}" for suffix in ("", NO_QUOTES) for reader in readers]
    columns = [*readers, *(f"{reader}*" for reader in readers)]
    lines = [f"{'false facts live, by kind':26} {'of':>4}" + "".join(f"{column:>10}" for column in columns)]
    for why in whys:
        row = [counts[f"{why} live: {head}"] for head in heads]
        lines.append(f"{why:26} {row[0].of:4}" + "".join(f"{figure.count:10g}" for figure in row))
    return [*lines, "* with all quotes emptied"] if whys else []


def bounds(figures: list[Figure]) -> list[str]:
    """The figures as what may not get worse."""
    return [f"{'≥' if each.is_good else '≤'} {each.count:g}  {each.name}" for each in filter(is_bounded, figures)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default=",".join(MEASURES))
    parser.add_argument("--recorded", type=Path)
    parser.add_argument("--failures", nargs="?", const="", default=None, metavar="NAME")
    parser.add_argument("--bounds", action="store_true")
    arguments = parser.parse_args()
    folder = SetFolder(arguments.folder)
    figures: list[Figure] = []
    recorded = recorded_of(folder.path, arguments.recorded)
    for name in arguments.only.split(","):
        with tempfile.TemporaryDirectory() as home:
            figures += asyncio.run(measured(folder, name, Path(home), recorded))
    print("\n".join([*table(figures), "", *kinds(figures)]))
    if arguments.failures is not None:
        named = arguments.failures
        print("\n" + listing([each for each in figures if named or not is_of_a_kind(each)], named))
    if arguments.bounds:
        print("\n" + "\n".join(bounds(figures)))
    for each in dict.fromkeys(recorded.missing):
        print(f"not recorded: {each}", file=sys.stderr)
    missed = [each.name for each in figures if each.name in MUST_REACH and not MUST_REACH[each.name].holds(each)]
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
