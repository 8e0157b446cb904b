"""`orca memory export`: all that Orca remembers, as one document."""

from __future__ import annotations

from gettext import gettext as _
from pathlib import Path

import click

from orca_tui.cli.commands import command, option
from orca_tui.cli.output import json_cleaned
from orca_tui.cli.progress import ProgressBar
from orca_tui.cli.runtime import Runtime
from orca_tui.files import new_file
from orca_tui.words.import_words import counts_words, export_words

STDOUT = Path("-")


@command(examples=("orca memory export > memories.json", "orca memory export -o memories.json"))
@option("-o", "--output", "into", type=click.Path(path_type=Path), metavar="FILE", help="Write it here.")
@option("--force", is_flag=True, help="Write over FILE.")
def export(runtime: Runtime, *, into: Path | None, force: bool) -> None:
    """Write all that Orca remembers as one JSON document.

    Memories, tasks, episodes, knowledge, guides, acts and calls of tools, each with its history; not the chats, and no
    keys."""
    is_piped = into is None or into == STDOUT
    runtime.if_stopped = _("stopped: the export is not whole") if is_piped else _("stopped: nothing was written")
    shown = ProgressBar(runtime.output)
    with runtime.open_orca() as opened:
        counts = opened.run(opened.orca.files.counts())
        whole = sum(counts.values()) or 1
        document = opened.run(
            opened.orca.files.export(lambda done: shown.tell(export_words(done), None, min(done / whole, 1.0)))
        )
        if into is None or into == STDOUT:
            for piece in document:
                runtime.output.json_piece(piece.decode())
            runtime.output.json_piece("", is_last=True)
            runtime.if_stopped = ""
            return
        with new_file(into, force=force) as file:
            for piece in document:
                file.write(json_cleaned(piece.decode()))
    runtime.if_stopped = ""
    if runtime.as_json:
        runtime.output.json({"file": str(into), "counts": counts})
    else:
        runtime.output.line(_("written: {path}").format(path=into))
        runtime.output.note(counts_words(counts))
