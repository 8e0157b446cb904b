"""`orca session list | show`: past chats; the other commands of the group stand beside it."""

from __future__ import annotations

from gettext import gettext as _

import click

from orca_core.model.sessions import Round
from orca_core.serialize.reports import dialogue_json, sessions_json
from orca_core.serialize.values import timestamp_json
from orca_tui.cli.commands import LazyGroup, as_json_option, command, option
from orca_tui.cli.output import Column
from orca_tui.cli.runtime import Runtime, pass_runtime
from orca_tui.cli.streams import SESSION_ID
from orca_tui.times import local_time
from orca_tui.words.turn_words import ending_of

HERE = "orca_tui.cli.session"

COMMANDS = {
    "list": (f"{HERE}:list_sessions", "List past chats, newest first."),
    "show": (f"{HERE}:show", "Show what was said in a session."),
    "rename": ("orca_tui.cli.session_changing:rename", "Give a chat another title."),
    "delete": ("orca_tui.cli.session_changing:delete", "Delete chats for good."),
    "export": ("orca_tui.cli.session_export:export", "Write chats as documents, to read or for programs."),
}


@click.group(cls=LazyGroup, commands_by_name=COMMANDS)
def session() -> None:
    """List, read, name, delete and export past chats."""


@command("list")
@option("--limit", type=click.IntRange(min=1), metavar="N", help="At most so many.")
@as_json_option
@pass_runtime
def list_sessions(runtime: Runtime, limit: int | None, as_json: bool) -> None:
    """List past chats, newest first."""
    with runtime.orca() as orca:
        sessions = orca.run(orca.engine.sessions.list(limit))
    if as_json:
        runtime.output.json(sessions_json(sessions))
        return
    columns = (
        Column(_("session")),
        Column(_("begun")),
        Column(_("rounds"), is_number=True),
        Column(_("title"), takes_rest=True),
    )
    begun = local_time if runtime.output.is_terminal else timestamp_json
    rows = [(each.id, begun(each.created_at) or "", str(each.rounds), each.title) for each in sessions]
    runtime.output.table(columns, rows)
    if not sessions:
        runtime.output.note(_("Nothing was said yet."))


@command()
@click.argument("session_id", metavar="ID", type=SESSION_ID)
@as_json_option
@pass_runtime
def show(runtime: Runtime, session_id: str, as_json: bool) -> None:
    """Show what was said in a session."""
    with runtime.orca() as orca:
        found, rounds = orca.run(orca.engine.sessions.show(session_id))
    if as_json:
        runtime.output.json(dialogue_json(found, rounds))
        return
    runtime.output.line("\n\n".join([f"{found.id}  {found.title}", *(_round_text(each) for each in rounds)]))


def _round_text(each: Round) -> str:
    ending = ending_of(each)
    parts = [f"{each.number}  {_('you')}: {each.user}", each.assistant, f"({ending})" if ending else ""]
    return "\n".join(part for part in parts if part)
