"""Events are framed on bytes, wherever a read was cut."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_core.llm.reply import EventStream
from orca_core.model.errors import BadModelReply


def events(*pieces: bytes) -> list[str]:
    stream = EventStream("p")
    return [data for piece in pieces for data in stream.feed(piece)] + list(stream.finish())


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b"data: a\n\ndata: b\n\n", ["a", "b"]),
        (b"data:a\r\n\r\ndata: b\r\n\r\n", ["a", "b"]),
        (b"data: a\r\rdata: b\r\r", ["a", "b"]),
        (b"data: a\ndata: b\n\n", ["a\nb"]),
        (b": keep-alive\n\ndata: a\n\n", ["a"]),
        (b"event: x\nid: 3\nretry: 5\ndata: a\n\n", ["a"]),
        (b"\xef\xbb\xbfdata: a\n\n", ["a"]),
        (b"data: a", ["a"]),
        (b"data: a\n", ["a"]),
        (b"data\n\n", [""]),
        (b"data:  two blanks\n\n", [" two blanks"]),
        (b"\n\n\ndata: a\n\n\n", ["a"]),
        ("data: 中文\u2028行\u0085内\n\n".encode(), ["中文\u2028行\u0085内"]),
        (b"data: \x0b\x0c\x1c\n\n", ["\x0b\x0c\x1c"]),
        (b"nonsense\n\ndata: a\n\n", ["a"]),
        (b"", []),
    ],
)
def test_events_are_read_as_the_standard_says(raw: bytes, expected: list[str]) -> None:
    assert events(raw) == expected


RAW = 'data: 你好\r\n\r\n: ping\n\ndata: {"a": "é\u2028"}\ndata: x\n\ndata: [DONE]\r\r'.encode()


@given(st.lists(st.integers(0, len(RAW)), max_size=12))
def test_any_cut_gives_the_same_events(cuts: list[int]) -> None:
    edges = [0, *sorted(cuts), len(RAW)]

    assert events(*(RAW[start:end] for start, end in zip(edges, edges[1:], strict=False))) == events(RAW)


@pytest.mark.parametrize(
    "pieces", [[b"\xef\xbb\xbfdata: a\n\n"], [b"\xef", b"\xbb", b"\xbfdata: a\n\n"], [b"\xef\xbb\xbf", b"data: a\n\n"]]
)
def test_a_mark_of_byte_order_is_passed_over_however_it_is_cut(pieces: list[bytes]) -> None:
    stream = EventStream("p")

    assert [data for piece in pieces for data in stream.feed(piece)] == ["a"]


@pytest.mark.parametrize("start", [b"data: ", b": "])
@pytest.mark.parametrize("cut", [1, 7, 40])
def test_a_line_is_too_long_however_it_is_cut(start: bytes, cut: int) -> None:
    body = start + b"x" * 30 + b"\n\n"
    stream = EventStream("p", max_line_bytes=20)

    with pytest.raises(BadModelReply):
        for at in range(0, len(body), cut):
            list(stream.feed(body[at : at + cut]))
