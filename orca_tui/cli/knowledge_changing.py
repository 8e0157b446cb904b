"""`orca knowledge edit | pin | accept | delete …`: changes by hand, each of which can be undone, but a
delete."""

from __future__ import annotations

from gettext import gettext as _

import click

from orca_tui.cli.commands import as_json_option, command, option
from orca_tui.cli.knowledge_hand import KNOWLEDGE_BY_HAND
from orca_tui.cli.record_ids import KNOWLEDGE_ID
from orca_tui.cli.runtime import Runtime, pass_runtime
from orca_tui.cli.streams import ANY_TEXT
from orca_tui.language import N_

pin = KNOWLEDGE_BY_HAND.act("pin", N_("pinned"), "Pin knowledge: nothing but you changes it.")
unpin = KNOWLEDGE_BY_HAND.act("unpin", N_("unpinned"), "Take pins off knowledge.")
archive = KNOWLEDGE_BY_HAND.act("archive", N_("archived"), "Archive knowledge: it is kept, and not used.")
restore = KNOWLEDGE_BY_HAND.act("restore", N_("restored"), "Bring archived knowledge back.")
accept = KNOWLEDGE_BY_HAND.act("accept", N_("accepted"), "Let knowledge live that waits for you.")
reject = KNOWLEDGE_BY_HAND.act("reject", N_("rejected"), "Reject knowledge that waits for you.")
delete = KNOWLEDGE_BY_HAND.delete("Delete knowledge for good.")


@command(
    examples=(
        'orca knowledge edit k1 --topic "timeouts of nginx"',
        'orca knowledge edit k1 --point "wait two minutes after a deploy" --point "then restart"',
    )
)
@click.argument("knowledge_id", metavar="ID", type=KNOWLEDGE_ID)
@option("--topic", type=ANY_TEXT, metavar="TEXT", help="What it is about, in a few words.")
@option("--content", type=ANY_TEXT, metavar="TEXT", help="The new text.")
@option("--point", "points", multiple=True, type=ANY_TEXT, metavar="TEXT", help="The key points, all; '' for none.")
@option("--target", type=ANY_TEXT, metavar="TARGET", help="What it is known of.")
@as_json_option
@pass_runtime
def edit(
    runtime: Runtime,
    *,
    knowledge_id: int,
    topic: str | None,
    content: str | None,
    points: tuple[str, ...],
    target: str | None,
    as_json: bool,
) -> None:
    """Change what knowledge says.

    What you wrote no further episode changes, unless you ask for it: orca consolidate --target TARGET."""
    with runtime.orca() as orca:
        key_points = [each for each in points if each] if points else None
        changed = orca.run(
            orca.engine.work.knowledge.edit(
                knowledge_id, topic=topic, content=content, key_points=key_points, target=target
            )
        )
        KNOWLEDGE_BY_HAND.report(runtime, orca, changed, _("changed"), as_json=as_json)
