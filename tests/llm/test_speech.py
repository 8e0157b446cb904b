"""What is answer and what is thinking, whatever way the text is cut."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_core.llm.reply import MAX_LITERAL_TAGS, Speech
from orca_core.model.llm import ModelEvent, ReasoningDelta, TextDelta

Said = tuple[str, str]


def heard(events: list[ModelEvent]) -> Said:
    """(answer, thoughts), as a listener keeps them."""
    answer, thoughts = "", ""
    for event in events:
        if isinstance(event, TextDelta):
            answer += event.text
        elif isinstance(event, ReasoningDelta):
            if event.takes_back:
                answer, thoughts = "", thoughts + answer
            thoughts += event.text
    return answer, thoughts


def split(*pieces: str) -> Said:
    speech = Speech()
    events = [event for piece in pieces for event in speech.speak(piece)] + speech.finish()
    answer, thoughts = heard(events)
    assert speech.has_text == bool(answer.strip())
    assert speech.has_thoughts == bool(thoughts)
    return answer, thoughts


@pytest.mark.parametrize(
    ("text", "answer", "thought"),
    [
        ("plain", "plain", ""),
        ("<think>why</think>answer", "answer", "why"),
        ("\n <think>why</think>\n\nanswer", "answer", "why"),
        ("<think>never closed", "", "never closed"),
        ("a <think> in the middle", "a <think> in the middle", ""),
        ("<thin", "<thin", ""),
        ("<think></think>x", "x", ""),
        ("< think>x", "< think>x", ""),
        ("<think>a < b </thin k></think>x", "x", "a < b </thin k>"),
        ("  leading", "  leading", ""),
        ("", "", ""),
        (" \n ", "", ""),
        # the opening tag is missing
        ("why</think>answer", "answer", "why"),
        ("why\n</think>\n\nanswer", "answer", "why\n"),
        ("first\n\nsecond</think>\nanswer", "answer", "first\n\nsecond"),
        ("why</think>", "", "why"),
        ("</think>\n\nanswer", "answer", ""),
        ("\n</think>answer", "answer", ""),
        ("why</think>a </think> b", "a </think> b", "why"),
        ("why</thin", "why</thin", ""),
        # it is only spoken of
        ("Close it with `</think>`.", "Close it with `</think>`.", ""),
        ('print("</think>")', 'print("</think>")', ""),
        ("```\n</think>\n```", "```\n</think>\n```", ""),
        ("Write <think>…</think> first", "Write <think>…</think> first", ""),
        ("the `</think>` tag, so</think>answer", "answer", "the `</think>` tag, so"),
    ],
)
def test_thinking_is_told_from_the_answer(text: str, answer: str, thought: str) -> None:
    assert split(text) == (answer, thought)
    assert split(*text) == (answer, thought)


def test_an_answer_full_of_tags_is_read_in_reasonable_time() -> None:
    text = "`</think>` " * 20_000

    assert split(text) == (text, "")
    assert split("`</think>` " * (MAX_LITERAL_TAGS + 1) + "x</think>y")[1] == ""


PARTS = ["<think>", "</think>", "<", "a", " ", "\n", "\r", "</", "think>", "`", "```"]


@given(st.lists(st.sampled_from(PARTS), max_size=12), st.data())
def test_any_cut_gives_the_same(parts: list[str], data: st.DataObject) -> None:
    text = "".join(parts)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=6)))
    edges = [0, *cuts, len(text)]

    assert split(*(text[a:b] for a, b in zip(edges, edges[1:], strict=False))) == split(text)
