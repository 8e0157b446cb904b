"""Pairs of memories as an export has them, with the newer of the two."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from orca_core.domain.exchange import PackedPair, Settled
from orca_core.domain.times import parse_timestamp, timestamp
from orca_core.wire.json_tokens import step_text
from orca_core.wire.shapes import NO_FIELD, Check, Misfit, a_list, mapping, moment, one_of, optional, text
from orca_core.wire.values import Json

PAIRS = "pairs"
_PAIR: Mapping[str, Check] = {"with": text, "why": text, "settled": optional(one_of(Settled)), "at": moment}


def pair_json(pair: PackedPair) -> Json:
    return {
        "with": pair.older,
        "why": pair.why,
        "settled": None if pair.settled is None else pair.settled.value,
        "at": timestamp(pair.at),
    }


def pairs_of(told: dict[str, Any]) -> tuple[PackedPair, ...] | None:
    """Those of a memory, taken out of what is told of it; None where nothing is said. Raises Misfit."""
    if PAIRS not in told:
        return None
    try:
        return tuple(a_list(told.pop(PAIRS), lambda each: _pair(mapping(each))))
    except Misfit as misfit:
        raise misfit.at(f".{PAIRS}") from None


def _pair(given: dict[str, Any]) -> PackedPair:
    for name in given:
        if name not in _PAIR:
            raise Misfit(expected=NO_FIELD, found=name, within=step_text(name))
    found: dict[str, Any] = {}
    for name, check in _PAIR.items():
        try:
            found[name] = check(given.get(name))
        except Misfit as misfit:
            raise misfit.at(f".{name}") from None
    settled = None if found["settled"] is None else Settled(found["settled"])
    return PackedPair(found["with"], found["why"], parse_timestamp(found["at"]), settled)
