"""Files of other programs that are longer than what fits into memory, and those that come through a pipe."""

from __future__ import annotations

import io
import json
import tracemalloc
from collections.abc import Iterator

import pytest
from fakes.foreign_files import conversation, message

from orca_core.domain.errors import InvalidInput
from orca_core.domain.foreign import ForeignChat
from orca_core.wire.foreign import archives
from orca_core.wire.foreign.files import read_file

pytestmark = pytest.mark.long


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


def test_a_long_export_is_never_in_memory() -> None:
    tracemalloc.start()
    try:
        count = sum(isinstance(each, ForeignChat) for each in read_file(io.BufferedReader(Endless(100))))
        _now, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert (count, peak < 4_000_000) == (100, True)  # of ten million


def test_an_archive_is_not_read_from_a_pipe() -> None:
    pipe = io.BufferedReader(Endless(0))
    with pytest.raises(InvalidInput, match="can't be read from a pipe"):
        list(read_file(pipe, None, archives.ZIP + b"\x00" * 40))
