"""Refusals of servers as plain sentences, and the limits that they name."""

from __future__ import annotations

import json

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_core.llm.http import endpoint, error_for, error_in_stream, make_client, redacted, transport_error
from orca_core.model.errors import ContextTooLong, ModelError, ModelRejected, ModelUnavailable


def refusal(status: int, body: object, key: str | None = None) -> ModelError:
    raw = body.encode() if isinstance(body, str) else json.dumps(body).encode()
    return error_for("p", httpx.Response(status), raw, key)


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        ({"error": {"message": "one"}, "message": "two"}, "one"),
        ({"error": "one", "detail": "two"}, "one"),
        ({"detail": [{"msg": "one", "loc": ["body", "top_k"]}, {"msg": "two"}]}, "body.top_k: one; two"),
        ({"error": {"message": "one", "param": "top_k"}}, "top_k: one"),
        ({"error": {"message": "top_k is bad", "param": "top_k"}}, "top_k is bad"),
        ({"error": {"message": {"detail": "one"}}}, "one"),
        ({"code": 20015, "message": "invalid", "data": None}, "invalid"),
        ({"other": 1}, '{"other": 1}'),
        ("Failed to deserialize\nthe JSON", "Failed to deserialize the JSON"),
        ("<html><title> 413 Too\tLarge </title>", "a web page: 413 Too\tLarge (gateway error 400)"),
        ("<html>", "a web page (gateway error 400)"),
        ("", "status 400"),
        ("x" * 1000, "x" * 300),
    ],
)
def test_the_sentence_of_an_error_is_found(body: object, detail: str) -> None:
    assert refusal(400, body).fields["detail"] == detail


@pytest.mark.parametrize(
    ("status", "body", "kind", "sentence"),
    [
        (400, {"error": {"message": "no", "code": "context_length_exceeded"}}, ContextTooLong, "longer than"),
        (400, {"error": {"message": "no", "type": "exceed_context_size_error"}}, ContextTooLong, "longer than"),
        (500, "Context size has been exceeded", ContextTooLong, "longer than"),
        (400, "exceeds the available context size (4096 tokens)", ContextTooLong, "longer than"),
        (429, {"error": {"message": "no", "code": "insufficient_quota"}}, ModelRejected, "no balance"),
        (400, {"code": 20012, "message": "no"}, ModelRejected, "does not know this model"),
        (404, {"error": {"message": "model 'x' not found, try pulling it"}}, ModelRejected, "does not know this model"),
        (400, {"error": {"message": "/chat/completions: Invalid model name passed in model=x. Call `/v1/models` to view available models"}}, ModelRejected, "does not know this model"),
        (503, {"error": {"message": "the model service: unknown error"}}, ModelUnavailable, "can not answer just now"),
        (307, "", ModelRejected, "refused the request (307"),
    ],
)  # fmt: skip
def test_codes_count_as_much_as_sentences(status: int, body: object, kind: type[ModelError], sentence: str) -> None:
    error = refusal(status, body)

    assert type(error) is kind
    assert sentence in str(error)


@pytest.mark.parametrize("key", ["sk-0123456789abcdef", "plain0123456789abcdef", "an/odd+key==12"])
@pytest.mark.parametrize("before", ["", "x" * 290, "x" * 299])
def test_a_key_is_not_repeated_wherever_the_detail_is_cut(key: str, before: str) -> None:
    said = str(refusal(401, {"error": {"message": f"{before} {key} is wrong"}}, key))
    said += str(error_in_stream("p", f"{before} {key} is wrong", key))

    assert key[:8] not in said


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Incorrect key: sk-proj-Abc123456789xyz", "Incorrect key: sk-…9xyz"),
        ("Bearer abc.def-123456 is bad", "Bearer …3456 is bad"),
        ("missing Bearer authentication", "missing Bearer authentication"),
    ],
)
def test_what_looks_like_a_key_is_masked_and_words_are_not(text: str, shown: str) -> None:
    assert redacted(text, None) == shown


@given(st.integers(100, 599), st.one_of(st.binary(max_size=200), st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from(["error", "message", "detail", "msg", "code", "type", "loc", "param"]), inner, max_size=4),
    max_leaves=8).map(lambda value: json.dumps(value).encode())))  # fmt: skip
def test_any_refusal_is_a_sentence(status: int, body: bytes) -> None:
    error = error_for("p", httpx.Response(status), body, "sk-1")

    assert error.message.startswith("p: ")
    assert len(error.message) < 420


def test_an_address_is_shown_without_its_user_and_query() -> None:
    error = transport_error("p", httpx.ConnectError("refused"), "https://me:secret@h:8080/v1?key=secret#x")

    assert "no connection to https://h:8080/v1 (refused)" in str(error)
    assert "secret" not in str(error)


@pytest.mark.parametrize(
    ("base_url", "url"),
    [
        ("https://h/v1", "https://h/v1/chat/completions"),
        ("https://h", "https://h/chat/completions"),
        ("https://h/v1/embeddings", "https://h/v1/chat/completions"),
        ("https://h/api/paas/v4/chat/completions/", "https://h/api/paas/v4/chat/completions"),
    ],
)
def test_nothing_is_added_to_an_address_but_the_path(base_url: str, url: str) -> None:
    assert endpoint(base_url, "chat/completions") == url


def test_an_address_that_is_none_is_told_before_anything_is_sent() -> None:
    with pytest.raises(ModelRejected, match=r"check p\.base_url"):
        make_client("p", "http://[::1", None, 1.0)


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
    ({"error": {"code": "1261", "message": "Prompt 超长"}}, None, None, None),
    # SiliconFlow, Moonshot, DashScope, Mistral, Gemini, xAI, SGLang, Anthropic
    ({"code": 20015, "message": "length of prompt_tokens (163280) must be less than max_seq_len (32768)."}, 32768, 163280, None),
    ("Invalid request: Your request exceeded model token limit: 8192", 8192, None, None),
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
