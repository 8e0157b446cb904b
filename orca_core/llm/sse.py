"""Server-sent events, framed on bytes: a line may be cut anywhere, also inside a character or a CR LF."""

from __future__ import annotations

from collections.abc import Iterator

from orca_core.model.errors import BadModelReply

MAX_LINE_BYTES = 1_048_576
_BOM = b"\xef\xbb\xbf"


class EventStream:
    """Feed it bytes as they come; it gives back the data of every event that is whole, and counts the comments."""

    def __init__(self, provider: str, max_line_bytes: int = MAX_LINE_BYTES) -> None:
        self._provider = provider
        self._max_line_bytes = max_line_bytes
        self._pending = b""
        self._data: list[bytes] = []
        self._data_bytes = 0
        self._is_first = True
        self._skip_newline = False
        self.comments = 0

    def feed(self, piece: bytes) -> Iterator[str]:
        """The data of each event that this piece completes."""
        self._pending += piece
        if self._is_first:
            if len(self._pending) < len(_BOM) and _BOM.startswith(self._pending):
                return
            self._pending = self._pending.removeprefix(_BOM)
            self._is_first = False
        while (line := self._next_line()) is not None:
            if (event := self._take(line)) is not None:
                yield event
        self._check(len(self._pending))

    def finish(self) -> Iterator[str]:
        """The last event, which may lack its blank line or even its line end."""
        self._is_first = False
        if self._pending and (event := self._take(self._pending)) is not None:
            yield event
        self._pending = b""
        if self._data:
            yield self._flush()

    def _next_line(self) -> bytes | None:
        if self._skip_newline and self._pending:
            self._pending = self._pending.removeprefix(b"\n")
            self._skip_newline = False
        ends = [at for at in (self._pending.find(b"\n"), self._pending.find(b"\r")) if at >= 0]
        if not ends:
            return None
        end = min(ends)
        line, self._skip_newline = self._pending[:end], self._pending[end : end + 1] == b"\r"
        self._pending = self._pending[end + 1 :]
        return line

    def _take(self, line: bytes) -> str | None:
        self._check(len(line))
        if not line:
            return self._flush() if self._data else None
        if line.startswith(b":"):
            self.comments += 1
            return None
        name, _, value = line.partition(b":")
        if name == b"data":
            self._data.append(value.removeprefix(b" "))
            self._data_bytes += len(value) + 1
            self._check(self._data_bytes)
        return None

    def _check(self, size: int) -> None:
        """Raise for a line that is too long, however the bytes were cut."""
        if size > self._max_line_bytes:
            raise BadModelReply(provider=self._provider, detail="a piece of its stream is longer than 1 MB")

    def _flush(self) -> str:
        text = b"\n".join(self._data).decode("utf-8", "replace")
        self._data.clear()
        self._data_bytes = 0
        return text
