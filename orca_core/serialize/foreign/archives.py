"""Packed exports, as they are downloaded. What a packed file says of itself is not believed: what comes out is
counted."""

from __future__ import annotations

import gzip
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

from orca_core.model.errors import InvalidInput

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
