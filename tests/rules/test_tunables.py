"""The page of tunables shows the constants of the rules as they are."""

from __future__ import annotations

import runpy
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "scripts" / "tunables"


def test_the_page_of_tunables_is_up_to_date() -> None:
    script = runpy.run_path(str(SCRIPT))

    assert script["PAGE"].read_text("utf-8") == script["page"](), "run scripts/tunables"
