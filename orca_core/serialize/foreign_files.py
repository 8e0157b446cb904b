"""A file of another program, from its bytes to its entries. What it is, its bytes say; its name is not looked at. What
a packed file says of itself is not believed: what comes out is counted."""

from __future__ import annotations

import gzip
import json
import re
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from typing import BinaryIO

from msgspec import Raw
from msgspec.structs import replace

from orca_core.model.errors import InvalidInput
from orca_core.model.import_export import ForeignEntry, ForeignFormat, ForeignGap, ForeignText
from orca_core.serialize.documents import decoded, mended, read_whole
from orca_core.serialize.foreign_entries import ProjectNames, read_entries, read_profile

ZIP, GZIP = b"PK\x03\x04", b"\x1f\x8b"
PIECE_BYTES = 1 << 18
MOST_BYTES = 8 << 30
"""No export is read further, unpacked."""
MOST_TIMES = 200
FREE_BYTES = 64 << 20
"""Text packs to a twentieth; beyond `FREE_BYTES`, what unpacks to two hundred times its size is made to do harm."""
MOST_FILES = 200_000
_WANTED = re.compile(
    r"(?:^|/)(?:(conversations|memories|projects)[^/]*|(memories|projects)/[^/]*)\.json\Z", re.IGNORECASE
)
_ORDER = ("projects", "memories", "conversations")
"""The names of projects are needed for what is remembered of them."""
_DIRECTORY_END = b"PK\x05\x06"
_END_BYTES = 22
_MOST_DIRECTORY_BYTES = 64 << 20
_LONGEST_NAME = 80
_METHODS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
"""Others may ask for gigabytes to be unpacked in, and no export is packed so."""
_DAMAGE = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, OverflowError, RuntimeError, ValueError)
"""What Python's readers raise at bytes that are not as they should be."""

Part = tuple[str, Iterator[bytes]]
"""A file of an archive by its name, and its bytes."""


def parts_of_zip(file: BinaryIO) -> Iterator[Part]:
    """The files of an archive that may hold chats or memories, projects first. Folders in their names say nothing,
    and nothing is written to the disk."""
    _check_directory(file)
    with _damage_said():
        archive = zipfile.ZipFile(file)
    with archive:
        wanted = sorted(filter(None, map(_wanted, archive.infolist()[:MOST_FILES])), key=lambda each: each[0])
        if not wanted:
            raise InvalidInput(
                template="the archive holds no conversations.json, memories.json or projects.json",
                hint="unpack it, and import the file that holds your chats or memories",
            )
        unpacked = _Unpacked(sum(info.compress_size for _order, info in wanted))
        for _order, info in wanted:
            _check_method(info)
            with _damage_said():
                part = archive.open(info)
            with part:
                yield _shortened(info.filename), unpacked.pieces(part)  # type: ignore[arg-type]  # it reads as a file does


def pieces_of_gzip(file: BinaryIO, packed_bytes: int) -> Iterator[bytes]:
    with gzip.GzipFile(fileobj=file, mode="rb") as unpacked:
        yield from _Unpacked(packed_bytes).pieces(unpacked)  # type: ignore[arg-type]  # it reads as a file does


class _Unpacked:
    """Counts what came out of an archive."""

    def __init__(self, packed_bytes: int) -> None:
        self._most = min(MOST_BYTES, FREE_BYTES + MOST_TIMES * packed_bytes)
        self._count = 0

    def pieces(self, file: BinaryIO) -> Iterator[bytes]:
        while piece := _read(file):
            self._count += len(piece)
            if self._count > self._most:
                raise InvalidInput(
                    template="unpacked, the archive is larger than {most} bytes, more than an export is",
                    hint="unpack it by hand, and look at what is in it",
                    most=self._most,
                )
            yield piece


def _shortened(name: str) -> str:
    """The end of a name, short enough for a sentence."""
    return name if len(name) <= _LONGEST_NAME else f"…{name[1 - _LONGEST_NAME :]}"


def _read(file: BinaryIO) -> bytes:
    with _damage_said():
        return file.read(PIECE_BYTES)


@contextmanager
def _damage_said() -> Iterator[None]:
    """Only around what reads: what a reader of the pieces raises is its own."""
    try:
        yield
    except _DAMAGE as error:
        raise _damaged(error) from error


def _check_method(info: zipfile.ZipInfo) -> None:
    if info.compress_type not in _METHODS:
        raise InvalidInput(
            template="the archive is packed in a way that no export is ({method})",
            hint="unpack it by hand, and import what is in it",
            method=info.compress_type,
        )


def _wanted(info: zipfile.ZipInfo) -> tuple[tuple[int, str], zipfile.ZipInfo] | None:
    name = info.filename.replace("\\", "/")
    found = _WANTED.search(name)
    if found is None or info.is_dir() or "__MACOSX/" in name:
        return None
    return (_ORDER.index((found[1] or found[2]).lower()), name), info


def _check_directory(file: BinaryIO) -> None:
    """Raises InvalidInput where the list of an archive's files alone would fill the memory."""
    size = file.seek(0, 2)
    file.seek(max(0, size - _END_BYTES - 0xFFFF))
    tail = file.read()
    file.seek(0)
    at = tail.rfind(_DIRECTORY_END)
    directory_bytes = int.from_bytes(tail[at + 12 : at + 16], "little") if at >= 0 else 0
    if directory_bytes > _MOST_DIRECTORY_BYTES:
        raise InvalidInput(template="the archive lists more files than an export has", hint="unpack it by hand")


def _damaged(error: Exception) -> InvalidInput:
    return InvalidInput(
        template="the archive can't be unpacked: {detail}", hint="download the export again", detail=str(error)[:200]
    )


HEAD_BYTES = 1 << 16
"""So much of a file tells what it is."""
LIST_BYTES = 32_000_000
"""A list of lines is held whole: it is read by people."""
LINE_BYTES = 16_000_000
_BOM = b"\xef\xbb\xbf"
_LIST_OF_VALUES = re.compile(rb'\[\s*(?:[\[{"\]]|\Z|(?:-?\d[\d.eE+-]*|true|false|null)\s*(?:,|\]\s*\Z))')
"""A JSON list; "[2024-05-01] likes tea" and "[1] likes tea" are lines."""
_OF_JSON = re.compile(r'\s*(?:[\[\]{}]+,?|"(?:[^"\\]|\\.)*"\s*:.*)\s*')
"""A line that stands in JSON, and in no list that people keep."""
_WEB_PAGE = re.compile(rb"<(?:!doctype\s+html|html)\b", re.IGNORECASE)


def is_of_orca(head: bytes) -> bool:
    """Whether it is an export of Orca's own."""
    return head.removeprefix(_BOM).lstrip().startswith(b"{") and b'"orca_export"' in head


def read_file(file: BinaryIO, format: ForeignFormat | None = None, head: bytes = b"") -> Iterator[ForeignEntry]:
    """The entries of a file; `format` is what the user says that it is, `head` what was read of it already. Raises
    InvalidInput, at the first thing that can not be read, and where nothing at all could be brought in."""
    head = head or file.read(HEAD_BYTES)
    found = 0
    for entry in _checked(_entries(file, head, format), format):
        found += not (isinstance(entry, ForeignGap) or (isinstance(entry, ForeignText) and not entry.text.strip()))
        yield entry
    if not found:
        raise InvalidInput(
            template="nothing in it is a memory or a chat that Orca knows to read",
            hint="it reads exports of Orca, mem0, ChatGPT and Claude, JSON Lines, and lists with a memory a line",
        )


def _entries(file: BinaryIO, head: bytes, format: ForeignFormat | None) -> Iterator[ForeignEntry]:
    if head.startswith(ZIP):
        projects: ProjectNames = {}
        for name, pieces in parts_of_zip(_sought(file)):
            try:
                for entry in _document(pieces, projects):
                    yield replace(entry, place=f"{name}: {entry.place}")
            except InvalidInput as error:
                raise _elsewhere(error, place=f"{name}: {error.fields.get('place', '')}") from error
    elif head.startswith(GZIP):
        source = _sought(file)
        packed = source.seek(0, 2)
        source.seek(0)
        pieces = pieces_of_gzip(source, packed)
        first = next(pieces, b"")
        yield from _unpacked(first, chain([first], pieces), format)
    else:
        yield from _unpacked(head, chain([head], iter(lambda: file.read(PIECE_BYTES), b"")), format)


def _unpacked(head: bytes, pieces: Iterable[bytes], format: ForeignFormat | None) -> Iterator[ForeignEntry]:
    start = head.removeprefix(_BOM).lstrip()[:HEAD_BYTES]
    if _WEB_PAGE.match(start):
        raise InvalidInput(template="this is a web page", hint="import the file conversations.json beside it")
    if format is not ForeignFormat.LINES and _is_json_lines(start):
        return _json_lines(pieces)
    if format is not ForeignFormat.LINES and (start.startswith(b"{") or _LIST_OF_VALUES.match(start)):
        is_profile = format is ForeignFormat.MEM0 and start.startswith(b"{")
        return _profile_or_document(start, pieces) if is_profile else _document(pieces, {})
    return iter([_lines(pieces, is_believed=format is ForeignFormat.LINES)])


def _document(pieces: Iterable[bytes], projects: ProjectNames) -> Iterator[ForeignEntry]:
    yield from read_entries(_value(pieces), "", projects)


def _value(pieces: Iterable[bytes]) -> Raw:
    """The document as one value that is not decoded yet. Halves of characters stand in exports of old chats."""
    whole = read_whole(pieces, hint="split it, and import its parts")
    try:
        return decoded(whole, Raw)
    except InvalidInput:
        if (again := mended(whole)) == whole:
            raise
        return decoded(again, Raw)


def _profile_or_document(start: bytes, pieces: Iterable[bytes]) -> Iterator[ForeignEntry]:
    """mem0 exports by a schema of the user's: what has none of mem0's own fields is such a one."""
    names = set(re.findall(rb'"(results|memories|memory|data)"\s*:', start))
    if names:
        yield from _document(pieces, {})
        return
    yield from read_profile(_value(pieces))


def _is_json_lines(start: bytes) -> bool:
    """Whether the first line is a whole object, and another follows."""
    line, newline, rest = start.partition(b"\n")
    if not line.startswith(b"{") or not newline or not rest.lstrip().startswith(b"{"):
        return False
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _json_lines(pieces: Iterable[bytes]) -> Iterator[ForeignEntry]:
    for number, line in enumerate(_lines_of(pieces), start=1):
        if not line.strip():
            continue
        try:
            for entry in _document([line], {}):
                inside = "" if entry.place == "JSON" else f", {entry.place}"
                yield replace(entry, place=f"line {number}{inside}")
        except InvalidInput as error:
            raise _elsewhere(error, line=number) from error


def _elsewhere(error: InvalidInput, **where: object) -> InvalidInput:
    """The error, at its place in the whole."""
    template, hint = error.sentence_template, error.way_out_template
    return InvalidInput(template=template, hint=hint or None, **{**error.fields, **where})


def _lines_of(pieces: Iterable[bytes]) -> Iterator[bytes]:
    rest = b""
    for piece in pieces:
        *whole, rest = (rest + piece).split(b"\n")
        yield from whole
        if len(rest) > LINE_BYTES:
            raise InvalidInput(template="a line of more than {most} bytes", most=LINE_BYTES)
    if rest:
        yield rest


def _lines(pieces: Iterable[bytes], *, is_believed: bool) -> ForeignText:
    kept: list[bytes] = []
    room = LIST_BYTES
    for piece in pieces:
        kept.append(piece)
        room -= len(piece)
        if room < 0:
            raise InvalidInput(
                template="a list of more than {most} bytes is no list of memories", hint="split it", most=LIST_BYTES
            )
    text = _text(b"".join(kept).removeprefix(_BOM))
    if not is_believed and _is_damaged_json(text):
        raise InvalidInput(
            template="this looks like JSON that is damaged, or a part of it",
            hint="export it again; --format lines takes it as a list",
        )
    return ForeignText(ForeignFormat.LINES, text, "")


def _is_damaged_json(text: str) -> bool:
    """Whether half of the lines of what is no JSON document stand in one."""
    lines = [line for line in text.splitlines() if line.strip()]
    return 2 * sum(_OF_JSON.fullmatch(line) is not None for line in lines) >= len(lines) > 0


def _text(data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in data:
        raise InvalidInput(template="this is UTF-16 or UTF-32, or no text at all", hint="save it as UTF-8")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InvalidInput(
            template="line {line}: the bytes here are no UTF-8", hint="save it as UTF-8", line=line
        ) from error


def _checked(entries: Iterator[ForeignEntry], format: ForeignFormat | None) -> Iterator[ForeignEntry]:
    """The entries, as what the user says that they are. Raises InvalidInput where they can be no such thing."""
    plain = {ForeignFormat.MEM0, ForeignFormat.RECORDS}
    for entry in entries:
        if format is None or entry.format is format:
            yield entry
        elif entry.format in plain and format in plain:
            yield replace(entry, format=format)
        else:
            raise InvalidInput(
                template="{place}: this is no {wanted}, it looks like {found}",
                hint="leave out --format",
                place=entry.place or "JSON",
                wanted=format.value,
                found=entry.format.value,
            )


def _sought(file: BinaryIO) -> BinaryIO:
    """The file from its beginning. Raises InvalidInput for a pipe."""
    if not file.seekable():
        raise InvalidInput(template="a packed export can't be read from a pipe", hint="name the file")
    file.seek(0)
    return file
