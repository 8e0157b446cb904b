"""The part of a long text that is being read: pieces of bytes become characters, and what was read is let go of."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator
from typing import Literal

Fault = Literal["", "utf-16", "utf-8"]
"""Why bytes are no text: they are UTF-16 or UTF-32, or no valid UTF-8."""

_BOM = b"\xef\xbb\xbf"


class TextWindow:
    """`text` from `at` on is still to be read. Whoever reads moves `at`; `more` lets go of what lies before it."""

    def __init__(self, pieces: Iterable[bytes]) -> None:
        self.text = ""
        self.at = 0
        self.bytes_read = 0
        self.fault: Fault = ""
        self._pieces: Iterator[bytes] = iter(pieces)
        self._decoder = codecs.getincrementaldecoder("utf-8")("strict")
        self._is_begun = self._is_over = False
        self._let_go = 0
        self._counted = 0
        self._line = self._column = 1

    @property
    def consumed(self) -> int:
        """How many characters lie before `at`, from the very first."""
        return self._let_go + self.at

    def more(self) -> bool:
        """Read on, at least as much as is still held, so that a long value is looked at a few times only. Returns
        whether anything came; where nothing did, `fault` says why, or the text is at its end."""
        held = len(self.text) - self.at
        parts: list[str] = []
        came = 0
        while not self._is_over and came <= held:
            parts.append(self._next_part())
            came += len(parts[-1])
        if not came:
            return False
        self.place()
        self._let_go += self.at
        self._counted -= self.at
        self.text = self.text[self.at :] + "".join(parts)
        self.at = 0
        return True

    def place(self) -> tuple[int, int]:
        """The line and the column of `at`, both from 1."""
        lines = self.text.count("\n", self._counted, self.at)
        if lines:
            self._line += lines
            self._column = self.at - self.text.rindex("\n", self._counted, self.at)
        else:
            self._column += self.at - self._counted
        self._counted = self.at
        return self._line, self._column

    def _next_part(self) -> str:
        piece = next(self._pieces, None)
        self.bytes_read += len(piece or b"")
        if piece is not None and not self._is_begun:
            piece = self._beginning(piece)
        self._is_over = self._is_over or piece is None
        try:
            return self._decoder.decode(piece or b"", final=piece is None)
        except UnicodeDecodeError as error:
            self._is_over, self.fault = True, "utf-8"
            return error.object[: error.start].decode("utf-8")

    def _beginning(self, piece: bytes) -> bytes:
        """The first bytes, without a byte order mark. No JSON has a NUL among its first four bytes: it is UTF-16."""
        while len(piece) < 4 and (further := next(self._pieces, None)) is not None:
            self.bytes_read += len(further)
            piece += further
        self._is_begun = True
        if piece.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in piece[:4]:
            self._is_over, self.fault = True, "utf-16"
            return b""
        return piece.removeprefix(_BOM)
