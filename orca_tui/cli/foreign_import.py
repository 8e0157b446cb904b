"""`orca memory import` of another program's file."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from gettext import gettext as _
from tempfile import TemporaryFile

from orca_core.model.import_export import (
    Arrival,
    Arrived,
    ForeignBrought,
    ForeignEntry,
    ForeignFormat,
    ImportTerms,
    LeftOut,
    Repeated,
)
from orca_core.serialize.foreign.files import read_file
from orca_core.serialize.foreign.telling import foreign_brought_json, heard_json, is_coming
from orca_tui.cli.cuttable import PIECE, CuttableFile
from orca_tui.cli.import_progress import import_teller
from orca_tui.cli.json_lists import JsonList
from orca_tui.cli.runtime import OpenOrca, Runtime
from orca_tui.words.import_words import foreign_line, foreign_words, near_line

Hear = Callable[[Arrived | LeftOut | Repeated], None]


def bring(
    runtime: Runtime, orca: OpenOrca, file: CuttableFile, head: bytes, format: ForeignFormat | None, terms: ImportTerms
) -> int | None:
    """Bring in what it holds, and say so; the operation, None where nothing came."""

    def hear(each: Arrived | LeftOut | Repeated) -> None:
        if terms.looks_only:
            for line in filter(None, (foreign_line(each), near_line(each))):
                runtime.output.record(line)

    brought = _brought(runtime, orca, file, read_file(file, format, head), terms, hear)
    for line in foreign_words(brought, terms):
        runtime.output.line(line)
    operation = brought.brought.operation
    if operation is not None:
        runtime.output.note(_("orca memory undo {operation} takes it back").format(operation=operation))
        if brought.brought.count(Arrival.CANDIDATE):
            words = _(
                "orca memory inbox --operation {operation} shows what waits for you; accept and reject take it too"
            )
            runtime.output.note(words.format(operation=operation))
    return operation


def bring_in_json(
    runtime: Runtime, orca: OpenOrca, file: CuttableFile, head: bytes, format: ForeignFormat | None, terms: ImportTerms
) -> int | None:
    """The same as one document: what comes goes out as it is heard, what does not waits beside."""
    output = runtime.output
    with TemporaryFile("w+", encoding="utf-8") as left:
        told = JsonList(output.json_piece, '{"changed": [')
        refused = JsonList(left.write, "")

        def hear(each: Arrived | LeftOut | Repeated) -> None:
            (told if is_coming(each) else refused).add(heard_json(each))

        brought = _brought(runtime, orca, file, read_file(file, format, head), terms, hear)
        told.begin()
        output.json_piece('], "refused": [')
        left.seek(0)
        for piece in iter(lambda: left.read(PIECE), ""):
            output.json_piece(piece)
    rest = json.dumps(foreign_brought_json(brought, looks_only=terms.looks_only), ensure_ascii=False)
    output.json_piece(f"], {rest[1:]}\n", is_last=True)
    return brought.brought.operation


def _brought(
    runtime: Runtime,
    orca: OpenOrca,
    file: CuttableFile,
    entries: Iterator[ForeignEntry],
    terms: ImportTerms,
    hear: Hear,
) -> ForeignBrought:
    tell = import_teller(runtime.output, lambda: (0, None))
    return orca.run(orca.engine.exchange.bring_foreign(entries, terms, tell=tell, hear=hear), file.cut)
