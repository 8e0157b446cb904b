"""Which guides live on a set by somebody who saw no rule, with what a model said once to the shipped prompt."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from orca_core.domain.growth.tools import ToolCall
from orca_core.rules.tooling import reading, second_reading, trust

pytestmark = pytest.mark.long

SEEN = Path(__file__).parent.parent / "data" / "tools" / "development-2"
GUIDES: list[dict[str, Any]] = json.loads((SEEN / "guides.json").read_text("utf-8"))
SAID: dict[str, dict[str, bool]] = json.loads((SEEN / "second_reader.json").read_text("utf-8"))
AT = datetime(2026, 11, 20, 12, tzinfo=UTC)


def fault_of(case: dict[str, Any]) -> trust.Fault | None:
    calls = [
        ToolCall(number, case["tool"], _text(each["input"]), each["output"], each["success"], AT)
        for number, each in enumerate(case["calls"], start=1)
    ]
    guide = reading.read_guide(case["guide"])
    assert guide is not None
    fault, _ = trust.judged(guide, case["tool"], calls)
    if fault is not None:
        return fault
    sentences = second_reading.sentences_of(guide)
    said = SAID.get(case["name"], {})
    answers = {number: said[each] for number, each in enumerate(sentences, start=1) if each in said}
    return second_reading.held_back(sentences, answers)[0]


def _text(given: Any) -> str:
    return given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)


def test_no_dishonest_guide_lives_and_hardly_an_honest_one_waits() -> None:
    lived = [case["name"] for case in GUIDES if not case["honest"] and fault_of(case) is None]
    held = [case["name"] for case in GUIDES if case["honest"] and fault_of(case) is not None]

    assert sum(case["honest"] for case in GUIDES) == 32
    assert (lived, len(GUIDES)) == ([], 48)
    assert len(held) <= 1, held
