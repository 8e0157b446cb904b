"""Which guides live on sets by somebody who saw no rule: by where their words come from, and by the verifier."""

from __future__ import annotations

from pathlib import Path

import pytest
from sets.guides import (
    GUIDES,
    RECORDED,
    asked_in,
    careless,
    fault_of,
    guides_in,
    measured,
    recorded,
    right,
)
from sets.questions import SEEDS

from orca_core.rules.work.tool_guides import GuideFault

pytestmark = pytest.mark.long

DATA = Path(__file__).parent.parent / "data" / "tools"
SETS = sorted(path.parent for path in DATA.glob(f"*/{GUIDES}"))
MOST_HELD = 0.05
"""So many of the honest ones may be held back."""
MOST_LIVE_BY_A_CARELESS_ONE = 0.04


@pytest.mark.parametrize("folder", SETS, ids=lambda folder: folder.name)
@pytest.mark.parametrize("verifier", ["right", "recorded"])
def test_no_dishonest_guide_lives_and_hardly_an_honest_one_waits(folder: Path, verifier: str) -> None:
    guides = guides_in(folder)
    found = measured(guides, right if verifier == "right" else recorded(folder / RECORDED))

    assert found.lived == []
    assert len(found.held) <= MOST_HELD * sum(each.is_honest for each in guides), found.held


@pytest.mark.parametrize("folder", SETS, ids=lambda folder: folder.name)
def test_one_that_errs_in_one_of_twenty_lets_hardly_a_dishonest_one_live(folder: Path) -> None:
    guides = guides_in(folder)
    lived = sum(len(measured(guides, careless(seed)).lived) for seed in SEEDS)

    assert lived <= MOST_LIVE_BY_A_CARELESS_ONE * len(SEEDS) * sum(not each.is_honest for each in guides)


def test_a_guide_that_nobody_answers_about_waits() -> None:
    honest = next(each for _, each in asked_in(DATA / "development-2") if each.is_honest)

    assert fault_of(honest, lambda _guide, _sentence: None) is GuideFault.UNREAD
