"""`orca session export`: one chat as a document."""

from __future__ import annotations

from gettext import gettext as _
from pathlib import Path

import click

from orca_core.domain.errors import InvalidInput
from orca_core.wire.talk import whole_dialogue_json
from orca_tui.cli.commands import as_json_option, command, option
from orca_tui.cli.output import json_text
from orca_tui.cli.runtime import Runtime, pass_runtime
from orca_tui.cli.streams import SESSION_ID
from orca_tui.files import new_file
from orca_tui.language import counted
from orca_tui.words.chats import chat_markdown

MARKDOWN, JSON = "markdown", "json"
STDOUT = Path("-")

EXAMPLES = (
    "orca session export s",
    "orca session export s -o chat.md",
    "orca session export s --format json -o chat.json --force",
)


@command(examples=EXAMPLES)
@click.argument("session_id", metavar="ID", type=SESSION_ID)
@option("--format", "kind", type=click.Choice([MARKDOWN, JSON]), help="Markdown to read, unless told otherwise.")
@option("-o", "--output", "into", type=click.Path(path_type=Path), metavar="FILE", help="Write it here.")
@option("--force", is_flag=True, help="Write over FILE.")
@as_json_option
@pass_runtime
def export(
    runtime: Runtime, *, session_id: str, kind: str | None, into: Path | None, force: bool, as_json: bool
) -> None:
    """Write a chat as a document, to read or for programs.

    Of each round its question and the answer that stands: earlier attempts are left out. JSON also has the model, where
    each piece of a question came from, and which memories an answer cites."""
    to_file = into is not None and into != STDOUT
    if as_json and not to_file and kind == MARKDOWN:
        raise InvalidInput(template="--json prints JSON alone", hint="name a file for the Markdown: -o FILE")
    kind = kind or (JSON if as_json and not to_file else MARKDOWN)
    with runtime.orca() as orca:
        found, rounds = orca.run(orca.engine.sessions.show(session_id))
    document = whole_dialogue_json(found, rounds)
    if not to_file:
        if kind == JSON:
            runtime.output.json(document)
        else:
            runtime.output.line(chat_markdown(found, rounds).removesuffix("\n"))
        return
    assert into is not None
    with new_file(into, force=force) as file:
        file.write(json_text(document) + "\n" if kind == JSON else chat_markdown(found, rounds))
    if as_json:
        runtime.output.json({"file": str(into), "rounds": len(rounds)})
    else:
        runtime.output.line(_("written: {path}").format(path=into))
        runtime.output.note(counted("{count} round", "{count} rounds", len(rounds)))
