"""`orca memory import`: what an export of Orca or another program brings, into the profile that is open."""

from __future__ import annotations

import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from gettext import gettext as _
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO

import click

from orca_core.model.errors import InvalidInput
from orca_core.model.import_export import Arrival, ImportedRecord, ImportTerms, SkippedEntry
from orca_core.serialize.export_reader import ExportReader
from orca_core.serialize.foreign_files import HEAD_BYTES, is_of_orca, read_foreign_file
from orca_core.serialize.reports import import_json
from orca_tui.cli.commands import command, option
from orca_tui.cli.progress import import_teller
from orca_tui.cli.runtime import Runtime, stopped_words
from orca_tui.words.import_words import entry_line, result_words

STDIN = Path("-")
PIECE = 1 << 16
EMBEDDED_WITHIN_S = 5.0
"""So long vectors are made before the command ends; the rest is made when Orca runs next. Chosen by hand."""


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
@option("--trust", is_flag=True, help="Take all as it was there, also into a home that has memories.")
@option("--again", is_flag=True, help="Also bring back what was deleted here.")
@option("--dry-run", "looks_only", is_flag=True, help="Only say what would become of each record.")
def import_(runtime: Runtime, *, path: Path | None, trust: bool, again: bool, looks_only: bool) -> None:
    """Bring in what orca memory export wrote, or what mem0, ChatGPT or Claude exported: FILE, or stdin.

    Of other programs it takes their memories, custom instructions, and lists with a memory a line; archives as they are
    downloaded. All of that waits for you in the inbox.

    All of it is checked first; where anything is wrong, nothing is brought in. An empty home gets everything as it was.
    Elsewhere memories, episodes, knowledge and guides wait for you in the inbox, unpinned, and the rest stays out,
    unless you trust the file. What is here already stays as it is: the same file twice changes nothing.

    It is one operation: orca memory undo takes it back."""
    terms = ImportTerms(trust=trust, again=again, looks_only=looks_only)
    output = runtime.output
    heard: list[ImportedRecord | SkippedEntry] = []
    hear = heard.append if looks_only or runtime.as_json else _unheard
    runtime.if_stopped = stopped_words()
    with _import_file(path) as file, runtime.open_orca() as opened:
        files, tell = opened.orca.files, import_teller(output)
        head = _read(file, HEAD_BYTES)
        is_foreign = not is_of_orca(head)
        if is_foreign:
            entries = read_foreign_file(file, head)
            result = opened.run(files.import_foreign(entries, terms, tell=tell, hear=hear))
        else:
            records = ExportReader(_pieces(file, head))
            result = opened.run(files.import_records(records, terms, tell=tell, hear=hear))
        runtime.if_stopped = ""
        if runtime.as_json:
            output.json(import_json(result, heard, looks_only=looks_only, is_foreign=is_foreign))
            return
        for each in heard if looks_only else ():
            output.record(entry_line(each))
        for line in result_words(result, terms):
            output.line(line)
        if result.operation is not None:
            output.note(_("orca memory undo {operation} takes it back").format(operation=result.operation))
            if result.count(Arrival.CANDIDATE):
                way = _(
                    "orca memory inbox --operation {operation} shows what waits for you; accept and reject take it too"
                )
                output.note(way.format(operation=result.operation))
            opened.run(opened.orca.worker.embed(EMBEDDED_WITHIN_S))


def _unheard(_entry: ImportedRecord | SkippedEntry) -> None:
    pass


@contextmanager
def _import_file(path: Path | None) -> Iterator[BinaryIO]:
    """The file that is named, else stdin; what comes through a pipe, whole. Raises InvalidInput where there is none, or
    it can't be read."""
    if path is None or path == STDIN:
        if sys.stdin.isatty():
            raise InvalidInput(
                template="there is no document to bring in", hint="name a file, or pipe one: orca memory import FILE"
            )
        with _copied(sys.stdin.buffer) as copy:
            yield copy
        return
    try:
        file = path.open("rb")
    except (OSError, ValueError) as failure:
        raise _unreadable(path, failure) from failure
    with file:
        if stat.S_ISREG(path.stat().st_mode):
            yield file
            return
        with _copied(file) as copy:
            yield copy


@contextmanager
def _copied(pipe: BinaryIO) -> Iterator[BinaryIO]:
    with TemporaryFile() as copy:
        for piece in _pieces(pipe, b""):
            copy.write(piece)
        copy.seek(0)
        yield copy


def _pieces(file: BinaryIO, head: bytes) -> Iterator[bytes]:
    """What a file holds, behind what was read of it already. Raises InvalidInput where it can't be read to its end."""
    yield head
    while piece := _read(file, PIECE):
        yield piece


def _read(file: BinaryIO, most: int) -> bytes:
    try:
        return file.read(most)
    except OSError as failure:
        raise _unreadable(Path(str(getattr(file, "name", "stdin"))), failure) from failure


def _unreadable(path: Path, failure: OSError | ValueError) -> InvalidInput:
    detail = getattr(failure, "strerror", None) or str(failure)
    return InvalidInput(template="{path} can't be read: {detail}", path=str(path), detail=detail)
