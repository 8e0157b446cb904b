"""kill -9 in the middle of commands that change a whole home: before or after, and nothing is left
behind; of a cleaning whole slices, which the next one goes on from.
`benchmarks/file_kills.py` does it many times, with larger homes."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from fakes.killed_commands import KINDS, KilledCommand

pytestmark = pytest.mark.long

WITHIN_S = 1.5
MEMORIES = 40


@pytest.mark.parametrize("kind", ["undo", "clean", "reindex"])  # others have tests of their own
def test_a_killed_command_is_done_or_not_begun(tmp_path: Path, kind: str) -> None:
    command, chance = KilledCommand(KINDS[kind], tmp_path, MEMORIES), Random(kind)
    command.run_through()

    found = command.killed(chance.uniform(0.3, WITHIN_S))

    assert set(found) <= {"before", "after", "slices"}
