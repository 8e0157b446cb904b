"""Files that damage, chance or malice made, for `orca memory import`: the same from the same seed, family by family.

A family is a function of a `Random`: each call makes another file. What is so only sometimes wrong that no one can say
before (`MAY_BE_READ`), or is in fact a document as it should be (`IS_READ`), says so in its family."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

from fakes.foreign_files import claude_chat, conversation, message
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
