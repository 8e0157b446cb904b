"""`orca memory why`, `orca episode why`, `orca knowledge why`: the turns that got a record, and why they did."""

from __future__ import annotations

import click

from orca_core.model.records import EPISODE, KNOWLEDGE, MEMORY, Kind, Ref
from orca_core.serialize.memories import appearances_json
from orca_tui.cli.commands import as_json_option, command
from orca_tui.cli.outcomes import check_there
from orca_tui.cli.record_ids import EPISODE_ID, KNOWLEDGE_ID, MEMORY_ID, BareNumber, RecordId
from orca_tui.cli.runtime import Runtime, pass_runtime
from orca_tui.words.memory_words import appearance_parts, no_appearance

EXAMPLE_ID = {MEMORY: "1", EPISODE: "e1", KNOWLEDGE: "k1"}


def why_of(id_type: BareNumber | RecordId, kind: Kind, doc: str) -> click.Command:
    """The command of one kind."""

    @click.argument("record_id", metavar="ID", type=id_type)
    @as_json_option
    @pass_runtime
    def run(runtime: Runtime, record_id: int, as_json: bool) -> None:
        ref = Ref(kind, record_id)
        with runtime.orca() as orca:
            orca.run(check_there(orca.engine, ref))
            found = orca.run(orca.engine.sessions.appearances(ref))
        if as_json:
            runtime.output.json(appearances_json(ref, found))
        elif found:
            for each in found:
                runtime.output.line("  ".join(appearance_parts(each, runtime.output.marks)))
        else:
            runtime.output.note(no_appearance())

    run.__doc__ = doc
    made: click.Command = command("why", examples=(f"orca {kind.name} why {EXAMPLE_ID[kind]}",))(run)
    return made


memory = why_of(MEMORY_ID, MEMORY, "Show the turns that got a memory, why, and what came of it.")
episode = why_of(EPISODE_ID, EPISODE, "Show the turns that got an episode, why, and what came of it.")
knowledge = why_of(KNOWLEDGE_ID, KNOWLEDGE, "Show the turns that got knowledge, why, and what came of it.")
