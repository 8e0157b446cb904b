"""Files that damage, chance or malice made, for `orca memory import`: the same from the same seed, family by family.

A family is a function of a `Random`: each call makes another file. What is so only sometimes wrong that no one can say
before (`MAY_BE_READ`), or is in fact a document as it should be (`IS_READ`), says so in its family."""

from __future__ import annotations

import gzip
import io
import json
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

from fakes.foreign_files import PACKED_ON, claude_chat, conversation, message, packed
from msgspec import Struct

IS_REFUSED, MAY_BE_READ, IS_READ = "is refused", "may be read", "is read"

TRIES = 8
"""So often one more that is different is looked for."""

Make = Callable[[Random], bytes]


class BadFile(Struct, frozen=True):
    """One file; `put` makes it at a path."""

    family: str
    number: int
    expected: str
    put: Callable[[Path], object]
    name: str = "file"
    """How it is called."""

    def __str__(self) -> str:
        return f"{self.family} {self.number}"


class Family(Struct, frozen=True):
    """Files of one kind of badness."""

    make: Make
    expected: str = IS_REFUSED
    count: int = 4


def of_families(families: Mapping[str, Family], seed: int, count: int | None = None) -> Iterator[BadFile]:
    """Files of every family, no two the same: so many as it wants, or `count` at most."""
    for name, family in families.items():
        made: set[bytes] = set()
        for number in range(TRIES * family.count):
            if len(made) == min(family.count, count or family.count):
                break
            data = family.make(Random(f"{seed} {name} {number}"))
            if (known := sha256(data).digest()) not in made:
                made.add(known)
                yield BadFile(name, number, family.expected, partial(_write, data))


def _write(data: bytes, path: Path) -> None:
    path.write_bytes(data)


def orca_memory(number: int, **fields: Any) -> dict[str, Any]:
    return {"uid": f"u{number}", "content": f"Uses tool {number}, café and 茶", **fields}


def of_orca(*memories: dict[str, Any], **lists: Any) -> dict[str, Any]:
    return {"orca_export": 1, "memories": list(memories or map(orca_memory, range(3))), **lists}


def _mem0(number: int, **fields: Any) -> dict[str, Any]:
    return {"id": f"m{number}", "memory": f"Likes café number {number}", "created_at": "2024-07-20", **fields}


DOCUMENTS: Mapping[str, Any] = {
    "orca": of_orca(),
    "mem0": {"results": [_mem0(number) for number in range(3)]},
    "openmemory": {"memories": [{"id": "o", "content": "Has a café", "state": "active"}], "users": []},
    "letta": {"archival_memory": [{"id": "p", "text": "Lives near a café", "created_at": "2024-07-20T00:00:00Z"}]},
    "chatgpt": [conversation([message("user", "I live in Rome, near a café."), message("assistant", "ok")], "Café")],
    "claude": [claude_chat("I live in Rome, near a café.", name="Café")],
    "list of texts": ["Likes café", "Likes tea"],
}
JSONS = tuple(DOCUMENTS)
ALL = (*JSONS, "json lines", "lines")


def text_of(name: str) -> str:
    """One of the documents as it should be."""
    if name == "lines":
        return "".join(f"- Likes café number {number}\n" for number in range(9))
    if name == "json lines":
        return "".join(json.dumps(_mem0(number), ensure_ascii=False) + "\n" for number in range(9))
    return json.dumps(DOCUMENTS[name], ensure_ascii=False, indent=1)


def _any(chance: Random, names: tuple[str, ...] = ALL) -> bytes:
    return text_of(chance.choice(names)).encode()


def _within(chance: Random, data: bytes, into: bytes) -> bytes:
    """Something in the middle of a word that is read."""
    at = data.index("café".encode()) + chance.randrange(4)
    return data[:at] + into + data[at:]


def in_text(into: bytes, names: tuple[str, ...] = ALL) -> Make:
    return lambda chance: _within(chance, _any(chance, names), into)


def as_value(values: tuple[str, ...], names: tuple[str, ...] = JSONS) -> Make:
    """One of these, as JSON, in the place of a text."""

    def make(chance: Random) -> bytes:
        text = text_of(chance.choice(names))
        start = text.rindex('"', 0, text.index("café"))
        return (text[:start] + chance.choice(values) + text[text.index('"', start + 1) + 1 :]).encode()

    return make


def _cut(chance: Random) -> bytes:
    data = _any(chance, JSONS)
    return data[: chance.randrange(1, len(data) - 2)]


def _flipped(chance: Random) -> bytes:
    data = bytearray(_any(chance))
    for _ in range(chance.randrange(1, 9)):
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    return bytes(data)


def _shuffled(chance: Random) -> bytes:
    """The lines of a document in another order."""
    lines = _any(chance, JSONS).split(b"\n")
    chance.shuffle(lines)
    return b"\n".join(lines)


def encoded(*encodings: str) -> Make:
    return lambda chance: _any(chance).decode().encode(chance.choice(encodings), "replace")


def _nested(chance: Random) -> bytes:
    deep = chance.choice((65, 1_000, 100_000, 3_000_000))
    opening = chance.choice((b"[", b'{"a":', b'{"memories":[', b'{"results":{"data":'))
    return opening * (deep // len(opening) + 65)


def _nested_in_a_field(chance: Random) -> bytes:
    deep = chance.choice((80, 5_000, 200_000))
    value = "[" * deep + "]" * deep
    return as_value((value,))(chance)


def _of_orca_in_a_field(chance: Random) -> bytes:
    return text_of("orca").replace('"uid"', '"nested": ' + "[" * 900 + "]" * 900 + ', "uid"', 1).encode()


def named_twice(chance: Random) -> bytes:
    text = text_of(chance.choice(JSONS[:-1]))
    at = text.index("{") + 1
    name = text[text.index('"', at) :].partition(":")[0]
    return f"{text[:at]}{name}: 1, {text[at:]}".encode()


def long_text(chance: Random) -> bytes:
    length = chance.choice((4_100_000, 10_000_000, 17_000_000))
    return in_text(b"x" * length, ("orca",))(chance)


def long_foreign_text(chance: Random) -> bytes:
    return in_text(b"x" * 10_000_000, ("mem0", "letta", "json lines", "chatgpt", "claude"))(chance)


def wrong_kinds(chance: Random) -> bytes:
    """Values of other kinds than a field has, everywhere."""
    value = chance.choice((None, True, 0, -1, 1.5, [], {}, [[]], "", "x", 10**15, [None], {"a": None}))

    def changed(given: Any) -> Any:
        if chance.random() < 0.3:
            return value
        if isinstance(given, dict):
            return {name: changed(each) for name, each in given.items()}
        return [changed(each) for each in given] if isinstance(given, list) else given

    return json.dumps(changed(DOCUMENTS[chance.choice(JSONS)])).encode()


STARTS = (b"\x89PNG\r\n\x1a\n", b"%PDF-1.7\n%\xe2\xe3", b"\x7fELF\x02", b"\xfd7zXZ\x00", b"BZh91AY", b"7z\xbc\xaf'\x1c",
          b"\x80\x04\x95", b"SQLite format 3\0", b"Rar!\x1a\x07", b"\xca\xfe\xba\xbe", b"GIF89a", b"\xff\xd8\xff\xe0")  # fmt: skip


def _of_another_program(chance: Random) -> bytes:
    return chance.choice(STARTS) + chance.randbytes(chance.randrange(200, 90_000))


def _web_page(chance: Random) -> bytes:
    start = chance.choice((b"<!doctype html>", b"<HTML><body>", b"\n <!DOCTYPE  html PUBLIC>", b"\xef\xbb\xbf<html>"))
    return start + b"<p>log in</p>" * chance.randrange(1, 99)


CONTROLS = ("\x1b]52;c;ZXZpbA==\x1b\\", "\x1b[2J", "\x07", "\x9b2J", "\u202egpj", "\u200b\u2066", "\r", "\x85", "\x7f")


def _control_characters(chance: Random) -> bytes:
    return in_text("".join(chance.sample(CONTROLS, 4)).encode(), ("lines",))(chance)


def _escaped_controls(chance: Random) -> bytes:
    escaped = "".join(json.dumps(each)[1:-1] for each in chance.sample(CONTROLS, 5))
    return in_text(escaped.encode(), JSONS)(chance)


def controls_in_names(chance: Random) -> bytes:
    """In the names of fields, which a refusal quotes."""
    name = json.dumps("".join(chance.sample(CONTROLS, 5)) + "x" * chance.choice((0, 90_000)))
    fields = text_of("orca").replace('"uid"', f'{name}: {{"a": 1}}, "uid"', 1)
    return (fields if chance.random() < 0.5 else f'{{"orca_export": 1, {name}: []}}').encode()


def followed(chance: Random) -> bytes:
    return _any(chance, JSONS) + chance.choice((b"]", b"x", b"{}", b'"', b"\x00", b"\n\n[]"))


NO_NUMBERS = ("NaN", "Infinity", "-Infinity", "1e400", "-1e999", "9" * 5000, "01", "0x1", ".5", "+1")

TEXT_FAMILIES: Mapping[str, Family] = {
    "cut": Family(_cut, count=24),
    "bits flipped": Family(_flipped, MAY_BE_READ, count=16),
    "lines shuffled": Family(_shuffled, count=6),
    "utf-16": Family(encoded("utf-16", "utf-16-le", "utf-16-be", "utf-32"), count=10),
    "latin-1": Family(encoded("latin-1", "cp1252", "cp437"), count=9),
    "byte order mark": Family(lambda chance: b"\xef\xbb\xbf" + _any(chance), IS_READ, count=9),
    "overlong": Family(lambda chance: in_text(chance.choice((b"\xc0\xaf", b"\xe0\x80\xaf", b"\xf0\x80\x80\x80")))(chance)),
    "half a character": Family(in_text(b"\xed\xa0\x80"), count=6),
    "half a pair escaped": Family(in_text(b"\\ud800", ("orca",)), count=3),
    "half a pair escaped in a foreign file": Family(in_text(b"\\udc00", ("mem0", "chatgpt", "claude")), IS_READ),
    "nul": Family(in_text(b"\x00", JSONS), count=7),
    "nul in a list": Family(in_text(b"\x00", ("lines",)), count=1),
    "escaped nul": Family(in_text(b"\\u0000", JSONS), MAY_BE_READ),
    "bare control characters": Family(in_text(b"\x1b[2J\x07", JSONS), count=5),
    "control characters in a list": Family(_control_characters, MAY_BE_READ),
    "escaped control characters": Family(_escaped_controls, MAY_BE_READ, count=9),
    "control characters in names": Family(controls_in_names, count=6),
    "no numbers": Family(as_value(NO_NUMBERS), count=22),
    "named twice": Family(named_twice, MAY_BE_READ, count=7),
    "nested": Family(_nested, count=8),
    "nested in a field": Family(_nested_in_a_field, count=6),
    "nested in a field of ours": Family(_of_orca_in_a_field, count=1),
    "ten megabytes of text": Family(long_text, count=3),
    "ten megabytes of foreign text": Family(long_foreign_text, MAY_BE_READ, count=3),
    "wrong kinds": Family(wrong_kinds, MAY_BE_READ, count=24),
    "of another program": Family(_of_another_program, count=12),
    "web page": Family(_web_page),
    "followed": Family(followed, count=7),
    "empty": Family(lambda chance: chance.choice((b"", b" \n\t", b"\xef\xbb\xbf", b"\n" * 70_000)), count=4),
    "of nothing": Family(lambda chance: chance.choice((b"{}", b"[]", b"[[]]", b"[null]", b"[1]", b'{"orca_export": 2}')), count=6),
}  # fmt: skip

YEARS = ("0000-01-01", "0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59.999999-23:59", "10000-01-01", "-0001-01-01",
         "9999-12-31", "2024-02-30", "2024-13-01T25:61:61Z", "1e9", "٢٠٢٤-٠١-٠١", "2024-01-01T00:00:00+99:99", "")  # fmt: skip
COUNTS = (-1, 2**63, 2**64, -(2**63) - 1, 10**60, 1.5, True, "1", None)
VERSIONS = (2, 99, 0, -1, "1", 1.5, True, None, [1], 10**60)
OPERATION = {"number": 1, "actor": "user", "action": "add", "at": "2026-01-01T00:00:00Z"}
EPISODE = {"uid": "e", "target": "t", "trigger_summary": "s"}


def _json(document: Any) -> bytes:
    return json.dumps(document, ensure_ascii=False).encode()


def one_of(*documents: Any) -> Make:
    return lambda chance: _json(chance.choice(documents))


def field(name: str, values: tuple[Any, ...]) -> Make:
    return lambda chance: _json(of_orca(orca_memory(1, **{name: chance.choice(values)})))


def foreign_date(chance: Random) -> bytes:
    at = chance.choice((*YEARS, 1e300, -1e18, 10**40, 2**63, -1, 0.1))
    name = chance.choice(("created_at", "create_time", "date", "timestamp", "updated_at"))
    return _json([{"memory": "Likes tea", name: at}])


def circle(chance: Random) -> bytes:
    """Memories that replaced each other in a circle."""
    count = chance.randrange(1, 50)
    return _json(
        of_orca(
            *(
                orca_memory(number, status="archived", superseded_by=f"u{(number + 1) % count}")
                for number in range(count)
            )
        )
    )


def parents_in_a_circle(chance: Random) -> bytes:
    count = chance.randrange(1, 2_000)
    nodes = {f"n{each}": {"parent": f"n{(each + 1) % count}", "message": None} for each in range(count)}
    return _json([{"title": "t", "mapping": nodes, "current_node": "n0"}])


def long_chain_of_parents(chance: Random) -> bytes:
    said = {"author": {"role": "user"}, "content": {"content_type": "text", "parts": ["I live in Rome."]}}
    nodes = {f"n{each}": {"parent": f"n{each - 1}", "message": said} for each in range(chance.randrange(9_000, 20_000))}
    return _json([{"title": "t", "mapping": nodes}])


def same_twice(chance: Random) -> bytes:
    shared = chance.choice(("uid", "content"))
    first, second = orca_memory(chance.randrange(9)), orca_memory(10)
    return _json(of_orca(first, {**second, shared: first[shared]}))


NOTHING = (
    of_orca(orca_memory(1, superseded_by="nobody")),
    of_orca(orca_memory(1, would_replace="nobody")),
    of_orca(orca_memory(1, superseded_by="u1")),
    of_orca(orca_memory(1, pairs=[{"with": "nobody", "why": "conflict", "at": "2026-01-01"}])),
    of_orca(supports=[{"memory": "nobody", "kind": "act", "source": "s", "act": "nobody"}]),
    of_orca(steps=[{"task": "nobody", "number": 1, "description": "d"}]),
    of_orca(episodes=[{**EPISODE, "task": "nobody"}]),
    of_orca(episodes=[{**EPISODE, "consolidated_into": "nobody"}]),
    of_orca(knowledge=[{"uid": "k", "target": "t", "topic": "t", "source_episodes": ["nobody", "k"]}]),
    of_orca(orca_memory(1, history=[{"operation": 7, "before": None, "after": {}}])),
    of_orca(operations=[{**OPERATION, "undoes": 1, "undone_by": 1}]),
    of_orca(operations=[{**OPERATION, "undoes": 9}]),
    of_orca(operations=[OPERATION, OPERATION]),
    of_orca(tool_calls=[{"tool": "t", "step": "nobody/1"}]),
)
UNKNOWN = (
    of_orca(orca_memory(1, pinnde=True)),
    of_orca(orca_memory(1, status="alive")),
    of_orca(orca_memory(1, type="x" * 90_000)),
    of_orca(orca_memory(1, tags="a")),
    of_orca(orca_memory(1, tags=[str(each) for each in range(10_000)])),
    of_orca(orca_memory(1, history={"a": 1})),
    of_orca(orca_memory(1, pairs={"with": "u2"})),
    of_orca(orca_memory(1, pairs=[{"with": "u1", "why": "conflict", "at": "2026-01-01"}])),
    of_orca(orca_memory(1, origin={"kind": "x"})),
    of_orca(further=[]),
    of_orca(memories_=[{}]),
    {"orca_export": 1, "memories": {}},
    {"orca_export": 1, "memories": [[]]},
    {"memories": [], "orca_export": 1, "episodes": [None]},
)

LYING_FAMILIES: Mapping[str, Family] = {
    "versions": Family(lambda chance: _json({"orca_export": chance.choice(VERSIONS[:-1]), "memories": []}), count=9),
    "dates": Family(field("created_at", YEARS), MAY_BE_READ, count=12),
    "dates of others": Family(foreign_date, IS_READ, count=16),
    "counts": Family(field("use_count", COUNTS), MAY_BE_READ, count=9),
    "weights": Family(field("weight", (*COUNTS, 1e308, -1e308)), MAY_BE_READ, count=9),
    "confidence": Family(field("confidence", (2, -1, "high", 10**60, None, [], 1.0000001)), count=7),
    "uids": Family(field("uid", ("", "x" * 100_000, 7, None, "a/b", "\x1b[2J", "\U0001f600", [], "' OR 1=1 --")), MAY_BE_READ, count=9),
    "contents": Family(field("content", ("", " ", "x" * 2_001, "\x1b[2J", "\x00", "\u202e", 7, None)), MAY_BE_READ, count=8),
    "circles": Family(circle, MAY_BE_READ, count=6),
    "references to nothing": Family(one_of(*NOTHING), MAY_BE_READ, count=20),
    "unknown": Family(one_of(*UNKNOWN), count=18),
    "the same twice": Family(same_twice, count=4),
    "parents in a circle": Family(parents_in_a_circle, MAY_BE_READ, count=4),
    "long chain of parents": Family(long_chain_of_parents, IS_READ, count=1),
}  # fmt: skip

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


def named_twice_archives(chance: Random) -> bytes:
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
    "archive with one name for many": Family(named_twice_archives, MAY_BE_READ, count=3),
    "archive behind junk": Family(between_junk, count=3),
    "packed and cut": Family(cut_gzip, count=6),
    "packed with a wrong sum": Family(flipped_gzip, count=6),
    "packed nothing": Family(gzip_of_what_is_none, count=5),
    "packed and more": Family(gzip_and_more, MAY_BE_READ, count=4),
    "packed otherwise": Family(stored_wrong, count=4),
}
