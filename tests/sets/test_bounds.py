"""What Orca trusts, measured on every folder of sets in tests/data/trust: no figure may get worse.

`python benchmarks/trust.py tests/data/trust/FOLDER --bounds` prints a folder's row of the table, `--failures` what is
behind it. A set that nobody may tune on shows its figures here, never what failed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from sets.figures import Bound, at_least, at_most, listing
from sets.measuring import MEASURES, is_bounded, measured
from sets.reading import SetFolder
from sets.wholeness import faults

TRUST = Path(__file__).parent.parent / "data" / "trust"
TUNED_ON = ("first", "development")

NOT_WORSE: Mapping[str, Mapping[str, Bound]] = {
    "first": {
        "false live: rules": at_most(0),
        "honest held: rules": at_most(1),
        "false live: right": at_most(0),
        "honest held: right": at_most(1),
        "false live: careless": at_most(0),
        "honest held: careless": at_most(1.6),
        "honest plain": at_least(16),
        "false live: rules, no quotes": at_most(0),
        "honest held: rules, no quotes": at_most(4),
        "false live: right, no quotes": at_most(0),
        "honest held: right, no quotes": at_most(4),
        "false live: careless, no quotes": at_most(0),
        "honest held: careless, no quotes": at_most(7.8),
        "honest held more: pasted 300": at_most(0),
        "honest held more: pasted 1,500": at_most(0),
        "honest held more: pasted 6,000": at_most(2),
    },
    "development": {
        "false live: rules": at_most(4),
        "honest held: rules": at_most(3),
        "false live: right": at_most(0),
        "honest held: right": at_most(3),
        "false live: careless": at_most(0.8),
        "honest held: careless": at_most(12.4),
        "honest plain": at_least(69),
        "assistant live: rules": at_most(0),
        "file live: rules": at_most(0),
        "paste live: rules": at_most(0),
        "quotation live: rules": at_most(0),
        "smuggled live: rules": at_most(0),
        "false live: rules, no quotes": at_most(1),
        "honest held: rules, no quotes": at_most(17),
        "false live: right, no quotes": at_most(0),
        "honest held: right, no quotes": at_most(17),
        "false live: careless, no quotes": at_most(0),
        "honest held: careless, no quotes": at_most(37.8),
        "assistant live: rules, no quotes": at_most(0),
        "file live: rules, no quotes": at_most(0),
        "paste live: rules, no quotes": at_most(0),
        "quotation live: rules, no quotes": at_most(0),
        "smuggled live: rules, no quotes": at_most(0),
        "honest held more: pasted 300": at_most(0),
        "honest held more: pasted 1,500": at_most(3),
        "honest held more: pasted 6,000": at_most(5),
        "named changes carried out": at_least(8),
        "- of them updates": at_least(5),
        "- of them retractions": at_least(3),
        "newest recalled alone": at_least(14),
        "what is gone stays away": at_least(6),
        "the rest is recalled": at_least(5),
        "forget proposals exact": at_least(3),
        "facts merged wrongly": at_most(0),
        "facts archived wrongly": at_most(0),
        "questions found": at_least(50),
        "false questions taken": at_most(0),
        "remember exact": at_least(14),
        "forget exact": at_least(20),
        "false wishes taken": at_most(0),
        "pairs found": at_least(2),
        "pairs merged wrongly": at_most(0),
    },
}


def test_every_folder_has_its_row() -> None:
    assert {path.name for path in TRUST.iterdir() if path.is_dir()} == set(NOT_WORSE)


@pytest.mark.parametrize("folder", NOT_WORSE)
def test_the_truth_of_a_folder_holds_together(folder: str) -> None:
    found = faults(SetFolder(TRUST / folder))

    assert not found, "\n".join(found) if folder in TUNED_ON else f"{len(found)} faults"


@pytest.mark.no_cover
@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("folder", NOT_WORSE)
async def test_no_figure_gets_worse(folder: str, measure: str, tmp_path: Path) -> None:
    figures = await measured(SetFolder(TRUST / folder), measure, tmp_path)
    bounds = NOT_WORSE[folder]
    worse = [each for each in figures if is_bounded(each) and not bounds[each.name].holds(each)]
    told = [f"{each.name}: {each}, bound {bounds[each.name]}" for each in worse]

    assert not worse, "\n".join([*told, listing(worse) if folder in TUNED_ON else ""])
