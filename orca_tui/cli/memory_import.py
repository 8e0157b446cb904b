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

import click
from msgspec import Struct

from orca_core.model.errors import InvalidInput
from orca_core.model.import_export import Arrival, Arrived, Brought, ForeignFormat, ImportTerms
from orca_core.serialize.export import arrived_json, brought_json
from orca_core.serialize.foreign.files import HEAD_BYTES, is_of_orca
from orca_core.serialize.importing import ExportReader
from orca_tui.cli import foreign_import
from orca_tui.cli.commands import as_json_option, command, option
from orca_tui.cli.cuttable import PIECE, CuttableFile
from orca_tui.cli.import_progress import import_teller
from orca_tui.cli.json_lists import JsonList
from orca_tui.cli.runtime import OpenOrca, Runtime, pass_runtime
from orca_tui.cli.stopped import import_words, nothing_came, told_if_stopped
from orca_tui.words.import_words import arrived_line, brought_words

STDIN = Path("-")
EMBEDDED_WITHIN_S = 5.0
"""So long vectors are made before the command ends; the rest is made when Orca runs next. Chosen by hand."""
COMES = (Arrival.NEW, Arrival.CANDIDATE)
EXAMPLES = (
    "orca memory import memories.json --dry-run",
    "orca memory import memories.json",
    "orca memory import chatgpt-export.zip --dry-run",
    "ssh laptop orca memory export | orca memory import --trust",
)


@command("import", examples=EXAMPLES)
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
@as_json_option
@pass_runtime
def import_(
    runtime: Runtime,
    *,
    path: Path | None,
    format_word: str | None,
    trust: bool,
    again: bool,
    looks_only: bool,
    as_json: bool,
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
    with opened(path) as file, runtime.orca() as orca:
        with told_if_stopped(runtime, orca, import_words):
            head = _head_of(file)
            if format_word == "orca" or (format_word is None and is_of_orca(head)):
                bring = _tell_in_json if as_json else _bring
                operation = bring(runtime, orca, Document(file, head), terms)
            else:
                whose = None if format_word is None else ForeignFormat(format_word)
                bring_foreign = foreign_import.bring_in_json if as_json else foreign_import.bring
                operation = bring_foreign(runtime, orca, file, head, whose, terms)
        if operation is not None and not as_json:
            orca.run(orca.engine.worker.embed(EMBEDDED_WITHIN_S))


@contextmanager
def opened(path: Path | None) -> Iterator[CuttableFile]:
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


class Document(Struct, frozen=True):
    """A file, and what was read of it already."""

    file: CuttableFile
    head: bytes


def pieces(document: Document) -> Iterator[bytes]:
    """What a file holds, piece by piece. Raises InvalidInput where it can't be read to its end."""
    yield document.head
    try:
        while piece := document.file.read(PIECE):
            yield piece
    except OSError as failure:
        raise _unreadable(Path(str(document.file.name)), failure) from failure


def _head_of(file: CuttableFile) -> bytes:
    try:
        return file.read(HEAD_BYTES)
    except OSError as failure:
        raise _unreadable(Path(str(file.name)), failure) from failure


def _unreadable(path: Path, failure: OSError | ValueError) -> InvalidInput:
    detail = getattr(failure, "strerror", None) or str(failure)
    return InvalidInput(template="{path} can't be read: {detail}", path=str(path), detail=detail)


def _bring(runtime: Runtime, orca: OpenOrca, document: Document, terms: ImportTerms) -> int | None:
    hear = (lambda each: runtime.output.record(arrived_line(each))) if terms.looks_only else None
    brought = _brought(runtime, orca, document, terms, hear)
    _tell(runtime, brought, terms)
    return brought.operation


def _brought(
    runtime: Runtime,
    orca: OpenOrca,
    document: Document,
    terms: ImportTerms,
    hear: Callable[[Arrived], None] | None,
) -> Brought:
    reader = ExportReader(pieces(document))
    size = _size_of(document.file)
    tell = import_teller(runtime.output, lambda: (reader.at, size))
    return orca.run(orca.engine.exchange.bring(reader, terms, tell=tell, hear=hear), document.file.cut)


def _size_of(file: CuttableFile) -> int | None:
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


def _tell_in_json(runtime: Runtime, orca: OpenOrca, document: Document, terms: ImportTerms) -> int | None:
    """One document, however many records there are: what comes goes out as it is heard, what does not waits beside."""
    output = runtime.output
    with TemporaryFile("w+", encoding="utf-8") as left:
        told = JsonList(output.json_piece, '{"changed": [')
        refused = JsonList(left.write, "")

        def hear(each: Arrived) -> None:
            (told if each.arrival in COMES else refused).add(arrived_json(each))

        brought = _brought(runtime, orca, document, terms, hear)
        told.begin()
        output.json_piece('], "refused": [')
        left.seek(0)
        for piece in iter(lambda: left.read(PIECE), ""):
            output.json_piece(piece)
    rest = json.dumps(brought_json(brought, looks_only=terms.looks_only), ensure_ascii=False)
    output.json_piece(f"], {rest[1:]}\n", is_last=True)
    return brought.operation
