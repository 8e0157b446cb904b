"""Kill -9 at random moments of a command that changes a whole home: it is as before, or as after, never between; it
opens, the doctor finds nothing, and nothing is left behind once it was opened. A cleaning and an undo write in slices:
of them some may be done, the doctor says so of an undo, and the next cleaning or the background does the rest.

    python benchmarks/file_kills.py [--kind import] [--kills 30]"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random

import stores  # noqa: F401  # it says where fakes are

from fakes.killed_commands import KINDS, KilledCommand  # isort: skip

EARLIEST = 0.15
"""Before that share of its time a command is being loaded."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kind", action="append", choices=list(KINDS), help="all, where none is named")
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    is_wrong = False
    for name in arguments.kind or KINDS:
        with tempfile.TemporaryDirectory() as folder:
            os.environ["HOME"] = folder
            command, chance = KilledCommand(KINDS[name], Path(folder)), Random(arguments.seed)
            began = time.monotonic()
            command.run_through()
            takes_s = time.monotonic() - began
            moments = [chance.uniform(EARLIEST, 1.0) * takes_s for _ in range(arguments.kills)]
            found = sum(map(command.killed, moments), Counter[str]())
        is_wrong = is_wrong or any(each.startswith("wrong") for each in found)
        told = ", ".join(f"{what} {count}" for what, count in sorted(found.items()))
        print(f"{name}: {arguments.kills} kills within {takes_s:.1f} s: {told}", flush=True)
    sys.exit(is_wrong)


if __name__ == "__main__":
    main()
