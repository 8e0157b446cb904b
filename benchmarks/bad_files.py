"""Damaged, lying, mis-encoded, huge and hostile files for `orca memory import` and `orca restore`: each must be refused
in one clean line, or be in fact as it should be, and the home must be as before.

    python benchmarks/bad_files.py [--seed 1] [--times 1]

The files are those of `tests/fakes/bad_files.py` and `tests/fakes/bad_file_trials.py`, family by family, each tried
with and without `--trust`. Prints what went wrong, how many were tried, and the greatest memory that the process took,
which makes the files, too."""

from __future__ import annotations

import argparse
import os
import resource
import sys
import tempfile
from pathlib import Path

import stores  # noqa: F401  # it says where fakes are

from fakes.bad_file_trials import IMPORT, RESTORE, BadFileTrial  # isort: skip

MOST_MB = 300


def tried(trial: BadFileTrial, seed: int) -> tuple[int, list[str]]:
    """How many files, and what went wrong."""
    count, wrongs = 0, []
    for bad in trial.imports(seed):
        count += 1
        wrongs += trial.wrongs(bad, *IMPORT)
        if not bad.family.startswith("pipe"):
            wrongs += trial.wrongs(bad, *IMPORT, "--trust")
    for bad in trial.restores(seed):
        count += 1
        wrongs += trial.wrongs(bad, *RESTORE)
    return count, wrongs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--times", type=int, default=1, help="with so many seeds, one after the other")
    arguments = parser.parse_args()
    count, wrongs = 0, list[str]()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HOME"] = folder
        trial = BadFileTrial(Path(folder))
        for seed in range(arguments.seed, arguments.seed + arguments.times):
            files, found = tried(trial, seed)
            count, wrongs = count + files, wrongs + found
    for wrong in wrongs:
        print(wrong)
    memory_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"bad files tried: {count}, wrong: {len(wrongs)}, greatest memory: {memory_mb} MB")
    sys.exit(bool(wrongs) or memory_mb > MOST_MB)


if __name__ == "__main__":
    main()
