"""`orca memory export`: all that Orca remembers, as one document."""

from __future__ import annotations

from collections.abc import Callable
from gettext import gettext as _
from pathlib import Path

import click

from orca_core.wire.packing import export_pieces
from orca_tui.cli.commands import as_json_option, command, option
from orca_tui.cli.output import json_cleaned
from orca_tui.cli.progress import ProgressLine, TimeLeft, bar
from orca_tui.cli.runtime import OpenOrca, Runtime, pass_runtime
from orca_tui.files import new_file
from orca_tui.words.exchange import counts_words, export_words

STDOUT = Path("-")


@command(examples=("orca memory export > memories.json", "orca memory export -o memories.json"))
@option("-o", "--output", "into", type=click.Path(path_type=Path), metavar="FILE", help="Write it here.")
@option("--force", is_flag=True, help="Write over FILE.")
@as_json_option
@pass_runtime
def export(runtime: Runtime, *, into: Path | None, force: bool, as_json: bool) -> None:
    """Write all that Orca remembers as one JSON document.

    Memories, tasks, episodes, knowledge, guides, acts and calls of tools, each with its history; not the chats, and no
    keys."""
    with runtime.orca() as orca:
        if into is None or into == STDOUT:
            orca.run(_written(runtime, orca, runtime.output.json_piece))
            runtime.output.json_piece("", is_last=True)
            return
        with new_file(into, force=force) as file:
            counts = orca.run(_written(runtime, orca, lambda piece: file.write(json_cleaned(piece))))
    if as_json:
        runtime.output.json({"file": str(into), "counts": counts})
    else:
        runtime.output.line(_("written: {path}").format(path=into))
        runtime.output.note(counts_words(counts))


async def _written(runtime: Runtime, orca: OpenOrca, write: Callable[[str], object]) -> dict[str, int]:
    leaving = await orca.engine.exchange.export()
    line, time_left, done = ProgressLine(runtime.output), TimeLeft(), 0
    whole = sum(leaving.counts.values())
    try:
        async for piece in export_pieces(leaving.records, leaving.operations()):
            write(piece)
            done += 1
            share = min(done / whole, 1.0) if whole else 1.0
            line.tell(export_words(min(done, whole), bar(share), time_left.of(None, share)))
        return leaving.counts
    finally:
        await leaving.aclose()
