"""Files of other programs that are longer than what is read at once, and those that come through a pipe."""

from __future__ import annotations

import io
import json
import tracemalloc
from collections.abc import Iterator

import pytest
from fakes.foreign_files import conversation, message

from orca_core.model.errors import InvalidInput
from orca_core.model.import_export import ForeignChat
from orca_core.serialize import documents
from orca_core.serialize.foreign import archives
from orca_core.serialize.foreign.files import read_file


class Endless(io.RawIOBase):
    """A long export, made while it is read."""

    def __init__(self, conversations: int) -> None:
        super().__init__()
        body = json.dumps(conversation([message("user", "I live in Rome"), message("assistant", "z" * 5000)] * 20))
        self._pieces = self._made(body.encode(), conversations)
        self._rest = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]  # any buffer would do
        if not self._rest:
            self._rest = next(self._pieces, b"")
        taken, self._rest = self._rest[: len(buffer)], self._rest[len(buffer) :]
        buffer[: len(taken)] = taken
        return len(taken)

    def _made(self, body: bytes, conversations: int) -> Iterator[bytes]:
        yield b"["
        for number in range(conversations):
            yield (b"," if number else b"") + body
        yield b"]"


def test_a_file_larger_than_what_is_read_at_once_is_refused_with_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "MOST_BYTES", 5_000_000)
    with pytest.raises(InvalidInput, match="is larger than 5 MB") as refused:
        list(read_file(io.BufferedReader(Endless(100))))  # ten million

    assert refused.value.hint == "split it, and import its parts"


def test_a_file_that_fits_is_held_once() -> None:
    tracemalloc.start()
    try:
        count = sum(isinstance(each, ForeignChat) for each in read_file(io.BufferedReader(Endless(100))))
        _now, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert (count, peak < 15_000_000) == (100, True)  # of ten million


def test_an_archive_is_not_read_from_a_pipe() -> None:
    pipe = io.BufferedReader(Endless(0))
    with pytest.raises(InvalidInput, match="can't be read from a pipe"):
        list(read_file(pipe, None, archives.ZIP + b"\x00" * 40))
