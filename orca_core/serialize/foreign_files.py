"""A file of another program, from its bytes to its entries. What it is, its bytes say; its name is not looked at. What
an archive says of itself is not believed: what comes out is counted."""

from __future__ import annotations

import json
import re
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from typing import IO, BinaryIO

from msgspec import Raw
from msgspec.structs import replace

from orca_core.model.errors import InvalidInput
from orca_core.model.import_export import ForeignEntry, ForeignFormat, ForeignText, SkippedEntry
from orca_core.serialize.documents import decoded, mended, read_whole
from orca_core.serialize.foreign_entries import ProjectNames, read_entries

HEAD_BYTES = 1 << 16
"""So much of a file tells what it is."""
ZIP = b"PK\x03\x04"
PIECE_BYTES = 1 << 18
MOST_BYTES = 8 << 30
"""No archive is read further, unpacked."""
_MOST_DIRECTORY_BYTES = 64 << 20
_WANTED = re.compile(
    r"(?:^|/)(?:(conversations|memories|projects)[^/]*|(memories|projects)/[^/]*)\.json\Z", re.IGNORECASE
)
_ORDER = ("projects", "memories", "conversations")
"""The names of projects are needed for what is remembered of them."""
_LONGEST_NAME = 80
_METHODS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
"""Others may ask for gigabytes to be unpacked in, and no export is packed so."""
_DAMAGE = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, OverflowError, RuntimeError, ValueError)
"""What Python's readers raise at bytes that are not as they should be."""
_BOM = b"\xef\xbb\xbf"
_LIST_OF_VALUES = re.compile(rb'\[\s*(?:[\[{"\]]|\Z|(?:-?\d[\d.eE+-]*|true|false|null)\s*(?:,|\]\s*\Z))')
"""A JSON list; "[2024-05-01] likes tea" and "[1] likes tea" are lines."""
_OF_JSON = re.compile(r'\s*(?:[\[\]{}]+,?|"(?:[^"\\]|\\.)*"\s*:.*)\s*')
"""A line that stands in JSON, and in no list that people keep."""
_WEB_PAGE = re.compile(rb"<(?:!doctype\s+html|html)\b", re.IGNORECASE)
_SPLIT_IT = "split it, and import its parts"


def is_of_orca(head: bytes) -> bool:
    """Whether it is an export of Orca's own."""
    return head.removeprefix(_BOM).lstrip().startswith(b"{") and b'"orca_export"' in head


def read_foreign_file(file: BinaryIO, head: bytes = b"") -> Iterator[ForeignEntry]:
    """The entries of a file; `head` is what was read of it already. Raises InvalidInput, at the first thing that can
    not be read, and where nothing at all could be brought in."""
    head = head or file.read(HEAD_BYTES)
    found = 0
    for entry in _entries_of_archive(file) if head.startswith(ZIP) else _entries(file, head):
        found += not (isinstance(entry, SkippedEntry) or (isinstance(entry, ForeignText) and not entry.text.strip()))
        yield entry
    if not found:
        raise InvalidInput(
            template="nothing in it is a memory that Orca knows to read",
            hint="it reads exports of Orca, mem0, ChatGPT and Claude, JSON Lines, and lists with a memory a line",
        )


def _entries(file: BinaryIO, head: bytes) -> Iterator[ForeignEntry]:
    pieces = chain([head], iter(lambda: file.read(PIECE_BYTES), b""))
    start = head.removeprefix(_BOM).lstrip()
    if _WEB_PAGE.match(start):
        raise InvalidInput(template="this is a web page", hint="import the file conversations.json beside it")
    if _is_json_lines(start):
        return _entries_of_json_lines(pieces)
    if start.startswith(b"{") or _LIST_OF_VALUES.match(start):
        return _entries_of_json(pieces, {})
    return iter([_lines(pieces)])


def _entries_of_json(pieces: Iterable[bytes], projects: ProjectNames) -> Iterator[ForeignEntry]:
    """Halves of characters stand in exports of old chats."""
    whole = read_whole(pieces, hint=_SPLIT_IT)
    try:
        value = decoded(whole, Raw)
    except InvalidInput:
        if (again := mended(whole)) == whole:
            raise
        value = decoded(again, Raw)
    yield from read_entries(value, "", projects)


def _is_json_lines(start: bytes) -> bool:
    """Whether the first line is a whole object, and another follows."""
    line, newline, rest = start.partition(b"\n")
    if not line.startswith(b"{") or not newline or not rest.lstrip().startswith(b"{"):
        return False
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _entries_of_json_lines(pieces: Iterable[bytes]) -> Iterator[ForeignEntry]:
    for number, line in enumerate(bytes(read_whole(pieces, hint=_SPLIT_IT)).split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            for entry in _entries_of_json([line], {}):
                inside = "" if entry.place == "JSON" else f", {entry.place}"
                yield replace(entry, place=f"line {number}{inside}")
        except InvalidInput as error:
            raise _elsewhere(error, line=number) from error


def _lines(pieces: Iterable[bytes]) -> ForeignText:
    text = read_whole(pieces, hint=_SPLIT_IT).decode()
    lines = [line for line in text.splitlines() if line.strip()]
    if 2 * sum(_OF_JSON.fullmatch(line) is not None for line in lines) >= len(lines) > 0:
        raise InvalidInput(template="this looks like JSON that is damaged, or a part of it", hint="export it again")
    return ForeignText(ForeignFormat.LINES, text, "")


def _elsewhere(error: InvalidInput, **where: object) -> InvalidInput:
    """The error, at its place in the whole."""
    template, hint = error.sentence_template, error.way_out_template
    return InvalidInput(template=template, hint=hint or None, **{**error.fields, **where})


def _entries_of_archive(file: BinaryIO) -> Iterator[ForeignEntry]:
    projects: ProjectNames = {}
    for name, pieces in _files_of_archive(file):
        try:
            for entry in _entries_of_json(pieces, projects):
                yield replace(entry, place=f"{name}: {entry.place}")
        except InvalidInput as error:
            raise _elsewhere(error, place=f"{name}: {error.fields.get('place', '')}") from error


def _files_of_archive(file: BinaryIO) -> Iterator[tuple[str, Iterator[bytes]]]:
    """The files of an archive that may hold memories, projects first. Folders in their names say nothing, and nothing
    is written to the disk."""
    if not file.seekable():
        raise InvalidInput(template="a packed export can't be read from a pipe", hint="name the file")
    _check_directory(file)
    with _damage_told():
        archive = zipfile.ZipFile(file)
    with archive:
        wanted = sorted(filter(None, map(_wanted, archive.infolist())), key=lambda each: each[0])
        if not wanted:
            raise InvalidInput(
                template="the archive holds no conversations.json, memories.json or projects.json",
                hint="unpack it, and import the file that holds your chats or memories",
            )
        unpacked = 0

        def pieces(part: IO[bytes]) -> Iterator[bytes]:
            nonlocal unpacked
            while piece := _read(part):
                unpacked += len(piece)
                if unpacked > MOST_BYTES:
                    raise InvalidInput(
                        template="unpacked, the archive is larger than {most} bytes, more than an export is",
                        hint="unpack it by hand, and look at what is in it",
                        most=MOST_BYTES,
                    )
                yield piece

        for _order, info in wanted:
            if info.compress_type not in _METHODS:
                raise InvalidInput(
                    template="the archive is packed in a way that no export is ({method})",
                    hint="unpack it by hand, and import what is in it",
                    method=info.compress_type,
                )
            with _damage_told():
                part = archive.open(info)
            with part:
                name = info.filename
                yield name if len(name) <= _LONGEST_NAME else f"…{name[1 - _LONGEST_NAME :]}", pieces(part)


def _wanted(info: zipfile.ZipInfo) -> tuple[tuple[int, str], zipfile.ZipInfo] | None:
    name = info.filename.replace("\\", "/")
    found = _WANTED.search(name)
    if found is None or info.is_dir() or "__MACOSX/" in name:
        return None
    return (_ORDER.index((found[1] or found[2]).lower()), name), info


def _read(file: IO[bytes]) -> bytes:
    with _damage_told():
        return file.read(PIECE_BYTES)


@contextmanager
def _damage_told() -> Iterator[None]:
    """Only around what reads: what a reader of the pieces raises is its own."""
    try:
        yield
    except _DAMAGE as error:
        raise InvalidInput(
            template="the archive can't be unpacked: {detail}",
            hint="download the export again",
            detail=str(error)[:200],
        ) from error


def _check_directory(file: BinaryIO) -> None:
    """Raises InvalidInput where the list of an archive's files alone would fill the memory."""
    size = file.seek(0, 2)
    file.seek(max(0, size - 22 - 0xFFFF))
    tail = file.read()
    file.seek(0)
    at = tail.rfind(b"PK\x05\x06")
    directory_bytes = int.from_bytes(tail[at + 12 : at + 16], "little") if at >= 0 else 0
    if directory_bytes > _MOST_DIRECTORY_BYTES:
        raise InvalidInput(template="the archive lists more files than an export has", hint="unpack it by hand")
