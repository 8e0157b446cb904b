"""`orca memory export`: all that Orca remembers, as one document."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from gettext import gettext as _
from pathlib import Path

import click

from orca_core.serialize.export import export_pieces
from orca_tui.cli.commands import command, option
from orca_tui.cli.output import json_cleaned
from orca_tui.cli.progress import ProgressBar
from orca_tui.cli.runtime import OpenOrca, Runtime
from orca_tui.files import new_file
from orca_tui.words.import_words import counts_words, export_words

STDOUT = Path("-")
BATCH = 200
"""So many pieces are made before they are written: by the main thread, which a signal reaches also where nobody reads
them. Chosen by hand."""


@command(examples=("orca memory export > memories.json", "orca memory export -o memories.json"))
@option("-o", "--output", "into", type=click.Path(path_type=Path), metavar="FILE", help="Write it here.")
@option("--force", is_flag=True, help="Write over FILE.")
def export(runtime: Runtime, *, into: Path | None, force: bool) -> None:
    """Write all that Orca remembers as one JSON document.

    Memories, tasks, episodes, knowledge, guides, acts and calls of tools, each with its history; not the chats, and no
    keys."""
    is_piped = into is None or into == STDOUT
    runtime.if_stopped = _("stopped: the export is not whole") if is_piped else _("stopped: nothing was written")
    with runtime.open_orca() as opened:
        if into is None or into == STDOUT:
            _write(runtime, opened, runtime.output.json_piece)
            runtime.output.json_piece("", is_last=True)
            runtime.if_stopped = ""
            return
        with new_file(into, force=force) as file:
            counts = _write(runtime, opened, lambda piece: file.write(json_cleaned(piece)))
        runtime.if_stopped = ""
    if runtime.as_json:
        runtime.output.json({"file": str(into), "counts": counts})
    else:
        runtime.output.line(_("written: {path}").format(path=into))
        runtime.output.note(counts_words(counts))


def _write(runtime: Runtime, opened: OpenOrca, write: Callable[[str], object]) -> dict[str, int]:
    leaving = opened.run(opened.orca.files.export())
    shown, done = ProgressBar(runtime.output), 0
    whole = sum(leaving.counts.values())
    try:
        pieces = export_pieces(leaving.records, leaving.operations())
        while batch := opened.run(_next_of(pieces)):
            for piece in batch:
                write(piece)
            done += len(batch)
            shown.tell(export_words(min(done, whole)), None, min(done / whole, 1.0) if whole else 1.0)
        return leaving.counts
    finally:
        opened.run(leaving.aclose())


async def _next_of(pieces: AsyncIterator[str]) -> list[str]:
    """The next pieces; none at their end."""
    batch: list[str] = []
    while len(batch) < BATCH and (piece := await anext(pieces, None)) is not None:
        batch.append(piece)
    return batch
