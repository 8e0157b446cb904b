"""What a server's refusal says, in whatever shape it comes, and what it never repeats."""

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
        ({"message": "one", "detail": "two"}, "one"),
        ({"detail": "one"}, "one"),
        ({"detail": [{"msg": "one", "loc": ["body", "top_k"]}, {"msg": "two"}]}, "body.top_k: one; two"),
        ({"error": {"message": "one", "param": "top_k"}}, "top_k: one"),
        ({"error": {"message": "top_k is bad", "param": "top_k"}}, "top_k is bad"),
        ({"error": {"message": {"detail": "one"}}}, "one"),
        ({"code": 20015, "message": "invalid", "data": None}, "invalid"),
        ({"other": 1}, '{"other": 1}'),
        ("Failed to deserialize\nthe JSON", "Failed to deserialize the JSON"),
        ('"a string"', "a string"),
        ("<html><title> 413 Too\tLarge </title>", "a web page: 413 Too\tLarge (gateway error 400)"),
        ("<html>", "a web page (gateway error 400)"),
        ("", "status 400"),
        ("null", "null"),
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
        (400, {"error": {"message": "no", "code": 1261}}, ContextTooLong, "longer than"),
        (500, "Context size has been exceeded", ContextTooLong, "longer than"),
        (400, "exceeds the available context size (4096 tokens)", ContextTooLong, "longer than"),
        (429, {"error": {"message": "no", "code": "insufficient_quota"}}, ModelRejected, "no balance"),
        (429, {"error": {"message": "no", "code": "1113"}}, ModelRejected, "no balance"),
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
        ("Incorrect API key provided", "Incorrect API key provided"),
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
        ("https://h/v1/", "https://h/v1/chat/completions"),
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
