"""A file or a pipe that is read where no signal arrives, and that whoever hears one can cut short."""

from __future__ import annotations

import io
import os
import stat
from select import select
from typing import BinaryIO

PIECE = 65_536


class ReadingCut(Exception):
    """Nobody waits any more for what was to be read."""


class CuttableFile(io.BufferedReader):
    """What another file holds, until it is cut. Closing it leaves the other one open."""

    def __init__(self, file: BinaryIO) -> None:
        self._cuttable = _Cuttable(file)
        super().__init__(self._cuttable, PIECE)

    def cut(self) -> None:
        """Let every read from now on, and one that waits in another thread, end with ReadingCut."""
        self._cuttable.cut()


class _Cuttable(io.RawIOBase):
    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.name = str(getattr(file, "name", ""))
        self._number = _number_of_what_may_wait(file)
        self._is_cut = False
        self._woken, self._waking = os.pipe()

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return self._file.seekable()

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()

    def fileno(self) -> int:
        return self._file.fileno()

    def readinto(self, into: memoryview) -> int:  # type: ignore[override]  # BufferedReader hands a memoryview
        if self._number is not None:
            select([self._number, self._woken], [], [])
        if self._is_cut:
            raise ReadingCut
        piece = self._file.read(len(into)) if self._number is None else os.read(self._number, len(into))
        into[: len(piece)] = piece
        return len(piece)

    def cut(self) -> None:
        self._is_cut = True
        os.write(self._waking, b"\0")

    def close(self) -> None:
        if not self.closed:
            os.close(self._woken)
            os.close(self._waking)
        super().close()


def _number_of_what_may_wait(file: BinaryIO) -> int | None:
    """The descriptor of a pipe, a socket, a device; None where reading never waits for anybody."""
    try:
        number = file.fileno()
    except OSError:
        return None
    return None if stat.S_ISREG(os.fstat(number).st_mode) else number
