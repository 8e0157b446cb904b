"""What servers call things, and what they mean."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_core.domain.messages import Finish, Usage
from orca_core.llm.chunks import Chunk, ThinkingSplitter, finish_of, parsed, read_chunk, read_usage


@pytest.mark.parametrize(
    ("body", "chunk"),
    [
        ({"choices": [{"delta": {"content": "a"}}]}, Chunk(text="a")),
        ({"choices": [{"delta": {"role": "assistant", "content": None}}]}, Chunk()),
        ({"choices": [{"delta": {}}]}, Chunk()),
        ({"choices": []}, Chunk()),
        ({"choices": None}, Chunk()),
        ({}, Chunk()),
        ({"choices": ["x"]}, Chunk()),
        ({"choices": [{"delta": "x"}]}, Chunk()),
        ({"choices": [{"text": "a"}]}, Chunk(text="a")),
        ({"choices": [{"message": {"content": "whole"}, "finish_reason": "stop"}]}, Chunk(text="whole", finish="stop")),
        ({"choices": [{"delta": {"reasoning_content": "r"}}]}, Chunk(reasoning="r")),
        ({"choices": [{"delta": {"reasoning": "r"}}]}, Chunk(reasoning="r")),
        ({"choices": [{"delta": {"reasoning": "r", "reasoning_content": "r"}}]}, Chunk(reasoning="r")),
        ({"choices": [{"delta": {"refusal": "no"}}]}, Chunk(refusal="no")),
        ({"choices": [{"delta": {"tool_calls": [{}]}, "finish_reason": "tool_calls"}]}, Chunk(finish="tool_calls")),
        ({"error": {"message": "broken"}}, Chunk(error="broken")),
        ({"error": "broken"}, Chunk(error="broken")),
        (
            {"choices": [{"error": {"message": "broken"}, "finish_reason": "error"}]},
            Chunk(error="broken", finish="error"),
        ),
    ],
)
def test_chunks_of_every_shape_are_read(body: dict[str, object], chunk: Chunk) -> None:
    assert read_chunk(body) == chunk


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        ({"prompt_tokens": 10, "completion_tokens": 2}, Usage(10, 2)),
        ({"prompt_tokens": 10, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 8}}, Usage(10, 2, 8)),
        ({"prompt_tokens": 10, "completion_tokens": 2, "prompt_cache_hit_tokens": 7}, Usage(10, 2, 7)),
        (
            {"prompt_tokens": 10, "completion_tokens": 9, "completion_tokens_details": {"reasoning_tokens": 5}},
            Usage(10, 9, 0, 5),
        ),
        ({"prompt_tokens": None, "completion_tokens": "x"}, None),
        ({"prompt_tokens": -4, "completion_tokens": True}, None),
        (None, None),
        ([], None),
    ],
)
def test_usage_is_read_where_it_makes_sense(usage: object, expected: Usage | None) -> None:
    assert read_usage(usage) == expected


@pytest.mark.parametrize(
    ("word", "finish"),
    [("stop", Finish.STOP), ("length", Finish.LENGTH), ("content_filter", Finish.FILTERED), ("sensitive", Finish.FILTERED),
     ("tool_calls", Finish.STOP), ("network_error", None), ("insufficient_system_resource", None), ("", None)],
)  # fmt: skip
def test_ends_are_good_or_abnormal(word: str, finish: Finish | None) -> None:
    assert finish_of(word) is finish


@pytest.mark.parametrize("data", ["", "{", "[1]", "null", "NaN", '"x"', "[" * 5000, "{'a': 1}"])
def test_what_is_no_object_is_none(data: str) -> None:
    assert parsed(data) is None


def split(*pieces: str) -> tuple[str, str]:
    splitter = ThinkingSplitter()
    taken = [splitter.feed(piece) for piece in pieces] + [splitter.finish()]
    return "".join(answer for answer, _ in taken), "".join(thought for _, thought in taken)


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
    ],
)
def test_thinking_tags_are_told_from_the_answer(text: str, answer: str, thought: str) -> None:
    assert split(text) == (answer, thought)
    assert split(*text) == (answer, thought)


@given(st.lists(st.sampled_from(["<think>", "</think>", "<", "a", " ", "\n", "</", "think>"]), max_size=10), st.data())
def test_any_cut_of_thinking_gives_the_same(parts: list[str], data: st.DataObject) -> None:
    text = "".join(parts)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=5)))
    edges = [0, *cuts, len(text)]

    assert split(*(text[a:b] for a, b in zip(edges, edges[1:], strict=False))) == split(text)
