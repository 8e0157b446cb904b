"""`orca memory import`: what an export brings, into the profile that is open."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from gettext import gettext as _
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO

import click

from orca_core.domain.errors import InvalidInput
from orca_core.domain.exchange import Arrival, Arrived, Brought, ImportProgress, ImportStage, ImportTerms
from orca_core.wire.json_stream import JsonStream
from orca_core.wire.packing import arrived_json, brought_json
from orca_core.wire.unpacking import LIMITS, arriving
from orca_tui.cli.commands import as_json_option, command, option
from orca_tui.cli.progress import ProgressLine, TimeLeft, bar
from orca_tui.cli.runtime import OpenOrca, Runtime, pass_runtime
from orca_tui.words.exchange import arrived_line, brought_words, import_words

STDIN = Path("-")
PIECE = 65_536
EMBEDDED_WITHIN_S = 5.0
"""So long vectors are made before the command ends; the rest is made when Orca runs next. Chosen by hand."""
COMES = (Arrival.NEW, Arrival.CANDIDATE)
EXAMPLES = (
    "orca memory import memories.json --dry-run",
    "orca memory import memories.json",
    "ssh laptop orca memory export | orca memory import --trust",
)


@command("import", examples=EXAMPLES)
@click.argument("path", metavar="[FILE]", type=click.Path(path_type=Path), required=False)
@option("--trust", is_flag=True, help="Take all as it was there, also into a home that has memories.")
@option("--again", is_flag=True, help="Also bring back what was deleted here.")
@option("--dry-run", "looks_only", is_flag=True, help="Only say what would become of each record.")
@as_json_option
@pass_runtime
def import_(runtime: Runtime, *, path: Path | None, trust: bool, again: bool, looks_only: bool, as_json: bool) -> None:
    """Bring in what orca memory export wrote: FILE, or stdin.

    All of it is checked first; where anything is wrong, nothing is brought in. An empty home gets everything as it was.
    Elsewhere memories, episodes, knowledge and guides wait for you in the inbox, unpinned, and the rest stays out,
    unless you trust the file. What is here already stays as it is: the same file twice changes nothing.

    It is one operation: orca memory undo takes it back."""
    terms = ImportTerms(trust=trust, again=again, looks_only=looks_only)
    with document(path) as file, runtime.orca() as orca:
        if as_json:
            _tell_in_json(runtime, orca, file, terms)
            return
        hear = (lambda each: runtime.output.record(arrived_line(each))) if looks_only else None
        brought = _brought(runtime, orca, file, terms, hear)
        _tell(runtime, brought, terms)
        if brought.operation is not None:
            orca.run(orca.engine.worker.tidy(EMBEDDED_WITHIN_S))


@contextmanager
def document(path: Path | None) -> Iterator[BinaryIO]:
    """The file that is named, else stdin. Raises InvalidInput where there is none, or it can't be read."""
    if path is None or path == STDIN:
        if sys.stdin.isatty():
            raise InvalidInput(
                template="there is no document to bring in", hint="name a file, or pipe one: orca memory import FILE"
            )
        yield sys.stdin.buffer
        return
    try:
        file = path.open("rb")
    except (OSError, ValueError) as failure:
        raise _unreadable(path, failure) from failure
    with file:
        yield file


def pieces(file: BinaryIO) -> Iterator[bytes]:
    """What a file holds, piece by piece. Raises InvalidInput where it can't be read to its end."""
    try:
        while piece := file.read(PIECE):
            yield piece
    except OSError as failure:
        raise _unreadable(Path(str(file.name)), failure) from failure


def _unreadable(path: Path, failure: OSError | ValueError) -> InvalidInput:
    detail = getattr(failure, "strerror", None) or str(failure)
    return InvalidInput(template="{path} can't be read: {detail}", path=str(path), detail=detail)


def _brought(
    runtime: Runtime,
    orca: OpenOrca,
    file: BinaryIO,
    terms: ImportTerms,
    hear: Callable[[Arrived], None] | None,
) -> Brought:
    stream = JsonStream(pieces(file), LIMITS)
    line, time_left, size = ProgressLine(runtime.output), TimeLeft(), _size_of(file)

    def tell(progress: ImportProgress) -> None:
        done, whole = progress.done, progress.all
        if progress.stage is ImportStage.READING and size:
            done, whole = stream.bytes_read, size
        share = done / whole if whole else 0.0
        left_s = None if progress.stage is ImportStage.COMING else time_left.of(progress.stage, share)
        line.tell(import_words(progress, bar(share) if whole else "", left_s))

    return orca.run(orca.engine.exchange.bring(arriving(stream), terms, tell=tell, hear=hear))


def _size_of(file: BinaryIO) -> int | None:
    """None of a pipe."""
    try:
        return os.fstat(file.fileno()).st_size or None
    except OSError:
        return None


def _tell(runtime: Runtime, brought: Brought, terms: ImportTerms) -> None:
    for line in brought_words(brought, terms):
        runtime.output.line(line)
    if brought.operation is not None:
        runtime.output.note(_("orca memory undo {operation} takes it back").format(operation=brought.operation))
        if brought.count(Arrival.CANDIDATE):
            runtime.output.note(_("orca memory inbox shows what waits for you"))


def _tell_in_json(runtime: Runtime, orca: OpenOrca, file: BinaryIO, terms: ImportTerms) -> None:
    """One document, however many records there are: what comes goes out as it is heard, what does not waits beside."""
    output = runtime.output
    with TemporaryFile("w+", encoding="utf-8") as left:
        told = _List(output.json_piece, '{"changed": [')
        refused = _List(left.write, "")

        def hear(each: Arrived) -> None:
            (told if each.arrival in COMES else refused).add(arrived_json(each))

        brought = _brought(runtime, orca, file, terms, hear)
        told.begin()
        output.json_piece('], "refused": [')
        left.seek(0)
        for piece in iter(lambda: left.read(PIECE), ""):
            output.json_piece(piece)
    rest = json.dumps(brought_json(brought, looks_only=terms.looks_only), ensure_ascii=False)
    output.json_piece(f"], {rest[1:]}\n", is_last=True)


class _List:
    """The members of a JSON list, behind what begins it."""

    def __init__(self, write: Callable[[str], object], beginning: str) -> None:
        self._write = write
        self._beginning = beginning
        self._separator = ""

    def begin(self) -> None:
        self._write(self._beginning)
        self._beginning = ""

    def add(self, member: object) -> None:
        self.begin()
        self._write(self._separator + json.dumps(member, ensure_ascii=False))
        self._separator = ", "
