"""What a memory agent's answer says when it was asked for cues: read tolerantly, for nothing of it is believed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from orca_core.rules.learning.agent.json_reading import CutObject, values_in
from orca_core.rules.learning.agent.parsing import listed_cues, without_thinking

MAX_ID = 2**53
MAX_DIGITS = 16
"""Numbers above are none of a memory: they can't be told apart as JSON has them."""


def read_cues(answer: str) -> Mapping[int, Sequence[object]] | None:
    """The cues that the answer proposes, by the numbers of memories; None where nothing in it has the shape. One that
    was cut off is left out."""
    found = values_in(without_thinking(answer))
    shaped = [(each, read) for each in found if (read := _read(each.value)) is not None]
    if not shaped:
        return None
    whole = [read for each, read in shaped if not each.is_cut]
    return whole[-1] if whole else shaped[-1][1]


def _read(value: Any) -> Mapping[int, Sequence[object]] | None:
    if isinstance(value, dict) and isinstance(value.get("memories"), list | dict):
        value = value["memories"]
    if isinstance(value, dict):
        value = [{"id": number, "cues": cues} for number, cues in value.items()] if "id" not in value else [value]
    if not isinstance(value, list):
        return None
    rows = [each for each in value if isinstance(each, dict) and not isinstance(each, CutObject)]
    numbered = [(number, each) for each in rows if (number := _number(each.get("id"))) is not None and "cues" in each]
    if value and not numbered:
        return None
    return {number: list(listed_cues(each["cues"])) for number, each in numbered}


def _number(found: Any) -> int | None:
    """7, "7" and "m7" all name the memory 7."""
    if isinstance(found, str):
        bare = found.strip().lstrip("mM#")
        found = int(bare) if bare.isascii() and bare.isdecimal() and len(bare) < MAX_DIGITS else None
    if isinstance(found, bool) or not isinstance(found, int | float):
        return None
    return int(found) if 0 < found < MAX_ID and found == int(found) else None
