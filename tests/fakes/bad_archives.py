"""Archives that are damaged, lie of themselves, or were made to do harm."""

from __future__ import annotations

import gzip
import io
import json
import struct
import zipfile
import zlib
from collections.abc import Mapping
from random import Random

from fakes.bad_files import IS_READ, MAY_BE_READ, Family, text_of
from fakes.foreign_files import PACKED_ON, packed

CHATS = "conversations.json"
_LOCAL, _DIRECTORY, _END = b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06"


def whole(compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    return packed({CHATS: text_of("chatgpt"), "memories.json": text_of("openmemory")}, compression)


def _changed(data: bytes, mark: bytes, offset: int, value: bytes) -> bytes:
    """Every header of a kind with other bytes in it."""
    changed, at = bytearray(data), data.find(mark)
    while at >= 0:
        changed[at + offset : at + offset + len(value)] = value
        at = data.find(mark, at + 4)
    return bytes(changed)


def cut(chance: Random) -> bytes:
    data = whole()
    return data[: chance.randrange(5, len(data) - 1)]


def flipped(chance: Random) -> bytes:
    data = bytearray(whole())
    for _ in range(chance.randrange(1, 6)):
        data[chance.randrange(4, len(data))] ^= 1 << chance.randrange(8)
    return bytes(data)


def wrong_sum(chance: Random) -> bytes:
    return _changed(_changed(whole(), _DIRECTORY, 16, chance.randbytes(4)), _LOCAL, 14, chance.randbytes(4))


def locked(chance: Random) -> bytes:
    """Packed with a password, as its headers say."""
    return _changed(_changed(whole(), _DIRECTORY, 8, b"\x01\x00"), _LOCAL, 6, b"\x01\x00")


def wrong_size(chance: Random) -> bytes:
    size = struct.pack("<I", chance.choice((0, 1, 7, 0x7FFFFFFF, 0xFFFFFFFE, 0xFFFFFFFF)))
    offset = chance.choice((20, 24))
    return _changed(whole(chance.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))), _DIRECTORY, offset, size)


def wrong_method(chance: Random) -> bytes:
    method = struct.pack("<H", chance.choice((1, 9, 12, 14, 93, 95, 98, 99, 0xFFFF)))
    return _changed(_changed(whole(), _DIRECTORY, 10, method), _LOCAL, 8, method)


def wrong_place(chance: Random) -> bytes:
    """Where a file begins, or the list of files."""
    at = struct.pack("<I", chance.choice((1, 77, 0x7FFFFFFF, 0xFFFFFFFF)))
    return _changed(whole(), *chance.choice(((_DIRECTORY, 42, at), (_END, 16, at), (_END, 12, at))))


def wrong_count(chance: Random) -> bytes:
    return _changed(whole(), _END, 8, struct.pack("<HH", *[chance.choice((0, 1, 0xFFFF))] * 2))


def wrong_version(chance: Random) -> bytes:
    return _changed(whole(), _DIRECTORY, 6, struct.pack("<H", chance.choice((64, 99, 255))))


def bomb(chance: Random) -> bytes:
    """A file of blanks, or of one text, that unpacks to a thousand times its size."""
    inside = chance.choice((b" ", b"[", b"a", b"\0"))
    start = b'[{"memory": "' if inside == b"a" else b""
    archive = io.BytesIO()
    with (
        zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as made,
        made.open(_deflated("memories.json"), "w") as part,
    ):
        part.write(start)
        for _ in range(chance.choice((120, 300))):
            part.write(inside * (1 << 20))
    return archive.getvalue()


def _deflated(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, PACKED_ON)
    info.compress_type = zipfile.ZIP_DEFLATED
    return info


def gzip_bomb(chance: Random) -> bytes:
    inside = chance.choice((b" ", b"\n", b"a", b"a\n", b"[")) * (1 << 20)
    made = io.BytesIO()
    with gzip.GzipFile(fileobj=made, mode="wb", mtime=0) as part:
        for _ in range(chance.choice((120, 300)) // (len(inside) >> 20)):
            part.write(inside)
    return made.getvalue()


def nested(chance: Random) -> bytes:
    data = whole()
    for _ in range(chance.randrange(1, 20)):
        data = packed({chance.choice(("memories.json.zip", "a.zip", "memories/a.zip")): data})
    return data


def nested_under_a_wanted_name(chance: Random) -> bytes:
    return packed({chance.choice((CHATS, "memories.json", "projects/a.json")): whole()})


def leading_out(chance: Random) -> bytes:
    """Names that lead elsewhere, of files that are as they should be."""
    start = chance.choice(
        ("../../../", "/", "/etc/", "..\\..\\", "C:\\", "a/../../", "./" * 900, "\x1b[2J/", "\u202e/")
    )
    return packed({f"{start}memories.json": text_of("openmemory")})


def leading_out_to_what_is_wrong(chance: Random) -> bytes:
    start = chance.choice(("../../", "/tmp/\x1b]2;x\x07", "\n\r", "\u202e", "x" * 60_000 + "/"))
    return packed({f"{start}memories.json": '{"memories": [NaN]}'})


def nothing_wanted(chance: Random) -> bytes:
    names = chance.choice(((), ("a.txt",), ("memories/",), ("conversations.json/",), ("__MACOSX/memories.json",)))
    return packed(dict.fromkeys(names, "x"))


def many_files(chance: Random) -> bytes:
    return packed(
        {f"memories/{number}.json": "[]" for number in range(chance.randrange(2_000, 3_000))}, zipfile.ZIP_STORED
    )


def named_twice(chance: Random) -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as made:
        for number in range(chance.randrange(2, 9)):
            info = zipfile.ZipInfo("memories.json")
            made.filelist = []
            made.NameToInfo = {}
            made.writestr(info, json.dumps([{"memory": f"Likes tea {number}"}]))
    return archive.getvalue()


def between_junk(chance: Random) -> bytes:
    return chance.randbytes(chance.randrange(1, 99)) + whole()


def packed_text(chance: Random) -> bytes:
    return gzip.compress(text_of(chance.choice(("mem0", "json lines", "lines"))).encode(), mtime=0)


def cut_gzip(chance: Random) -> bytes:
    data = packed_text(chance)
    return data[: chance.randrange(3, len(data) - 1)]


def flipped_gzip(chance: Random) -> bytes:
    data = bytearray(packed_text(chance))
    data[chance.randrange(len(data) - 8, len(data))] ^= 1 << chance.randrange(8)
    return bytes(data)


def gzip_of_what_is_none(chance: Random) -> bytes:
    inside = chance.choice((b"", b"\x00\xff" * 999, whole(), packed_text(chance), b'[{"memory": NaN}]'))
    return gzip.compress(inside, mtime=0)


def gzip_and_more(chance: Random) -> bytes:
    return packed_text(chance) + chance.choice((b"x", b"\x1f\x8b", chance.randbytes(300)))


def stored_wrong(chance: Random) -> bytes:
    """A header of gzip before what zlib packed, or nothing did."""
    return b"\x1f\x8b\x08" + chance.choice((zlib.compress(b"x" * 99), chance.randbytes(200), b"", b"\xff" * 7))


ARCHIVE_FAMILIES: Mapping[str, Family] = {
    "archive cut": Family(cut, count=12),
    "archive with bits flipped": Family(flipped, MAY_BE_READ, count=30),
    "archive with a wrong sum": Family(wrong_sum),
    "archive with a password": Family(locked, count=1),
    "archive with a wrong size": Family(wrong_size, MAY_BE_READ, count=12),
    "archive packed in no known way": Family(wrong_method, count=8),
    "archive with a wrong place": Family(wrong_place, MAY_BE_READ, count=8),
    "archive with a wrong count": Family(wrong_count, MAY_BE_READ, count=3),
    "archive of a later version": Family(wrong_version, count=3),
    "archive bomb": Family(bomb, count=4),
    "packed bomb": Family(gzip_bomb, count=4),
    "archive in an archive": Family(nested, count=4),
    "archive under a wanted name": Family(nested_under_a_wanted_name, count=3),
    "archive with names that lead out": Family(leading_out, IS_READ, count=9),
    "archive with names that lead out to what is wrong": Family(leading_out_to_what_is_wrong, count=5),
    "archive of nothing": Family(nothing_wanted, count=5),
    "archive of many files": Family(many_files, count=1),
    "archive with one name for many": Family(named_twice, MAY_BE_READ, count=3),
    "archive behind junk": Family(between_junk, count=3),
    "packed and cut": Family(cut_gzip, count=6),
    "packed with a wrong sum": Family(flipped_gzip, count=6),
    "packed nothing": Family(gzip_of_what_is_none, count=5),
    "packed and more": Family(gzip_and_more, MAY_BE_READ, count=4),
    "packed otherwise": Family(stored_wrong, count=4),
}
