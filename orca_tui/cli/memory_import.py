"""`orca memory import`: what an export of Orca or another program brings, into the profile that is open."""

from __future__ import annotations

import io
import json
import os
import stat
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from gettext import gettext as _
from pathlib import Path
from select import select
from tempfile import TemporaryFile
from typing import Any, BinaryIO

import click
from msgspec import Struct

from orca_core.model.errors import InvalidInput
from orca_core.model.import_export import Arrival, Brought, ForeignBrought, ForeignFormat, ImportTerms
from orca_core.serialize.export import arrived_json, brought_json, foreign_brought_json, heard_json, is_coming
from orca_core.serialize.foreign_files import HEAD_BYTES, is_of_orca, read_file
from orca_core.serialize.importing import ExportReader
from orca_tui.cli.commands import command, option
from orca_tui.cli.output import JsonList
from orca_tui.cli.progress import import_teller
from orca_tui.cli.runtime import OpenOrca, Runtime
from orca_tui.cli.undo import import_words, nothing_came, reported_if_stopped
from orca_tui.words.import_words import arrived_line, brought_words, foreign_line, foreign_words, near_line

Hear = Callable[[Any], None]
STDIN = Path("-")
EMBEDDED_WITHIN_S = 5.0
"""So long vectors are made before the command ends; the rest is made when Orca runs next. Chosen by hand."""
COMES = (Arrival.NEW, Arrival.CANDIDATE)


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


@command(
    "import",
    examples=(
        "orca memory import memories.json --dry-run",
        "orca memory import memories.json",
        "orca memory import chatgpt-export.zip --dry-run",
        "ssh laptop orca memory export | orca memory import --trust",
    ),
)
@click.argument("path", metavar="[FILE]", type=click.Path(path_type=Path), required=False)
@option(
    "--format",
    "format_word",
    type=click.Choice(["orca", *(each.value for each in ForeignFormat)]),
    help="Whose file it is, where that is not found by what it holds.",
)
@option("--trust", is_flag=True, help="Take all as it was there, also into a home that has memories.")
@option("--again", is_flag=True, help="Also bring back what was deleted here.")
@option("--dry-run", "looks_only", is_flag=True, help="Only say what would become of each record.")
def import_(
    runtime: Runtime,
    *,
    path: Path | None,
    format_word: str | None,
    trust: bool,
    again: bool,
    looks_only: bool,
) -> None:
    """Bring in what orca memory export wrote, or what mem0, ChatGPT or Claude exported: FILE, or stdin.

    Of other programs it takes their memories, custom instructions, what you plainly say of yourself in your chats, and
    lists with a memory a line; archives as they are downloaded. All of that waits for you in the inbox.

    All of it is checked first; where anything is wrong, nothing is brought in. An empty home gets everything as it was.
    Elsewhere memories, episodes, knowledge and guides wait for you in the inbox, unpinned, and the rest stays out,
    unless you trust the file. What is here already stays as it is: the same file twice changes nothing.

    It is one operation: orca memory undo takes it back."""
    terms = ImportTerms(trust=trust, again=again, looks_only=looks_only)
    runtime.if_stopped = nothing_came()
    with import_file(path) as file, runtime.open_orca() as opened:
        with reported_if_stopped(runtime, opened, import_words):
            head = _head_of(file)
            if format_word == "orca" or (format_word is None and is_of_orca(head)):
                source = _of_orca(runtime, opened, file, head, terms)
            else:
                whose = None if format_word is None else ForeignFormat(format_word)
                source = _of_another(runtime, opened, file, head, terms, whose)
            bring = _bring_in_json if runtime.as_json else _bring
            operation = bring(runtime, source, terms)
        if operation is not None and not runtime.as_json:
            opened.run(opened.orca.worker.embed(EMBEDDED_WITHIN_S))


@contextmanager
def import_file(path: Path | None) -> Iterator[CuttableFile]:
    """The file that is named, else stdin. Raises InvalidInput where there is none, or it can't be read."""
    if path is None or path == STDIN:
        if sys.stdin.isatty():
            raise InvalidInput(
                template="there is no document to bring in", hint="name a file, or pipe one: orca memory import FILE"
            )
        with CuttableFile(sys.stdin.buffer) as piped:
            yield piped
        return
    try:
        file = path.open("rb")
    except (OSError, ValueError) as failure:
        raise _unreadable(path, failure) from failure
    with file, CuttableFile(file) as cuttable:
        yield cuttable


def pieces(file: CuttableFile, head: bytes) -> Iterator[bytes]:
    """What a file holds, piece by piece, behind what was read of it already. Raises InvalidInput where it can't be read
    to its end."""
    yield head
    try:
        while piece := file.read(PIECE):
            yield piece
    except OSError as failure:
        raise _unreadable(Path(str(file.name)), failure) from failure


def _head_of(file: CuttableFile) -> bytes:
    try:
        return file.read(HEAD_BYTES)
    except OSError as failure:
        raise _unreadable(Path(str(file.name)), failure) from failure


def _unreadable(path: Path, failure: OSError | ValueError) -> InvalidInput:
    detail = getattr(failure, "strerror", None) or str(failure)
    return InvalidInput(template="{path} can't be read: {detail}", path=str(path), detail=detail)


class Source(Struct, frozen=True):
    """What Orca or another program exported, on its way in: how it is brought, `hear` being told of each record; which
    records come; the JSON and the lines of one; what is said of all, as JSON and as lines; and where to look then."""

    bring: Callable[[Hear | None], Any]
    comes: Callable[[Any], bool]
    one_json: Callable[[Any], object]
    one_lines: Callable[[Any], Sequence[str | None]]
    all_json: Callable[..., Any]
    all_lines: Callable[[Any, ImportTerms], Sequence[str]]
    way_on: str


def _of_orca(runtime: Runtime, opened: OpenOrca, file: CuttableFile, head: bytes, terms: ImportTerms) -> Source:
    reader = ExportReader(pieces(file, head))
    size = _size_of(file)

    def bring(hear: Hear | None) -> Brought:
        tell = import_teller(runtime.output, lambda: (reader.at, size))
        return opened.run(opened.orca.files.bring(reader, terms, tell=tell, hear=hear), file.cut)

    return Source(
        bring,
        comes=lambda each: each.arrival in COMES,
        one_json=arrived_json,
        one_lines=lambda each: [arrived_line(each)],
        all_json=brought_json,
        all_lines=brought_words,
        way_on=_("orca memory inbox shows what waits for you"),
    )


def _of_another(
    runtime: Runtime, opened: OpenOrca, file: CuttableFile, head: bytes, terms: ImportTerms, whose: ForeignFormat | None
) -> Source:
    def bring(hear: Hear | None) -> ForeignBrought:
        tell = import_teller(runtime.output, lambda: (0, None))
        entries = read_file(file, whose, head)
        return opened.run(opened.orca.files.bring_foreign(entries, terms, tell=tell, hear=hear or _unheard), file.cut)

    return Source(
        bring,
        comes=is_coming,
        one_json=heard_json,
        one_lines=lambda each: [foreign_line(each), near_line(each)],
        all_json=foreign_brought_json,
        all_lines=foreign_words,
        way_on=_("orca memory inbox --operation {operation} shows what waits for you; accept and reject take it too"),
    )


def _unheard(_each: object) -> None:
    pass


def _size_of(file: CuttableFile) -> int | None:
    """None of a pipe."""
    try:
        return os.fstat(file.fileno()).st_size or None
    except OSError:
        return None


def _bring(runtime: Runtime, source: Source, terms: ImportTerms) -> int | None:
    """Bring it in, and say so; the operation, None where nothing came."""
    output = runtime.output

    def hear(each: Any) -> None:
        for line in filter(None, source.one_lines(each)):
            output.record(line)

    result = source.bring(hear if terms.looks_only else None)
    for line in source.all_lines(result, terms):
        output.line(line)
    brought = _brought_of(result)
    if brought.operation is not None:
        output.note(_("orca memory undo {operation} takes it back").format(operation=brought.operation))
        if brought.count(Arrival.CANDIDATE):
            output.note(source.way_on.format(operation=brought.operation))
    return brought.operation


def _bring_in_json(runtime: Runtime, source: Source, terms: ImportTerms) -> int | None:
    """The same as one document, however many records there are: what comes goes out as it is heard, what does not waits
    beside."""
    output = runtime.output
    with TemporaryFile("w+", encoding="utf-8") as left:
        told = JsonList(output.json_piece, '{"changed": [')
        refused = JsonList(left.write, "")
        result = source.bring(lambda each: (told if source.comes(each) else refused).add(source.one_json(each)))
        told.begin()
        output.json_piece('], "refused": [')
        left.seek(0)
        for piece in iter(lambda: left.read(PIECE), ""):
            output.json_piece(piece)
    rest = json.dumps(source.all_json(result, looks_only=terms.looks_only), ensure_ascii=False)
    output.json_piece(f"], {rest[1:]}\n", is_last=True)
    return _brought_of(result).operation


def _brought_of(result: Brought | ForeignBrought) -> Brought:
    return result.brought if isinstance(result, ForeignBrought) else result
