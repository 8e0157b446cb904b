"""Refusals for length, as servers word them, and the numbers in them."""

from __future__ import annotations

import json

import httpx
import pytest

from orca_core.llm.http import error_for, error_in_stream, overflow_in
from orca_core.model.errors import ContextTooLong

REFUSALS = [
    # llama.cpp, older and newer
    ({"error": {"code": 400, "message": "the request exceeds the available context size. try increasing the context size or enable context shift",
                "type": "exceed_context_size_error", "n_prompt_tokens": 14429, "n_ctx": 8192}}, 8192, 14429, None),
    ({"error": {"code": 400, "message": "request (1602 tokens) exceeds the available context size (512 tokens), try increasing it"}}, 512, 1602, None),
    # llama-cpp-python
    ("Requested tokens (5160) exceed context window of 512", 512, 5160, None),
    # OpenAI and those that speak like it
    ({"error": {"message": "This model's maximum context length is 4097 tokens. However, your messages resulted in 4569 tokens.", "code": "context_length_exceeded"}}, 4097, 4569, None),
    ("This model's maximum context length is 131072 tokens. However, you requested 156632 tokens (152536 in the messages, 4096 in the completion).", 131072, 152536, 4096),
    ("This endpoint's maximum context length is 8192 tokens. However, you requested about 9000 tokens (8000 of text input, 1000 in the output).", 8192, 8000, 1000),
    ("Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300000 tokens.", 272000, 300000, None),
    # vLLM
    ("This model's maximum context length is 4096 tokens. However, your request has 5000 input tokens. Please reduce the length of the input messages.", 4096, 5000, None),
    ("You passed 5000 input tokens and requested 100 output tokens. However, the model's context length is only 4096 tokens", 4096, 5000, 100),
    ("The decoder prompt (length 5000) is longer than the maximum model length of 4096.", 4096, 5000, None),
    # LM Studio
    ({"error": "Trying to keep the first 10136 tokens when context the overflows. However, the model is loaded with context length of only 7866 tokens, which is not enough."}, 7866, 10136, None),
    ("Cannot truncate prompt with n_keep (15028) >= n_ctx (7424)", 7424, 15028, None),
    # Ollama, GLM and others name no limit
    ({"error": "the input length exceeds the context length"}, None, None, None),
    ("prompt too long; exceeded max context length by 100 tokens", None, None, None),
    ({"error": {"code": "1261", "message": "Prompt 超长"}}, None, None, None),
    # SiliconFlow, Moonshot, DashScope, Mistral, Gemini, xAI, SGLang, Anthropic
    ({"code": 20015, "message": "length of prompt_tokens (163280) must be less than max_seq_len (32768)."}, 32768, 163280, None),
    ("Invalid request: Your request exceeded model token limit: 8192", 8192, None, None),
    ("model max length exceeded, max length:8192", 8192, None, None),
    ("Range of input length should be [1, 30720]", 30720, None, None),
    ("Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length", 32768, 40000, None),
    ("The input token count (2845475) exceeds the maximum number of tokens allowed (1048576).", 1048576, 2845475, None),
    ("This model's maximum prompt length is 131072 but the request contains 150000 tokens.", 131072, 150000, None),
    ("The input (5000 tokens) is longer than the model's context length (4096 tokens).", 4096, 5000, None),
    ("prompt is too long: 202609 tokens > 200000 maximum", 200000, 202609, None),
    ("input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length", 200000, None, None),
    ("litellm.ContextWindowExceededError: litellm.BadRequestError: This model's maximum context length is 8,192 tokens.", 8192, None, None),
]  # fmt: skip


@pytest.mark.parametrize(("body", "limit", "prompt", "answer"), REFUSALS)
def test_the_numbers_of_a_refusal_are_read(
    body: object, limit: int | None, prompt: int | None, answer: int | None
) -> None:
    raw = body if isinstance(body, str) else json.dumps(body)
    refused = error_for("p", httpx.Response(400), raw.encode(), None)
    broken_off = error_in_stream("p", raw[:200], None, raw)

    for error in (refused, broken_off):
        assert isinstance(error, ContextTooLong)
        assert (error.limit, error.prompt_tokens, error.answer_tokens) == (limit, prompt, answer)


@pytest.mark.parametrize(
    "text",
    ["maximum context length is 0 tokens", "n_ctx: 3", "maximum context length is 999999999999 tokens", "of 12 tokens"],
)
def test_a_limit_that_can_be_none_is_not_believed(text: str) -> None:
    assert overflow_in(text)["limit"] is None


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (429, "Too many tokens, please wait before trying again."),
        (400, "temperature must be between 0 and 2"),
        (500, "the context was cancelled"),
    ],
)
def test_what_is_about_something_else_is_no_matter_of_length(status: int, body: str) -> None:
    assert not isinstance(error_for("p", httpx.Response(status), body.encode(), None), ContextTooLong)
