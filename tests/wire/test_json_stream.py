"""The JSON reader for documents of any length: what it takes, what it refuses and where, and what it holds in memory."""

from __future__ import annotations

import json
import math
import tracemalloc
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_core.domain.errors import InvalidInput
from orca_core.wire.json_stream import JsonStream, Limits

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8) | st.sampled_from(
    ['"', "\\", "[{", "\n\u2028", "雪"]
)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=20,
)


def cut(document: bytes, sizes: list[int]) -> Iterator[bytes]:
    """The document in pieces of these sizes, again and again."""
    at, turn = 0, 0
    while at < len(document):
        size = sizes[turn % len(sizes)]
        yield document[at : at + size]
        at, turn = at + size, turn + 1


def entered(stream: JsonStream) -> Any:
    """A value read by its loops alone."""
    match stream.kind():
        case "object":
            return {name: entered(stream) for name in stream.members()}
        case "list":
            return [entered(stream) for _number in stream.items()]
    return stream.value()


def read(document: bytes | str, limits: Limits | None = None, sizes: list[int] | None = None) -> Any:
    pieces = cut(document.encode() if isinstance(document, str) else document, sizes or [3])
    stream = JsonStream(pieces, limits or Limits())
    value = stream.value()
    stream.finish()
    return value


@given(VALUES, st.lists(st.integers(1, 9), min_size=1), st.booleans(), st.sampled_from([None, 1]))
def test_a_value_is_what_was_written_however_it_is_cut(
    value: Any, sizes: list[int], is_escaped: bool, indent: int | None
) -> None:
    document = json.dumps(value, ensure_ascii=is_escaped, indent=indent).encode()

    assert read(document, sizes=sizes) == value
    assert entered(JsonStream(cut(document, sizes))) == value


def strict(document: bytes) -> Any:
    """What a strict reader makes of a whole document. Raises ValueError."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(pairs)) != len(pairs):
            raise ValueError
        return dict(pairs)

    def finite(digits: str) -> float:
        if not math.isfinite(float(digits)):
            raise ValueError
        return float(digits)

    def never(name: str) -> Any:
        raise ValueError(name)

    text = document.decode("utf-8")
    value = json.loads(text, object_pairs_hook=once, parse_float=finite, parse_constant=never)
    json.dumps(value, ensure_ascii=False).encode()
    return value


@given(VALUES, st.lists(st.integers(1, 9), min_size=1), st.data())
def test_what_is_amiss_is_refused_by_every_way_of_reading_and_nothing_else_is(
    value: Any, sizes: list[int], data: st.DataObject
) -> None:
    document = bytearray(json.dumps(value, ensure_ascii=data.draw(st.booleans())).encode())
    spoil = data.draw(
        st.sampled_from([b"", b'"', b"\\", b"[", b"}", b",", b":", b"0", b"-", b"\xff", b"\xe9", b"\n", b"e"])
    )
    at = data.draw(st.integers(0, len(document)))
    document[at : at + data.draw(st.integers(0, 2))] = spoil
    try:
        expected = strict(bytes(document))
    except ValueError:
        for attempt in (read, lambda each: entered(whole(each)), lambda each: JsonStream([each]).finish()):
            with pytest.raises(InvalidInput) as refused:
                attempt(bytes(document))
            assert "\n" not in str(refused.value)
        return
    assert read(bytes(document), sizes=sizes) == expected
    assert entered(JsonStream(cut(bytes(document), sizes))) == expected


def whole(document: bytes) -> JsonStream:
    """A stream over a document which nothing follows."""
    checked = JsonStream([document])
    checked.finish()
    return JsonStream([document])


SMALL = Limits(depth=4, text=10, number=10, value=60, names=3)


@pytest.mark.parametrize(
    ("document", "said"),
    [
        (b"", "JSON, line 1, column 1: the document ends here, before it is whole"),
        (b" \n ", "JSON, line 2, column 2: the document ends here"),
        (b'{"a": [1, 2', "a, line 1, column 12: the document ends here"),
        (b'{"a": tru', "a, line 1, column 10: the document ends here"),
        (b'{"a": "b', "a, line 1, column 9: the document ends here"),
        (b'{"a": "\\u12', "a, line 1, column 12: the document ends here"),
        (b'{"a" 1}', "JSON, line 1, column 6: a colon belongs here"),
        (b'{"a": 1\n,,}', "JSON, line 2, column 2: a name in quotes belongs here"),
        (b'{"a": 1,}', "a name in quotes belongs here"),
        (b"[1,]", "[1], line 1, column 4: this is no JSON value"),
        (b"[1 2]", "JSON, line 1, column 4: a comma or the end belongs here"),
        (b"[1]]", "JSON, line 1, column 4: the document is over, but more follows"),
        (b"{'a': 1}", "a name in quotes belongs here"),
        (b'{"a": {"b": 1, "c": 2, "b": 3}}', "a, line 1, column 24: the name b stands here twice"),
        (b'{"a": [0, NaN]}', "a[1], line 1, column 11: NaN and Infinity are no JSON"),
        (b"[-Infinity]", "[0], line 1, column 2: NaN and Infinity are no JSON"),
        (b"[1e400]", "a number that is too great"),
        (b"[01]", "this is no JSON value"),
        (b"[12345678901]", "[0], line 1, column 2: a number of more than 10 characters"),
        (b'["a\tb"]', "[0], line 1, column 4: a line end or control character within quotes"),
        (b'["a\\x"]', "[0], line 1, column 4: no such escape in JSON"),
        (b'["\\u12g4"]', "[0], line 1, column 3: no such escape in JSON"),
        (b'["\\ud800"]', "[0], line 1, column 2: half a character (a lone surrogate)"),
        (b'{"\\udc00": 1}', "JSON, line 1, column 2: half a character (a lone surrogate)"),
        (b'["caf\xe9"]', "[0], line 1, column 6: the bytes here are no UTF-8"),
        (b'["a", 1\xff]', "the bytes here are no UTF-8"),
        ('["é"]'.encode("utf-16"), "JSON, line 1, column 1: this is UTF-16 or UTF-32, or no text at all"),
        (b'[\x00"\x00', "this is UTF-16 or UTF-32, or no text at all"),
        (b"[[[[[]]]]]", "[0][0][0][0], line 1, column 5: nested more than 4 deep"),
        (b'["12345678901"]', "[0], line 1, column 2: a text of more than 10 characters"),
        (b'{"a": [' + b'"12345678",' * 6 + b"1]}", "a value of more than 60 characters"),
        (b'{"a b": {"\xe9\x9b\xaa": ?}}', '["a b"].雪, line 1, column 15: this is no JSON value'),
    ],
)
def test_a_refusal_says_where_and_what(document: bytes, said: str) -> None:
    for sizes in ([1], [4], [1000]):
        with pytest.raises(InvalidInput) as refused:
            read(document, SMALL, sizes)
        assert said in str(refused.value)
        with pytest.raises(InvalidInput) as refused_inside:
            stream = JsonStream(cut(document, sizes), SMALL)
            assert entered(stream) is not None
            stream.finish()
            assert b'"12345678",' in document, "only the whole of it is too long"
            read(document, SMALL, sizes)
        assert said in str(refused_inside.value)


def test_an_object_that_is_entered_has_so_many_names() -> None:
    with pytest.raises(InvalidInput, match="JSON, line 1, column 25: more than 3 names"):
        entered(JsonStream([b'{"a": 1, "b": 2, "c": 3, "d": 4}'], SMALL))


def test_a_byte_order_mark_is_passed_over() -> None:
    assert read(b"\xef\xbb\xbf[1]", sizes=[1]) == [1]


def test_half_a_surrogate_pair_can_be_mended_and_a_whole_one_is_a_character() -> None:
    document = b'{"\\ud83d\\ude00": ["\\ud83d", "a\\ude00b", "\\\\ud83d"]}'

    assert read(document, Limits(mends_surrogates=True)) == {"😀": ["\ufffd", "a\ufffdb", "\\ud83d"]}


def test_what_a_reader_leaves_alone_is_skipped_and_checked() -> None:
    stream = JsonStream([b'{"a": {"b": [1, {"c": 2}]}, "d": [1, 2, {"e": 3}], "f": 4}'])
    seen = []
    for name in stream.members():
        if name == "d":
            seen += [stream.value() for number in stream.items() if number != 1]
    stream.finish()

    assert seen == [1, {"e": 3}]
    with pytest.raises(InvalidInput, match=r"a\.b, line 1, column 12: NaN"):
        JsonStream([b'{"a":\t{"b":NaN}}']).finish()


def test_a_value_that_is_too_long_to_take_can_be_entered_and_skipped() -> None:
    document = json.dumps({"a": [["12345678"] * 9] * 3, "b": 1}).encode()

    stream = JsonStream([document], SMALL)
    assert [stream.value() for name in stream.members() if name == "b"] == [1]


def test_a_reader_says_where_its_own_complaint_is() -> None:
    stream = JsonStream([b'{"memories": [\n{"a": [1]},\n  {"confidence": "high"}\n]}'])
    complaints = []
    for _name in stream.members():
        for _number in stream.items():
            stream.value()
            complaints.append(str(stream.wrong(template="{place}, line {line}: no number", within=".confidence")))

    assert complaints == ["memories[0].confidence, line 2: no number", "memories[1].confidence, line 3: no number"]


def test_a_long_document_is_never_in_memory() -> None:
    record = json.dumps({"content": "x" * 500, "tags": ["a", "b"] * 20}).encode()

    def pieces() -> Iterator[bytes]:
        yield b'{"memories": ['
        for number in range(2_000):
            yield (b",\n" if number else b"") + record
        yield b"]}"

    tracemalloc.start()
    try:
        stream = JsonStream(pieces())
        count = 0
        for _name in stream.members():
            for _number in stream.items():
                count += len(stream.value()) == 2
        stream.finish()
        _now, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert (count, stream.bytes_read > 1_000_000, peak < 100_000) == (2_000, True, True)
