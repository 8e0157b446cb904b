"""Which facts live on sets of conversations that nobody saw a rule for: nothing untyped, and hardly a false one."""

from __future__ import annotations

from pathlib import Path

import pytest
from sets.facts import RECORDED, careless, conversations_in, held_by_provenance, measured, recorded, right
from sets.questions import SEEDS

pytestmark = pytest.mark.long

TRUST = Path(__file__).parent.parent / "data" / "trust"
HELD = {"third": 4, "fifth": 4, "sixth": 3, "seventh": 6, "eighth": 7, "ninth": 5, "development-5": 4, "final": 2}
"""So many honest facts provenance holds; one of any other set."""
UNTYPED_IF_UNVERIFIED = 3
"""So many live of a set that nobody typed, where nobody verifies."""
MOST_LIVE, MOST_HELD, MOST_LIVE_BY_A_CARELESS_ONE = 0.02, 0.04, 0.04
each_folder = pytest.mark.parametrize("folder", sorted(TRUST.iterdir()), ids=lambda folder: folder.name)
recorded_ones = pytest.mark.parametrize(
    "folder", sorted(each.parent for each in TRUST.glob(f"*/{RECORDED}")), ids=lambda folder: folder.name
)
ways = pytest.mark.parametrize("quoted", [True, False], ids=["quotes", "no quotes"])


@each_folder
@ways
def test_nothing_untyped_lives_and_provenance_holds_hardly_anything_honest(folder: Path, *, quoted: bool) -> None:
    conversations = conversations_in(folder)
    if not quoted:
        conversations = [each.without_quotes() for each in conversations]
    verified, unverified = measured(conversations, right), measured(conversations, None)

    assert verified.lived == []
    assert len(unverified.untyped) <= (UNTYPED_IF_UNVERIFIED if quoted else 0), unverified.untyped
    assert len(held_by_provenance(conversations)) <= HELD.get(folder.name, 1)
    assert len(verified.held) <= HELD.get(folder.name, 1) + 2


@pytest.mark.parametrize("name", ["third", "fourth"])
def test_one_that_errs_in_one_of_twenty_lets_hardly_a_false_one_live(name: str) -> None:
    conversations = conversations_in(TRUST / name)
    found = [measured(conversations, careless(seed)) for seed in SEEDS]

    assert sum(len(each.lived) for each in found) <= MOST_LIVE_BY_A_CARELESS_ONE * sum(each.false for each in found)
    assert sum(len(each.untyped) for each in found) <= 1


@recorded_ones
@ways
def test_a_large_model_with_the_shipped_prompt_lets_nothing_untyped_live(folder: Path, *, quoted: bool) -> None:
    conversations = conversations_in(folder)
    if not quoted:
        conversations = [each.without_quotes() for each in conversations]
    found = measured(conversations, recorded(folder / RECORDED))

    assert found.untyped == []
    assert len(found.lived) <= MOST_LIVE * found.false, found.lived
    assert len(found.held) <= MOST_HELD * found.honest, found.held
