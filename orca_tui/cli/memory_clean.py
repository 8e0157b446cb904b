"""`orca memory clean`: what is done once a day, now."""

from __future__ import annotations

from orca_core.model.records import memory_ref
from orca_core.serialize.reports import cleaned_json, outcome_json
from orca_tui.cli.commands import as_json_option, command, option
from orca_tui.cli.outcomes import records_json
from orca_tui.cli.progress import teller
from orca_tui.cli.runtime import Runtime, pass_runtime
from orca_tui.words.upkeep_words import clean_words, cleaned_lines, cleaned_notes


@command(examples=("orca memory clean --dry-run", "orca memory clean"))
@option("--dry-run", is_flag=True, help="Say what would be cleaned, and change nothing.")
@as_json_option
@pass_runtime
def clean(runtime: Runtime, *, dry_run: bool, as_json: bool) -> None:
    """Archive what sank below the threshold, merge what says just the same, drop what expired.

    It is done once a day, too. What it does to memories is one operation, and can be undone; what is taken back is left
    alone from then on. Pinned memories are never touched. Expired short-term memories, and vectors of what is gone, are
    dropped for good."""
    with runtime.orca() as orca:
        cleanup = orca.engine.cleanup
        tell = teller(runtime.output, clean_words)
        cleaned = orca.run(cleanup.preview(tell) if dry_run else cleanup.run(tell))
        if as_json:
            refs = [] if dry_run else [memory_ref(each) for each in cleaned.memories]
            changed = orca.run(records_json(orca.engine, refs))
            runtime.output.json(outcome_json((cleaned.operation,), changed, **cleaned_json(cleaned, is_dry=dry_run)))
            return
        memories = {each.id: each for each in orca.run(orca.engine.memories.get(cleaned.memories))}
    for line in cleaned_lines(cleaned, memories, is_dry=dry_run):
        runtime.output.record(line)
    for note in cleaned_notes(cleaned, is_dry=dry_run):
        runtime.output.note(note)
