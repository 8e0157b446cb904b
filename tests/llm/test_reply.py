"""From the bytes of a body to an answer: a table of bodies, and any way to cut them."""

from __future__ import annotations

import json

import pytest
from fakes.model_server import DONE, chunk, event
from hypothesis import given
from hypothesis import strategies as st

from orca_core.llm.reply import Reply
from orca_core.model.errors import BadModelReply, ModelError, ModelUnavailable
from orca_core.model.llm import Completed, Finish, ReasoningDelta, TextDelta, Usage

USAGE = {"prompt_tokens": 9, "completion_tokens": 2}


def read(*pieces: bytes) -> tuple[str, str, Completed | ModelError]:
    """(answer, thoughts, how it ended)."""
    reply = Reply("p", "sk-secret-12345")
    answer, thoughts = "", ""
    ended: Completed | ModelError | None = None
    try:
        for event_ in (
            each for piece in (*pieces, None) for each in (reply.end() if piece is None else reply.feed(piece))
        ):
            match event_:
                case TextDelta(text):
                    answer += text
                case ReasoningDelta(text, takes_back):
                    if takes_back:
                        answer, thoughts = "", thoughts + answer
                    thoughts += text
                case Completed():
                    ended = event_
    except ModelError as error:
        ended = error
    assert ended is not None
    return answer, thoughts, ended


def other(text: str, index: int = 1) -> bytes:
    return event({"choices": [{"index": index, "delta": {"content": text}, "finish_reason": None}]})


GOOD = Completed(Finish.STOP, None)


@pytest.mark.parametrize(
    ("body", "answer", "thoughts", "ended"),
    [
        (chunk("a") + chunk("b", finish="stop") + DONE, "ab", "", GOOD),
        (chunk("a", finish="stop") + event({"choices": [], "usage": USAGE}) + DONE, "a", "", Completed(Finish.STOP, Usage(9, 2))),
        # thoughts
        (chunk("why") + chunk("\n</think>\n\nb") + chunk(finish="stop"), "b", "why\n", GOOD),
        (chunk(reasoning="why") + chunk("b", finish="stop"), "b", "why", GOOD),
        # only the first of several answers is read
        (other("B1") + chunk("A1") + other("B2") + chunk("A2", finish="stop") + DONE, "A1A2", "", GOOD),
        (event({"choices": [{"index": 1, "delta": {"content": "B"}}, {"index": 0, "delta": {"content": "A"}, "finish_reason": "stop"}]}), "A", "", GOOD),
        # nothing behind [DONE] is read
        (chunk("a", finish="stop") + DONE + chunk(" and more"), "a", "", GOOD),
        (chunk("a", finish="stop") + DONE + event({"error": "late"}), "a", "", GOOD),
        (chunk("a") + DONE + b"data: " + b"x" * 1_100_000, "a", "", GOOD),
        (chunk("a") + DONE + b"data: {\"choices\"", "a", "", GOOD),
        # framing
        (b"\xef\xbb\xbf" + chunk("a", finish="stop"), "a", "", GOOD),
        (b"\n\n \r\n" + chunk("a", finish="stop"), "a", "", GOOD),
        (b": hello\r\n\r\n" + chunk("a", finish="stop").replace(b"\n", b"\r\n"), "a", "", GOOD),
        (chunk("a", finish="stop").rstrip(), "a", "", GOOD),
        (b'  {"choices":[{"message":{"content":"whole"},"finish_reason":"stop"}]}\n', "whole", "", GOOD),
        (chunk("a") + b"data: {broken\n\n" + chunk(finish="stop"), "a", "", Completed(Finish.STOP, None, "1 unreadable pieces were left out")),
        (b'data: {"choices":[{"delta":{"reasoning":"\\ud83d"}}]}\n\ndata: {"choices":[{"delta":{"reasoning":"\\ude00"}}]}\n\n' + chunk("a", finish="stop"), "a", "😀", GOOD),
        (chunk("tail</thi") + chunk(finish="length"), "tail</thi", "", Completed(Finish.LENGTH, None)),
    ],
)  # fmt: skip
def test_answers_are_read(body: bytes, answer: str, thoughts: str, ended: Completed) -> None:
    assert read(body) == (answer, thoughts, ended)
    assert read(*(body[at : at + 1] for at in range(min(len(body), 3000))), body[3000:]) == (answer, thoughts, ended)


@pytest.mark.parametrize(
    ("body", "kind", "sentence", "answer"),
    [
        (b"", ModelUnavailable, "the server sent nothing", ""),
        (b": keep-alive\n\n", ModelUnavailable, "the server sent nothing", ""),
        (chunk("half"), ModelUnavailable, "the answer was cut off", "half"),
        (chunk(role="assistant"), ModelUnavailable, "the answer was cut off", ""),
        (chunk("half</th") + chunk(finish="network_error"), ModelUnavailable, "ended abnormally (network_error)", "half</th"),
        (chunk("half") + event({"error": {"message": "overloaded"}}), ModelUnavailable, "overloaded", "half"),
        (event({"choices": [{"index": 0, "delta": {"content": "half"}, "error": {"message": "overloaded"}}]}), ModelUnavailable, "overloaded", "half"),
        (b"data: {broken\n\n" + DONE, BadModelReply, "no answer that can be read", ""),
        (b'data: {"response":"of another kind"}\n\n', BadModelReply, "no answer that can be read", ""),
        (b'{"response":"of another kind"}', BadModelReply, "no answer that can be read", ""),
        (b'{"choices":[', BadModelReply, "can not be read", ""),
        (b"<html>", BadModelReply, "a web page", ""),
        # a blank answer is none, and says why
        (DONE, BadModelReply, "answered with nothing", ""),
        (chunk(finish="stop") + DONE, BadModelReply, "answered with nothing", ""),
        (chunk(" \n ") + chunk("\t", finish="stop") + DONE, BadModelReply, "answered with blanks alone", ""),
        (other("for another choice") + chunk(finish="stop"), BadModelReply, "answered with nothing", ""),
        (chunk(reasoning="why") + chunk(" ", finish="stop"), BadModelReply, "thought, and then said nothing", ""),
        (chunk("why</think>\n\n") + chunk(finish="stop"), BadModelReply, "thought, and then said nothing", ""),
        (chunk("why") + chunk("</think>") + chunk(finish="stop"), BadModelReply, "thought, and then said nothing", ""),
        (chunk("<think>why") + chunk(finish="length"), BadModelReply, "no room was left for an answer", ""),
        (chunk(finish="content_filter"), BadModelReply, "a filter withheld the answer", ""),
        (chunk(tool_calls=[{"function": {}}]) + chunk(finish="tool_calls"), BadModelReply, "called a tool instead", ""),
        (chunk(tool_calls=[{"function": {}}]) + chunk(finish="stop"), BadModelReply, "called a tool instead", ""),
    ],
)  # fmt: skip
def test_what_is_no_answer_says_so(body: bytes, kind: type[ModelError], sentence: str, answer: str) -> None:
    for pieces in ([body], [body[at : at + 1] for at in range(len(body))]):
        said, _, error = read(*pieces)

        assert isinstance(error, kind)
        assert sentence in str(error)
        assert said.strip() == answer


EVENTS = st.sampled_from(
    [
        chunk("a"), chunk("</think>"), chunk("<think>"), chunk("</thi"), chunk("`"), chunk("你好"), chunk(" "), chunk("\n"),
        chunk(reasoning_content="r"), chunk(finish="stop"), chunk("z", finish="length"), chunk(finish="network_error"), other("b"), DONE,
        event({"error": {"message": "maximum context length is 4096 tokens"}}), event({"choices": [], "usage": USAGE}),
        b": comment\n\n", b"\r\n", b"\n", b"\xef\xbb\xbf", b"data: {\n\n", b"data: 1\rdata: 2\n\n", b"event: x\r\n", b"{", b"}", b"<",
        b'data: {"choices":[{"delta":{"content":"\\ud83d"}}]}\n\n', b'data: {"choices":[{"delta":{"content":"\\ude00"}}]}\n\n',
        b'{"choices":[{"message":{"content":"whole"}}]}',
    ]
)  # fmt: skip


@given(st.lists(EVENTS, max_size=8), st.data())
def test_any_cut_of_the_bytes_gives_the_same(parts: list[bytes], data: st.DataObject) -> None:
    body = b"".join(parts)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(body)), max_size=8)))
    edges = [0, *cuts, len(body)]
    answer, thoughts, ended = read(body)
    cut_answer, cut_thoughts, cut_ended = read(*(body[a:b] for a, b in zip(edges, edges[1:], strict=False)))

    assert (cut_answer, cut_thoughts, type(cut_ended), str(cut_ended)) == (answer, thoughts, type(ended), str(ended))


@given(st.binary(max_size=60))
def test_any_bytes_end_in_an_answer_or_a_plain_error(body: bytes) -> None:
    _, _, ended = read(b"data: ", body)

    assert isinstance(ended, Completed | ModelError)
    assert json.dumps(str(ended))
