"""A JSON document, read whole: as strict as the standard; what is wrong with it is said with its place."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterable
from itertools import chain
from typing import Any, Literal, TypeVar

import msgspec

from orca_core.model.errors import InvalidInput

T = TypeVar("T")

MOST_BYTES = 320_000_000
"""A larger document is not read: some 100,000 memories with their histories, in less than 500 MB of memory. Measured by
`benchmarks/export_import.py`."""
MOST_VALUES = MOST_BYTES // 20
"""Nor one with more commas: each value costs some 70 bytes of memory. Chosen by hand."""
_BOM = b"\xef\xbb\xbf"
_BYTE = re.compile(r" \(byte (\d+)\)\Z")
_MARK = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[\[\]{},:]', re.DOTALL)
"""What tells where one is: a text, or a mark between values."""
_DEEPEST_SHOWN = 20
_PLAIN_NAME = re.compile(r"[^\W\d]\w{0,39}")
_LONGEST_NAME_SHOWN = 40
_SURROGATES = re.compile(
    rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)", re.DOTALL
)
"""An escape: a pair of halves, one half alone (the group), or any other."""

Document = bytes | bytearray | msgspec.Raw
Kind = Literal["object", "list", "text", "other"]


def read_whole(pieces: Iterable[bytes], hint: str) -> bytearray:
    """All bytes of a document, without a byte order mark. Raises InvalidInput where they are no UTF-8, or too many;
    `hint` says what to do then."""
    whole = bytearray()
    decoder = codecs.getincrementaldecoder("utf-8")()
    values = 0
    for piece in chain(pieces, [b""]):
        begun = len(whole) - len(decoder.getstate()[0])
        whole += piece
        values += piece.count(b",")
        if len(whole) > MOST_BYTES or values > MOST_VALUES:
            raise InvalidInput(
                template="the document is larger than {most} MB, more than is read at once",
                hint=hint,
                most=MOST_BYTES // 1_000_000,
            )
        if b"\0" in piece or whole.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise InvalidInput(template="this is UTF-16 or UTF-32, or no text at all", hint="save it as UTF-8")
        try:
            decoder.decode(piece, final=not piece)
        except UnicodeDecodeError as error:
            template = "{place}, line {line}, column {column}: the bytes here are no UTF-8"
            raise _at(whole, begun + error.start, template=template) from error
    if whole.startswith(_BOM):
        del whole[: len(_BOM)]
    return whole


def decoded(data: Document, wanted: type[T]) -> T:
    """The value of a document. Raises InvalidInput where it is no JSON, and msgspec.ValidationError where it is none of
    these values."""
    try:
        return msgspec.json.decode(data, type=wanted)
    except msgspec.ValidationError:
        raise
    except msgspec.DecodeError as error:
        raise _malformed(bytes(data), str(error)) from error
    except RecursionError as error:
        raise InvalidInput(template="the document is nested too deep") from error


def mended(data: bytes | bytearray) -> bytes:
    """The document with U+FFFD for each half of a surrogate pair, which stand in exports of old chats."""
    return _SURROGATES.sub(lambda escape: rb"\ufffd" if escape[1] else escape[0], data)


def kind_of(raw: msgspec.Raw) -> Kind:
    """What a value is that was not decoded yet."""
    kinds: dict[int, Kind] = {ord("{"): "object", ord("["): "list", ord('"'): "text"}
    return kinds.get(memoryview(raw)[0], "other")


def step_text(step: str | int) -> str:
    """One step of a path as people read it, into a list or an object."""
    if isinstance(step, int):
        return f"[{step}]"
    return f".{step}" if _PLAIN_NAME.fullmatch(step) else f"[{json.dumps(shortened(step), ensure_ascii=False)}]"


def shortened(name: str) -> str:
    """A name from a document, short enough for a sentence."""
    return name if len(name) <= _LONGEST_NAME_SHOWN else f"{name[: _LONGEST_NAME_SHOWN - 1]}…"


def _malformed(data: bytes, said: str) -> InvalidInput:
    found = _BYTE.search(said)
    if found is None:
        return _at(
            data,
            len(data),
            template="{place}, line {line}, column {column}: the document ends here, before it is whole",
        )
    if "trailing characters" in said:
        template = "{place}, line {line}, column {column}: the document is over, but more follows"
        return _at(data, int(found[1]) - 1, template=template)
    return _at(
        data,
        int(found[1]),
        template="{place}, line {line}, column {column}: this is no JSON ({detail})",
        detail=said[: found.start()].removeprefix("JSON is malformed: "),
    )


def _at(data: bytes | bytearray, byte: int, *, template: str, **fields: Any) -> InvalidInput:
    start = data.rfind(b"\n", 0, byte) + 1
    column = len(data[start:byte].decode("utf-8", "replace")) + 1
    place, line = _path_to(data, byte), data.count(b"\n", 0, byte) + 1
    return InvalidInput(template=template, place=place, line=line, column=column, **fields)


def _path_to(data: bytes | bytearray, byte: int) -> str:
    """The value within which a byte stands, such as `memories[41].confidence`; `JSON` is the document itself."""
    path: list[str | int] = []
    text = b""
    for mark in _MARK.findall(data, 0, byte):
        if mark in (b"{", b"["):
            path.append("" if mark == b"{" else 0)
        elif mark in (b"}", b"]"):
            del path[-1:]
        elif mark == b"," and path:
            path[-1] = path[-1] + 1 if isinstance(path[-1], int) else ""
        elif mark == b":" and path and isinstance(path[-1], str):
            path[-1] = text[1:-1].decode("utf-8", "replace")
        text = mark
    return "".join(step_text(step) for step in path[-_DEEPEST_SHOWN:] if step != "").removeprefix(".") or "JSON"
