"""What a second reader is asked of preferences that acts are said to show, and what becomes of those that it doubts. An
act that only a careless reading bears is no support: three of these would let an invention live."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from orca_core.domain.growth.reading import ActBatch, ActReading
from orca_core.domain.learning import DroppedFact
from orca_core.rules.growing.material import rows, session
from orca_core.rules.growing.promoting import UNPROVEN
from orca_core.rules.growing.trust import JudgedPreference
from orca_core.rules.learning.trust.evidence import Held
from orca_core.rules.learning.trust.second_reading import UNREAD

NOUN = "claim"
"""What the second reader is told that a preference is."""


def asked_about(judged: Sequence[JudgedPreference]) -> list[JudgedPreference]:
    """Those that supports could let live; what waits for a person anyway is not asked about."""
    return [each for each in judged if each.held == UNPROVEN]


def material(batch: ActBatch, asked: Sequence[JudgedPreference]) -> str:
    """The acts that show something, and what each is said to show, as JSON. No text in it can pretend to be anything
    else."""
    places = {each.action for each in asked}
    acts = [row for row in rows(batch) if row["action"] in places]
    claims = [
        {"claim": number, "action": each.action, "says": each.judged.fact.content}
        for number, each in enumerate(asked, start=1)
    ]
    shown: dict[str, Any] = {"acts": acts, "claims": claims}
    if batch.reading is ActReading.WORKFLOWS and batch.rounds:
        shown["session"] = session(batch.rounds)
    return json.dumps(shown, ensure_ascii=False)


def confirmed(
    judged: Sequence[JudgedPreference], asked: Sequence[JudgedPreference], answers: Mapping[int, bool]
) -> tuple[list[JudgedPreference], list[DroppedFact]]:
    """Those that stand, and those that are left out, each with the reason."""
    reasons = {
        id(each): UNREAD if answers.get(number) is None else Held.SECOND_READER.value
        for number, each in enumerate(asked, start=1)
        if answers.get(number) is not True
    }
    kept = [each for each in judged if id(each) not in reasons]
    return kept, [DroppedFact(each.judged.fact.content, reasons[id(each)]) for each in asked if id(each) in reasons]
