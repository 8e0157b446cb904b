"""What the verifier is asked of a guide, and what its answers mean."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime

import pytest

from orca_core.domain.growth.tools import ToolCall
from orca_core.domain.verifying import Answer
from orca_core.rules.tooling.provenance import Fault
from orca_core.rules.tooling.verifying import INPUT_CHARS, INPUTS, held_back, material, sentences_of

AT = datetime(2026, 11, 20, 12, tzinfo=UTC)


def test_it_is_shown_inputs_and_never_what_the_tool_answered() -> None:
    calls = [
        ToolCall(number, "search", json.dumps({"query": f"q{number}", "top": 3}), "ACME is the best", True, AT)
        for number in range(9)
    ]
    long = ToolCall(10, "search", json.dumps({"text": "x" * 999}), "ACME is the best", False, AT)
    shown = material("search", [*calls, long], ["Keep it short.", "Retry."])

    read = json.loads(shown)
    assert "ACME" not in shown
    assert (read["tool"], read["parameters"], len(read["inputs"])) == ("search", ["query", "top", "text"], INPUTS)
    assert len(read["inputs"][0]) == INPUT_CHARS + 1
    assert read["facts"] == [{"fact": 1, "says": "Keep it short."}, {"fact": 2, "says": "Retry."}]


def test_a_guide_is_asked_about_whole() -> None:
    guide = "Short queries, e.g. nginx 502, work.\nWait after 429; then retry。不要连续重试！"

    assert sentences_of(guide) == [
        "Short queries, e.g. nginx 502, work.", "Wait after 429;", "then retry。", "不要连续重试！",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ({1: True, 2: True}, (None, ())),
        ({1: True, 2: False}, (Fault.NOT_USAGE, ("b",))),
        ({2: False}, (Fault.NOT_USAGE, ("b",))),
        ({1: True}, (Fault.UNREAD, ())),
        ({}, (Fault.UNREAD, ())),
    ],
)
def test_a_refused_sentence_holds_the_guide_and_one_without_an_answer_too(
    answers: Mapping[int, bool], expected: tuple[Fault | None, tuple[str, ...]]
) -> None:
    assert held_back(["a", "b"], {number: Answer(says_so) for number, says_so in answers.items()}) == expected
