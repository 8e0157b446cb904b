"""`orca tool edit | pin | accept | delete …`: changes by hand, each of which can be undone, but a delete."""

from __future__ import annotations

from gettext import gettext as _

import click

from orca_core.model.errors import NotFound
from orca_core.model.records import CALL
from orca_core.model.tools import GUIDES
from orca_tui.cli.commands import as_json_option, command, option
from orca_tui.cli.completions import records
from orca_tui.cli.deleting import ask_to_delete, see_that_it_can_be_asked, tell_deleted, yes_option
from orca_tui.cli.guide_hand import GUIDES_BY_HAND
from orca_tui.cli.proving import Proving, proof_option, proof_to_json, tell_proof
from orca_tui.cli.record_ids import GUIDE_ID
from orca_tui.cli.runtime import Runtime, pass_runtime
from orca_tui.cli.streams import ANY_TEXT
from orca_tui.language import N_, counted
from orca_tui.words.tool_words import guide_line

pin = GUIDES_BY_HAND.act("pin", N_("pinned"), "Pin a guide: nothing but you changes it.")
unpin = GUIDES_BY_HAND.act("unpin", N_("unpinned"), "Take pins off guides.")
archive = GUIDES_BY_HAND.act("archive", N_("archived"), "Archive a guide: it is kept, and not used.")
restore = GUIDES_BY_HAND.act("restore", N_("restored"), "Bring archived guides back.")
accept = GUIDES_BY_HAND.act("accept", N_("accepted"), "Let a guide live that waits for you.")
reject = GUIDES_BY_HAND.act("reject", N_("rejected"), "Reject a guide that waits for you.")
history = GUIDES_BY_HAND.history("Show what happened to a guide.")


@command(examples=('orca tool edit g1 --text "Three words find more than a sentence."',))
@click.argument("guide_id", metavar="ID", type=GUIDE_ID)
@option("--text", required=True, type=ANY_TEXT, metavar="TEXT", help="The new text.")
@as_json_option
@pass_runtime
def edit(runtime: Runtime, guide_id: int, text: str, as_json: bool) -> None:
    """Change what a guide says.

    What you wrote no further call changes, unless you ask for it: orca tool write TOOL."""
    with runtime.orca() as orca:
        changed = orca.run(orca.engine.guides.edit(guide_id, text))
        GUIDES_BY_HAND.report(runtime, orca, changed, _("changed"), as_json=as_json)


@command(examples=("orca tool delete web_search", "orca tool delete web_search --only calls --yes"))
@click.argument("tool", type=ANY_TEXT, shell_complete=records("tool"))
@option("--only", type=click.Choice(["calls", "guides"]), help="Keep the others.")
@yes_option
@proof_option
@as_json_option
@pass_runtime
def delete(runtime: Runtime, *, tool: str, only: str | None, yes: bool, proof: bool, as_json: bool) -> None:
    """Delete what is known of a tool for good.

    That is its calls with what they were given and answered, and every guide of it, also such as were put away. To put
    a guide aside, archive it."""
    proving = Proving(is_wanted=proof)
    see_that_it_can_be_asked(runtime, yes=yes, as_json=as_json)
    with runtime.orca() as orca:
        tools, records = orca.engine.tools, orca.engine.guides
        guides = [] if only == "calls" else orca.run(tools.guides_of(tool))
        calls = 0 if only == "guides" else sum(each.calls for each in orca.run(tools.figures([tool])))
        if not guides and not calls:
            raise NotFound(what="tool", id=tool, hint="orca tool list shows those that are known")
        lines = [guide_line(each) for each in guides]
        lines += [f"{tool}: {counted('{count} call', '{count} calls', calls)}"] if calls else []
        if not yes:
            ask_to_delete(runtime, lines)
        if guides:
            proving.look(orca, GUIDES.kind, [each.id for each in guides])
        if calls:
            proving.look(orca, CALL, [each.id for each in orca.run(tools.calls(tool, calls))])
        is_wiped = orca.run(records.delete([each.id for each in guides])).finished if guides else True
        deleted = orca.run(tools.delete(tool)) if calls else 0
    refs = [GUIDES.ref(each) for each in guides]
    proven = proving.prove()
    further = proof_to_json(proven)
    tell_deleted(runtime, refs, lines, is_wiped=is_wiped, as_json=as_json, calls=deleted, **further)
    if proven is not None and not as_json:
        tell_proof(runtime.output, proven)
