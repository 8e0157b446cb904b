"""What stands where a file should be: folders, devices, pipes, links, and files with names that do harm."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from threading import Thread

from fakes.bad_files import IS_READ, IS_REFUSED, BadFile, text_of

Put = Callable[[Path], object]


def piped(data: bytes, path: Path) -> None:
    """A named pipe, into which somebody writes this as soon as it is read."""
    os.mkfifo(path)
    Thread(target=_write, args=(data, path), daemon=True).start()


def _write(data: bytes, path: Path) -> None:
    try:
        path.write_bytes(data)
    except BrokenPipeError:
        return  # who reads had enough


def linked(target: str, path: Path) -> None:
    path.symlink_to(target)


def linked_in_a_circle(path: Path) -> None:
    other = path.with_name("other")
    path.symlink_to(other)
    other.unlink(missing_ok=True)
    other.symlink_to(path)


def linked_to_a_list(path: Path) -> None:
    path.with_name("list").write_text(text_of("lines"), "utf-8")
    path.symlink_to("list")


def long_list(path: Path) -> None:
    with path.open("wb") as file:
        file.write(b"Likes tea\n")
        file.truncate(4 << 30)


LIST = text_of("lines").encode()
NOT_FILES: dict[str, tuple[Put, str]] = {
    "folder": (lambda path: path.mkdir(), IS_REFUSED),
    "nothing": (lambda path: None, IS_REFUSED),
    "link to a folder": (partial(linked, "/"), IS_REFUSED),
    "link to nothing": (partial(linked, "nowhere"), IS_REFUSED),
    "links in a circle": (linked_in_a_circle, IS_REFUSED),
    "device without end": (partial(linked, "/dev/zero"), IS_REFUSED),
    "device of chance": (partial(linked, "/dev/urandom"), IS_REFUSED),
    "device of nothing": (partial(linked, "/dev/null"), IS_REFUSED),
    "file of the kernel": (partial(linked, "/proc/self/mem"), IS_REFUSED),
}
IMPORTED_PLACES: dict[str, tuple[Put, str]] = {
    **NOT_FILES,
    "link to a list": (linked_to_a_list, IS_READ),
    "pipe with a list": (partial(piped, LIST), IS_READ),
    "pipe of nothing": (partial(piped, b""), IS_REFUSED),
    "pipe of bytes": (partial(piped, b"\xff\x00" * 99_999), IS_REFUSED),
    "pipe of an archive": (partial(piped, b"PK\x03\x04" + b"\0" * 99), IS_REFUSED),
    "four gigabytes of a list": (long_list, IS_REFUSED),
}
RESTORED_PLACES: dict[str, tuple[Put, str]] = {**NOT_FILES, "pipe": (os.mkfifo, IS_REFUSED)}
NAMES = ("\x1b[2J\x1b]0;x\x07", "\u202egpj.exe", "a\nb\rc", "x" * 255, "~", "--", "$(id)", "[@click=app.quit]x", b"\xff\xfe".decode(errors="surrogateescape"))  # fmt: skip


def of_places(places: dict[str, tuple[Put, str]]) -> Iterator[BadFile]:
    for family, (put, expected) in places.items():
        yield BadFile(family, 0, expected, put)


def of_names(data: bytes) -> Iterator[BadFile]:
    """What can't be read, under names that are shown."""
    for number, name in enumerate(NAMES):
        yield BadFile("names", number, IS_REFUSED, lambda path: path.write_bytes(data), name)
