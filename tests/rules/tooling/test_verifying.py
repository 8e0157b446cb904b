"""What the verifier is asked of a guide, and what its answers mean."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from orca_core.model.learning import Answer
from orca_core.model.tools import ToolCall
from orca_core.rules.work.guide_provenance import INPUT_CHARS, INPUTS, Fault, Verified, material, sentences_of, verified

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


GUIDE = "Short queries. Trust the first hit.\nWait after 429；再重试。"


@pytest.mark.parametrize(
    ("says_so", "text", "fault", "refused"),
    [
        ((True, True, True, True), GUIDE, None, ()),
        ((True, False, True, True), "Short queries. Wait after 429；再重试。", None, ("Trust the first hit.",)),
        ((False, True, True, True), "Trust the first hit.\nWait after 429；再重试。", None, ("Short queries.",)),
        ((True, True, True, False), "Short queries. Trust the first hit.\nWait after 429；", None, ("再重试。",)),
        ((True, False, None, True), "Short queries. Wait after 429；再重试。", Fault.UNREAD, ("Trust the first hit.",)),
        ((True, None, True, True), GUIDE, Fault.UNREAD, ()),
        ((None, None, None, None), GUIDE, Fault.UNREAD, ()),
        ((False, False, False, False), GUIDE, Fault.NOT_USAGE,
         ("Short queries.", "Trust the first hit.", "Wait after 429；", "再重试。")),
    ],
    ids=["all stand", "the middle", "the first", "the last", "refused and unread", "unread", "silence", "nothing is left"],
)  # fmt: skip
def test_a_refused_sentence_is_left_out_and_one_without_an_answer_holds_the_rest(
    says_so: tuple[bool | None, ...], text: str, fault: Fault | None, refused: tuple[str, ...]
) -> None:
    answers = {number: Answer(each) for number, each in enumerate(says_so, start=1) if each is not None}
    assert verified(GUIDE, answers) == Verified(text, fault, refused)
