"""`orca upkeep`, `orca memory clean`, `orca memory reindex`: what is done in the background or once a day, now."""

from __future__ import annotations

from functools import partial
from gettext import gettext as _

import click

from orca_core.model.diagnosis import UpkeepRun
from orca_core.model.events import Embedded
from orca_core.model.operations import StageProgress, Tell
from orca_core.model.record_types import memory_ref
from orca_core.serialize.reports import cleaned_json, outcome_json, upkeep_json
from orca_tui.cli.commands import command, option
from orca_tui.cli.delete_command import tell_wiped
from orca_tui.cli.output import Output
from orca_tui.cli.progress import progress_teller
from orca_tui.cli.records import records_json
from orca_tui.cli.runtime import Runtime
from orca_tui.words.upkeep_words import clean_words, cleaned_lines, cleaned_notes, reindex_words, upkeep_words


@command(examples=("orca upkeep", "orca upkeep --json"))
def upkeep(runtime: Runtime) -> None:
    """Look after the database now: vectors, cleaning, wiping.

    Makes vectors of what was added by commands, which is found by its words until then, indexes messages, ends an undo
    that was cut short, cleans as orca memory clean does, and wipes what was deleted while another program read it. The
    app does all of it in the background; behind a command that changes something it is done once a day."""
    with runtime.open_orca() as opened:
        stop_listening = opened.orca.worker.subscribe(
            partial(_tell_embedded, progress_teller(runtime.output, reindex_words))
        )
        done = opened.run(opened.orca.upkeep.run())
        stop_listening()
    if runtime.as_json:
        runtime.output.json(upkeep_json(done))
    else:
        _tell(runtime.output, done)
        tell_wiped(runtime, is_wiped=done.is_wiped)
    if done.failed:
        raise click.exceptions.Exit(1)


@command(examples=("orca memory clean --dry-run", "orca memory clean"))
@option("--dry-run", is_flag=True, help="Say what would be cleaned, and change nothing.")
def clean(runtime: Runtime, *, dry_run: bool) -> None:
    """Archive what sank below the threshold, merge what says just the same, drop what expired.

    It is done once a day, too. What it does to memories is one operation, and can be undone; what is taken back is left
    alone from then on. Pinned memories are never touched. Expired short-term memories, and vectors of what is gone, are
    dropped for good."""
    with runtime.open_orca() as opened:
        cleanup = opened.orca.cleanup
        tell = progress_teller(runtime.output, clean_words)
        cleaned = opened.run(cleanup.preview(tell) if dry_run else cleanup.run(tell))
        if runtime.as_json:
            refs = [] if dry_run else [memory_ref(each) for each in cleaned.memories]
            changed = opened.run(records_json(opened.orca, refs))
            runtime.output.json(outcome_json((cleaned.operation,), changed, **cleaned_json(cleaned, is_dry=dry_run)))
            return
        memories = {each.id: each for each in opened.run(opened.orca.memories.get(cleaned.memories))}
    for line in cleaned_lines(cleaned, memories, is_dry=dry_run):
        runtime.output.record(line)
    for note in cleaned_notes(cleaned, is_dry=dry_run):
        runtime.output.note(note)


@command("reindex", examples=("orca memory reindex",))
def reindex(runtime: Runtime) -> None:
    """Make anew what memories, episodes, knowledge and messages are found by.

    The words are indexed again from what is stored, and vectors of what is gone are dropped. Nothing is embedded anew
    that has a vector."""
    with runtime.open_orca() as opened:
        tell = progress_teller(runtime.output, reindex_words)
        opened.run(opened.orca.doctor.reindex(tell))
        stop_listening = opened.orca.worker.subscribe(partial(_tell_embedded, tell))
        opened.run(opened.orca.worker.tidy())
        stop_listening()
    if runtime.as_json:
        runtime.output.json(outcome_json((), ()))
    else:
        runtime.output.line(_("indexed anew"))


def _tell_embedded(tell: Tell, event: object) -> None:
    """How far embedding is, of all that the worker tells."""
    if isinstance(event, Embedded):
        tell(StageProgress("embedded", event.have, event.whole))


def _tell(output: Output, done: UpkeepRun) -> None:
    for job in done.jobs:
        words = upkeep_words(job.name)
        output.line(f"{words}  {_('failed: {reason}').format(reason=job.failure) if job.failure else _('done')}")
