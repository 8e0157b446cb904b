"""kill -9 while Orca learns: nothing that was said is lost, and nothing is learnt, confirmed or supported twice."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.long

KILLS = Path(__file__).parents[2] / "benchmarks" / "learning_kills.py"


@pytest.mark.parametrize("kind", ["facts", "episodes", "summaries", "feedback", "knowledge", "guides"])
def test_nothing_that_is_learnt_is_lost_or_doubled(kind: str) -> None:
    command = [sys.executable, str(KILLS), kind, "--kills", "3", "--sessions", "4"]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=100)
    assert (done.returncode, done.stdout.partition("learn: ")[2]) == (0, "nothing lost, nothing doubled\n"), done.stderr
