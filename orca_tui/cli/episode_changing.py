"""`orca episode edit | pin | accept | delete …`: changes by hand, each of which can be undone, but a delete."""

from __future__ import annotations

from gettext import gettext as _

import click

from orca_tui.cli.commands import as_json_option, command, option
from orca_tui.cli.completions import records
from orca_tui.cli.episode_hand import EPISODES_BY_HAND
from orca_tui.cli.record_ids import EPISODE_ID
from orca_tui.cli.runtime import Runtime, pass_runtime
from orca_tui.cli.streams import ANY_TEXT
from orca_tui.language import N_

pin = EPISODES_BY_HAND.act(
    "pin", N_("pinned"), "Pin episodes: nothing but you changes them, and they are not forgotten."
)
unpin = EPISODES_BY_HAND.act("unpin", N_("unpinned"), "Take pins off episodes.")
archive = EPISODES_BY_HAND.act("archive", N_("archived"), "Archive episodes: they are kept, and not used.")
restore = EPISODES_BY_HAND.act("restore", N_("restored"), "Bring archived or forgotten episodes back.")
accept = EPISODES_BY_HAND.act("accept", N_("accepted"), "Let episodes live that wait for you.")
reject = EPISODES_BY_HAND.act("reject", N_("rejected"), "Reject episodes that wait for you.")
delete = EPISODES_BY_HAND.delete("Delete episodes for good.")


@command(
    examples=(
        'orca episode edit e1 --outcome success --summary "it works now"',
        "orca episode edit e1 --tag web --tag nginx",
    )
)
@click.argument("episode_id", metavar="ID", type=EPISODE_ID)
@option("--trigger", type=ANY_TEXT, metavar="TEXT", help="What made it begin.")
@option("--target", type=ANY_TEXT, metavar="TARGET", help="What was worked on; '' for none.")
@option("--step", "steps", multiple=True, type=ANY_TEXT, metavar="TEXT", help="The steps, all of them; '' for none.")
@option("--outcome", metavar="OUTCOME", help="success, partial, failed or unknown.")
@option("--summary", type=ANY_TEXT, metavar="TEXT", help="How it ended, in words.")
@option(
    "--tag",
    "tags",
    multiple=True,
    type=ANY_TEXT,
    shell_complete=records("tag"),
    metavar="TAG",
    help="The tags, all of them; '' for none.",
)
@as_json_option
@pass_runtime
def edit(
    runtime: Runtime,
    *,
    episode_id: int,
    trigger: str | None,
    target: str | None,
    steps: tuple[str, ...],
    outcome: str | None,
    summary: str | None,
    tags: tuple[str, ...],
    as_json: bool,
) -> None:
    """Change what an episode says.

    What you wrote nothing but you changes, also where the chat goes on."""
    with runtime.orca() as orca:
        edited = orca.engine.work.episodes.edit(
            episode_id,
            trigger=trigger,
            target=target,
            steps=[each for each in steps if each] if steps else None,
            outcome=outcome,
            outcome_summary=summary,
            tags=[each for each in tags if each] if tags else None,
        )
        EPISODES_BY_HAND.report(runtime, orca, orca.run(edited), _("changed"), as_json=as_json)
