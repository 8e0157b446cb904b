"""`orca episode fade`: the gate of forgetting, now."""

from __future__ import annotations

from orca_core.model.records import EPISODE, Ref
from orca_core.serialize.reports import deleted_json, outcome_json
from orca_core.serialize.work import fade_json
from orca_tui.cli.commands import as_json_option, command, option
from orca_tui.cli.runtime import Runtime, pass_runtime
from orca_tui.words.work_words import fade_lines, fade_notes


@command(
    examples=(
        "orca episode fade --dry-run",
        "orca episode fade --json",
    )
)
@option("--dry-run", is_flag=True, help="Say what would go, and change nothing.")
@as_json_option
@pass_runtime
def fade(runtime: Runtime, *, dry_run: bool, as_json: bool) -> None:
    """Forget episodes that nobody needs, as it is done once a day.

    What fades is found no more. It can be brought back for memory.forget.grace, and is then deleted for good."""
    with runtime.orca() as orca:
        gate = orca.engine.work.forgetting
        report = orca.run(gate.preview() if dry_run else gate.run())
    if as_json:
        told = fade_json(report, is_dry=dry_run)
        gone = [deleted_json(Ref(EPISODE, each)) for each in report.deleted]
        changed = [] if dry_run else [*told["forgotten"], *gone]
        runtime.output.json({**outcome_json((told["operation"],), changed), **told})
        return
    if lines := fade_lines(report, is_dry=dry_run):
        runtime.output.line("\n".join(lines))
    for note in fade_notes(report, is_dry=dry_run):
        runtime.output.note(note)
