"""What servers call things, and what they mean."""

from __future__ import annotations

import pytest

from orca_core.llm.reply import Chunk, finish_of, read_chunk, read_usage
from orca_core.llm.tool_calls import CallPiece
from orca_core.model.llm import Finish, Usage


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
        (
            {"choices": [{"delta": {"reasoning_content": "r"}}]},
            Chunk(reasoning="r", reasoning_name="reasoning_content"),
        ),
        ({"choices": [{"delta": {"reasoning": "r"}}]}, Chunk(reasoning="r", reasoning_name="reasoning")),
        ({"choices": [{"delta": {"reasoning_text": "r"}}]}, Chunk(reasoning="r", reasoning_name="reasoning_text")),
        (
            {"choices": [{"delta": {"reasoning": "r", "reasoning_content": "r"}}]},
            Chunk(reasoning="r", reasoning_name="reasoning_content"),
        ),
        ({"choices": [{"delta": {"refusal": "no"}}]}, Chunk(refusal="no")),
        (
            {"choices": [{"delta": {"tool_calls": [{}]}, "finish_reason": "tool_calls"}]},
            Chunk(finish="tool_calls", calls=(CallPiece(),)),
        ),
        ({"choices": [{"delta": {}, "usage": {"prompt_tokens": 9}}]}, Chunk(usage=Usage(9, 0))),
        ({"choices": [{"delta": {"content": ""}, "index": 1}]}, Chunk()),
        (
            {"choices": [{"index": 1, "delta": {"content": "b"}}, {"index": 0, "delta": {"content": "a"}}]},
            Chunk(text="a"),
        ),
        ({"choices": [{"index": None, "delta": {"content": "a"}}]}, Chunk(text="a")),
        ({"choices": [{"index": 1, "delta": {"content": "b"}, "finish_reason": "stop"}]}, Chunk()),
        ({"error": {"message": "broken"}}, Chunk(error="broken", error_json='{"message": "broken"}')),
        ({"error": "broken"}, Chunk(error="broken", error_json='"broken"')),
        (
            {"choices": [{"error": {"message": "broken"}, "finish_reason": "error"}]},
            Chunk(error="broken", finish="error", error_json='{"message": "broken"}'),
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
