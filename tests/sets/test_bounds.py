"""What Orca trusts, measured on every folder of sets in tests/data/trust: no figure may get worse.

`python benchmarks/trust.py tests/data/trust/FOLDER --bounds` prints what a folder's `bounds.txt` holds, `--failures` what is
behind it."""

from __future__ import annotations

from pathlib import Path

import pytest
from sets.figures import Bound, listing
from sets.measuring import MEASURES, is_bounded, measured
from sets.reading import SetFolder

pytestmark = pytest.mark.long

TRUST = Path(__file__).parent.parent / "data" / "trust"
FOLDERS = sorted(path.name for path in TRUST.iterdir() if path.is_dir())


def bounds_of(folder: str) -> dict[str, Bound]:
    """What no figure of a folder may be worse than, by the figure's name."""
    lines = (TRUST / folder / "bounds.txt").read_text("utf-8").splitlines()
    parsed = (line.split(maxsplit=2) for line in lines)
    return {name: Bound(sign, float(limit)) for sign, limit, name in parsed}


PASTED_BESIDE = ("development", "fourth")
"""Twelve pastes beside each conversation take as long as all else: two sets tell enough."""


@pytest.mark.parametrize(
    ("folder", "measure"),
    [(each, what) for each in FOLDERS for what in MEASURES if what != "pastes" or each in PASTED_BESIDE],
)
async def test_no_figure_gets_worse(folder: str, measure: str, tmp_path: Path) -> None:
    figures = await measured(SetFolder(TRUST / folder), measure, tmp_path)
    bounds = bounds_of(folder)
    worse = [each for each in figures if is_bounded(each) and not bounds[each.name].holds(each)]
    told = [f"{each.name}: {each}, bound {bounds[each.name]}" for each in worse]

    assert not worse, "\n".join([*told, listing(worse)])
